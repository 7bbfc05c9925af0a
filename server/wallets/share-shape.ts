/**
 * What the server may know of a share: that it is whole, and of this wallet, generation and role. The vault
 * writes it (wallet-frame/vault/share.ts) and refuses anything else; a share that it would refuse later is
 * refused here while the wallet can still be made anew.
 *
 *   v · role · x · len · generation (4 bytes) · length of wallet id · wallet id (ASCII) · y (len bytes)
 */
import {
  LatchkeyError,
  type ShareContext,
  type ShareRole,
  shareVersion,
  shareX,
  walletLimits,
} from '@latchkey/protocol'

const ROLE_CODES = { device: 1, auth: 2, recovery: 3 } as const satisfies Record<ShareRole, number>
const HEADER_BYTES = 9

export function assertShareShape(
  share: Uint8Array,
  expected: Pick<ShareContext, 'walletId' | 'generation' | 'role'>,
): void {
  const { walletId, generation, role } = expected
  const header = Buffer.alloc(HEADER_BYTES)
  header.set([shareVersion, ROLE_CODES[role], shareX[role], walletLimits.entropyBytes])
  header.writeUInt32BE(generation, 4)
  header.writeUInt8(walletId.length, 8)
  const beforeValue = Buffer.concat([header, Buffer.from(walletId, 'ascii')])
  const isWhole = share.length === beforeValue.length + walletLimits.entropyBytes
  if (!isWhole || !beforeValue.equals(share.subarray(0, beforeValue.length))) {
    throw new LatchkeyError('share_malformed', 'A share is not of this wallet', { details: { role } })
  }
}
