/** Converts wallets of the server to the vault's form, and verifies their address. */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import type { PendingWallet } from '@latchkey/protocol/wallet'
import type { WalletPorts } from './ports.ts'

/**
 * Returns the wallet as the vault takes it. The address keeps the server's spelling, to which shares are
 * bound.
 */
export function toPinnedWallet({ appId }: WalletPorts, wallet: CommittedWallet) {
  const { userId, walletId, kind, chain, generation, address } = wallet
  return { appId, userId, walletId, kind, chain, generation, address }
}

/** Returns a wallet that is not created yet, and therefore has no address. */
export function toWalletLine({ appId }: Pick<WalletPorts, 'appId'>, place: PendingWallet) {
  const { userId, walletId, kind, chain, generation } = place
  return { appId, userId, walletId, kind, chain, generation }
}

export function assertAddress({ address, solanaAddress }: CommittedWallet, asked: string): void {
  if (isSameAddress(address, asked) || solanaAddress === asked) return
  throw new LatchkeyError('share_mismatch', "The user's wallet has another address")
}
