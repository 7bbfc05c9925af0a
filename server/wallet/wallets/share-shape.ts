/**
 * What the server may know of a share: that it is whole, and of this wallet, kind, chain, generation and role. A
 * share that the vault would refuse later is refused here, while the wallet can still be made anew.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type ShareIdentity, secretBytes, shareHead } from '@latchkey/protocol/wallet'

export function assertShareShape(share: Uint8Array, expected: ShareIdentity): void {
  const head = shareHead(expected)
  const isWhole = share.length === head.length + secretBytes[expected.kind]
  if (!isWhole || head.some((byte, index) => share[index] !== byte)) {
    throw new LatchkeyError('share_malformed', 'A share is not of this wallet', {
      details: { role: expected.role },
    })
  }
}
