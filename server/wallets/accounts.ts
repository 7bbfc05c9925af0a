/** Our wallets as accounts of their users. */
import { product, recoveryMethods, type WalletAccount } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Row } from '../db/schema.ts'
import type { Reader } from '../ports.ts'
import { committedWalletsOf } from './store.ts'

export async function walletAccountsOf(reader: Reader, userId: string): Promise<WalletAccount[]> {
  const wallets = await committedWalletsOf(reader, userId)
  return wallets.map(walletAccount)
}

export const recoveryMethodOf = (wallet: Row<'wallets'>) =>
  v.parse(v.picklist(recoveryMethods), wallet.recovery_method)

function walletAccount(wallet: Row<'wallets'>): WalletAccount {
  const verifiedAt = wallet.committed_at ?? wallet.created_at
  const embedded = {
    type: 'wallet',
    address: wallet.address ?? '',
    imported: wallet.imported === 1,
    walletClientType: product.walletClient,
    connectorType: 'embedded',
    recoveryMethod: recoveryMethodOf(wallet),
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
