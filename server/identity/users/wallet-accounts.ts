/** The wallets that we keep for a user, as accounts of theirs; and how the wallet of an address is named. */
import { getChainType, product, type WalletAccount } from '@latchkey/protocol'
import type { UserWithAccount } from './store.ts'

/**
 * The same wallet is one account, however its address is written; that of base58 has one spelling. A key is the same on
 * every chain. A contract is one of a single chain (CAIP-2): elsewhere somebody else may have put one at its address.
 */
export function walletNamed(address: string, contractOf?: string) {
  const written = getChainType(address) === 'ethereum' ? address.toLowerCase() : address
  return {
    type: 'wallet',
    identifier: contractOf === undefined ? written : `${contractOf}:${written}`,
  } as const
}

/** The form in which a user has this address: as that of a key, or as that of a contract on some chain. */
export const walletNamedAmong = (identifiers: readonly string[], address: string) => {
  const byKey = walletNamed(address)
  const isContract = (identifier: string) => identifier.endsWith(`:${byKey.identifier}`)
  if (identifiers.includes(byKey.identifier)) return byKey
  return { ...byKey, identifier: identifiers.find(isContract) ?? byKey.identifier }
}

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
      // Only a newer release keeps wallets of such a chain.
      chain_type satisfies never
      return []
  }
}
