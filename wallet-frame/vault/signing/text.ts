import { LatchkeyError } from '@latchkey/protocol'

/** A lone surrogate has no UTF-8 form: encoding it would sign another text than the one that was shown. */
export function utf8(message: string): Uint8Array {
  if (!message.isWellFormed()) {
    throw new LatchkeyError('invalid_request_arguments', 'Message is not well-formed text')
  }
  return new TextEncoder().encode(message)
}
