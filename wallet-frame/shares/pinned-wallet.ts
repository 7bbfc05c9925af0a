/** The wallet that the server answers about must be the one that was asked for. */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet, PendingWallet } from '@latchkey/protocol/api'
import type { WalletPorts } from './ports.ts'

/** As the vault takes it, with the address in the server's spelling: what is sealed and stored is bound to that. */
export function pinnedWallet({ appId }: WalletPorts, wallet: CommittedWallet) {
  const { userId, walletId, kind, chain, generation, address } = wallet
  return { appId, userId, walletId, kind, chain, generation, address }
}

/** The place of a wallet that is to be made. */
export function lineOf({ appId }: Pick<WalletPorts, 'appId'>, place: PendingWallet) {
  const { userId, walletId, kind, chain, generation } = place
  return { appId, userId, walletId, kind, chain, generation }
}

export function assertAddress(wallet: CommittedWallet, asked: string): void {
  if (isSameAddress(wallet.address, asked)) return
  throw new LatchkeyError('share_mismatch', "The user's wallet has another address")
}
