/** A text that is to be signed. */
import { LatchkeyError } from '@latchkey/protocol'
import { looksLikeProof } from '@latchkey/protocol/wallet'

/** The server takes what begins like this as a proof that somebody owns an address: no host gets it signed. */
export function refuseProof(message: string): void {
  if (!looksLikeProof(new TextEncoder().encode(message))) return
  throw new LatchkeyError('invalid_message', 'This message is reserved and can not be signed')
}

/** Wallets read a text that begins with 0x as bytes. As hex, what is signed is the text that was shown, always. */
export function hexOf(message: string): string {
  const bytes = new TextEncoder().encode(message)
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
