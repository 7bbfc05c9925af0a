import { LatchkeyError } from '@latchkey/protocol'
import { isReservedForProofs } from '@latchkey/protocol/wallet'

/** Throws for messages that the server would accept as an address proof. No host page may have one signed. */
export function refuseProofIn(message: Uint8Array): void {
  if (!isReservedForProofs(message)) return
  throw new LatchkeyError('invalid_message', 'This message is reserved and can not be signed')
}

export const refuseProof = (message: string) => refuseProofIn(new TextEncoder().encode(message))
