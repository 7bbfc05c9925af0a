/** Embedded wallets as linked accounts, and the identifiers of wallet accounts. */
import { getChainType, product, type WalletAccount } from '@latchkey/protocol'
import type { UserWithAccount } from './store.ts'

/**
 * Returns the account name of a wallet, which is the same for all spellings of its address. A key has the same address
 * on every chain. A contract wallet is specific to a chain (CAIP-2), because another owner may have deployed to its
 * address elsewhere.
 */
export function toWalletName(address: string, contractOf?: string) {
  const written = getChainType(address) === 'ethereum' ? address.toLowerCase() : address
  return {
    type: 'wallet',
    identifier: contractOf === undefined ? written : `${contractOf}:${written}`,
  } as const
}

/** Returns the account name under which a user has this address: as a key, or as a contract on some chain. */
export const findWalletName = (identifiers: readonly string[], address: string) => {
  const byKey = toWalletName(address)
  const isContract = (identifier: string) => identifier.endsWith(`:${byKey.identifier}`)
  if (identifiers.includes(byKey.identifier)) return byKey
  return { ...byKey, identifier: identifiers.find(isContract) ?? byKey.identifier }
}

export function toWalletAccount(wallet: UserWithAccount): WalletAccount[] {
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
        ...(wallet.solana_address === null
          ? []
          : [
              toSolanaAccount(
                embedded,
                wallet.solana_address,
                wallet.solana_committed_at ?? embedded.verifiedAt,
              ),
            ]),
      ]
    case 'solana':
      return [toSolanaAccount(embedded, embedded.address, verifiedAt)]
    default:
      // Only a newer release creates wallets on such a chain.
      chain_type satisfies never
      return []
  }
}

const toSolanaAccount = (
  embedded: Omit<WalletAccount, 'chainType'>,
  address: string,
  verifiedAt: number,
): WalletAccount => ({
  ...embedded,
  address,
  chainType: 'solana',
  publicKey: address,
  verifiedAt,
  firstVerifiedAt: verifiedAt,
  latestVerifiedAt: verifiedAt,
})
