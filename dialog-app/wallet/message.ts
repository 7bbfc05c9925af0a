/** A message that is to be signed. */
import { LatchkeyError } from '@latchkey/protocol'
import { isReservedForProofs } from '@latchkey/protocol/wallet'

/** The server takes what begins like this as a proof that somebody owns an address: no host gets it signed. */
export function refuseProofIn(message: Uint8Array): void {
  if (!isReservedForProofs(message)) return
  throw new LatchkeyError('invalid_message', 'This message is reserved and can not be signed')
}

export const refuseProof = (message: string) => refuseProofIn(new TextEncoder().encode(message))
