import { useLatchkey, useSignMessage, useSignTypedData } from '@latchkey/loader/react'

declare const typedData: { types: Record<string, { name: string; type: string }[]>; primaryType: string; domain: object; message: object }
declare function send(body: object): Promise<void>

export function Sign({ challenge }: { challenge: string }) {
  const { signMessage } = useLatchkey()
  const { signTypedData } = useSignTypedData()
  const { signMessage: signQuietly } = useSignMessage({
    onSuccess: ({ signature }) => console.log(signature.length),
  })

  const prove = async () => {
    const { signature } = await signMessage(challenge, { title: 'Prove that it is you', buttonText: 'Sign' })
    await send({ challenge, signature })
  }
  const agree = async () => {
    const { signature: proof } = await signTypedData(typedData)
    await send({ proof, again: (await signMessage(`I agree to ${challenge}`)).signature })
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
