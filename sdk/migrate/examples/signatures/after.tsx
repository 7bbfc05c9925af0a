import { useSignMessage, useSignTypedData, useWallets } from '@latchkey/loader/react'

declare const typedData: { types: Record<string, { name: string; type: string }[]>; primaryType: string; domain: object; message: object }

export function useProof() {
  const { wallets } = useWallets()
  const { signMessage } = useSignMessage()
  const { signTypedData } = useSignTypedData()
  const address = wallets[0]?.address

  return {
    address,
    async prove(message: string) {
      const { signature } = await signMessage(message)
      return signature
    },
    async greet() {
      const { signature } = await signMessage(
        'Hello',
        {
          title: 'Say hello',
          description: 'It costs nothing',
        },
      )
      return signature
    },
    permit: async () => (await signTypedData(typedData, { title: 'Permit' })).signature,
    // @ts-expect-error: left by the codemod
    hide: () => signMessage({ message: 'Hidden' }, { uiOptions: { showWalletUIs: false } }),
  }
}
