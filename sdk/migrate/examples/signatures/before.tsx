import { useSignMessage, useSignTypedData, useWallets } from '@privy-io/react-auth'

declare const typedData: { types: Record<string, { name: string; type: string }[]>; primaryType: string; domain: object; message: object }

export function useProof() {
  const { wallets } = useWallets()
  const { signMessage } = useSignMessage()
  const { signTypedData } = useSignTypedData()
  const address = wallets[0]?.address

  return {
    address,
    async prove(message: string) {
      const { signature } = await signMessage({ message }, { address })
      return signature
    },
    async greet() {
      const { signature } = await signMessage(
        { message: 'Hello' },
        {
          uiOptions: {
            title: 'Say hello',
            description: 'It costs nothing',
          },
          address,
        },
      )
      return signature
    },
    permit: async () => (await signTypedData(typedData, { uiOptions: { title: 'Permit' }, address })).signature,
    // @ts-expect-error: left by the codemod
    hide: () => signMessage({ message: 'Hidden' }, { uiOptions: { showWalletUIs: false } }),
  }
}
