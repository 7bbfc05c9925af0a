import { useMemo } from 'react'
import { type EthereumWallet, useExportWallet, useLatchkey, useWallets } from '@latchkey/loader/react'
import { createWalletClient, custom } from 'viem'
import { base } from 'viem/chains'

const isEmbedded = (wallet: EthereumWallet) => wallet.kind === 'embedded'

export function useEmbeddedWallet() {
  const { user } = useLatchkey()
  const { wallets, ready } = useWallets()
  const { exportWallet } = useExportWallet()
  const embedded = useMemo(() => wallets.find((w) => w.kind === 'embedded'), [wallets])
  const others = wallets.filter(({ kind }) => kind !== 'embedded')
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
    isPrivy: active?.kind === "embedded",
    // @ts-expect-error: left by the codemod
    sign: () => embedded?.sign('Hello'),
    exportKey: () => exportWallet(),
  }
}
