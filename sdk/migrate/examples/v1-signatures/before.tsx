import { usePrivy, useSignMessage, useSignTypedData } from '@privy-io/react-auth'

declare const typedData: { types: Record<string, { name: string; type: string }[]>; primaryType: string; domain: object; message: object }
declare function send(body: object): Promise<void>

export function Sign({ challenge }: { challenge: string }) {
  const { signMessage } = usePrivy()
  const { signTypedData } = useSignTypedData()
  const { signMessage: signQuietly } = useSignMessage({
    onSuccess: (signature) => console.log(signature.length),
  })

  const prove = async () => {
    const signature = await signMessage(challenge, { title: 'Prove that it is you', buttonText: 'Sign' })
    await send({ challenge, signature })
  }
  const agree = async () => {
    const proof = await signTypedData(typedData)
    await send({ proof, again: await signMessage(`I agree to ${challenge}`) })
  }
  const quietly = () => signQuietly('Hello').then((text) => send({ text }))

  return (
    <>
      <button onClick={prove}>Prove</button>
      <button onClick={agree}>Agree</button>
      <button onClick={quietly}>Quietly</button>
    </>
  )
}
