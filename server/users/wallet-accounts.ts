/** The wallets that we keep for a user, as accounts of theirs; and how the wallet of an address is named. */
import { chainOfAddress, product, type WalletAccount } from '@latchkey/protocol'
import type { UserWithAccount } from './store.ts'

/** The same wallet is one account, however its address is written; that of base58 has one spelling. */
export const walletNamed = (address: string) =>
  ({
    type: 'wallet',
    identifier: chainOfAddress(address) === 'ethereum' ? address.toLowerCase() : address,
  }) as const

export function walletAccount(wallet: UserWithAccount): WalletAccount[] {
  const { kind, chain_type, wallet_created_at, recovery_method } = wallet
  if (kind === null || chain_type === null || wallet_created_at === null || recovery_method === null)
    return []
  const verifiedAt = wallet.committed_at ?? wallet_created_at
  const embedded = {
    type: 'wallet',
    address: wallet.address ?? '',
    imported: kind === 'imported-key',
    walletClientType: product.walletClient,
    connectorType: 'embedded',
    recoveryMethod: recovery_method,
    verifiedAt,
    firstVerifiedAt: verifiedAt,
    latestVerifiedAt: verifiedAt,
  } as const
  switch (chain_type) {
    case 'ethereum':
      return [
        {
          ...embedded,
          chainType: 'ethereum',
          chainId: 'eip155:1',
          walletClient: product.walletClient,
          walletIndex: 0,
        },
      ]
    case 'solana':
      return [{ ...embedded, chainType: 'solana', publicKey: embedded.address }]
    default:
      return chain_type satisfies never
  }
}
