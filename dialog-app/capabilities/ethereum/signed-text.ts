/** What `personal_sign` is given: bytes as hex, or a text, as libraries of either kind write it. */
import { LatchkeyError } from '@latchkey/protocol'

const bytesInHex = /^0x(?:[0-9a-fA-F]{2})*$/

/** What is signed is what was read, so bytes that are no text are not signed. */
export function textOf(message: string): string {
  if (!bytesInHex.test(message)) return message
  const bytes = Uint8Array.from(message.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new LatchkeyError(
      'invalid_message',
      'The message is no text: bytes that nobody can read are not signed',
      {
        cause,
      },
    )
  }
}
