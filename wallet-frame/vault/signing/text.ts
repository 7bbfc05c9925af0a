import { LatchkeyError } from '@latchkey/protocol'
import { encodeText } from '@latchkey/protocol/wallet'

/**
 * Encodes UTF-8. Throws for a lone surrogate, which has no UTF-8 form: the signed text would differ from the
 * shown one.
 */
export function utf8(message: string): Uint8Array {
  const bytes = encodeText(message)
  if (bytes) return bytes
  throw new LatchkeyError('invalid_request_arguments', 'Message is not well-formed text')
}
