import { LatchkeyError } from '@latchkey/protocol'
import { textBytes } from '@latchkey/protocol/wallet'

/** A lone surrogate has no UTF-8 form: encoding it would sign another text than the one that was shown. */
export function utf8(message: string): Uint8Array {
  const bytes = textBytes(message)
  if (bytes) return bytes
  throw new LatchkeyError('invalid_request_arguments', 'Message is not well-formed text')
}
