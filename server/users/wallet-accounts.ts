/** The wallets that we keep for a user, as accounts of theirs. */
import { product, type WalletAccount } from '@latchkey/protocol'
import type { Reader } from '../ports.ts'
import { committedWalletsOf, type WalletOfUser } from './store.ts'

export async function walletAccountsOf(reader: Reader, userId: string): Promise<WalletAccount[]> {
  const wallets = await committedWalletsOf(reader, { userId })
  return wallets.map(walletAccount)
}

function walletAccount(wallet: WalletOfUser): WalletAccount {
  const verifiedAt = wallet.committed_at ?? wallet.created_at
  const embedded = {
    type: 'wallet',
    address: wallet.address ?? '',
    imported: wallet.kind === 'imported-key',
    walletClientType: product.walletClient,
    connectorType: 'embedded',
    recoveryMethod: wallet.recovery_method,
    verifiedAt,
    firstVerifiedAt: verifiedAt,
    latestVerifiedAt: verifiedAt,
  } as const
  switch (wallet.chain_type) {
    case 'ethereum':
      return {
        ...embedded,
        chainType: 'ethereum',
        chainId: 'eip155:1',
        walletClient: product.walletClient,
        walletIndex: 0,
      }
    case 'solana':
      return { ...embedded, chainType: 'solana', publicKey: embedded.address }
    default:
      return wallet.chain_type satisfies never
  }
}
