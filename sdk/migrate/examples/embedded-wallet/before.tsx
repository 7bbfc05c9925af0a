import { useMemo } from 'react'
import { type ConnectedWallet, useExportWallet, usePrivy, useWallets } from '@privy-io/react-auth'
import { createWalletClient, custom } from 'viem'
import { base } from 'viem/chains'

const isEmbedded = (wallet: ConnectedWallet) => wallet.walletClientType === 'privy'

export function useEmbeddedWallet() {
  const { user } = usePrivy()
  const { wallets, ready } = useWallets()
  const { exportWallet } = useExportWallet()
  const embedded = useMemo(() => wallets.find((w) => w.walletClientType === 'privy'), [wallets])
  const others = wallets.filter(({ walletClientType }) => walletClientType !== 'privy')
  const active = wallets.find(isEmbedded) ?? wallets[0]
  const account = user?.linkedAccounts.find((a) => a.type === 'wallet' && a.walletClientType === 'privy')

  async function client() {
    if (!embedded) throw new Error('There is no wallet')
    await embedded.switchChain(base.id)
    const provider = await embedded.getEthereumProvider()
    return createWalletClient({ chain: base, transport: custom(provider) })
  }

  return {
    ready,
    client,
    account,
    others,
    isPrivy: active?.walletClientType === "privy",
    // @ts-expect-error: left by the codemod
    sign: () => embedded?.sign('Hello'),
    exportKey: () => exportWallet({ address: embedded?.address }),
  }
}
