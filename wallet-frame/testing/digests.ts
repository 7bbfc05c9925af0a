/** Digests of messages, by the library with which host pages verify. */
import type { Hex } from 'viem'
import { hashMessage } from 'viem/utils'

export const messageDigest = (message: string): string =>
  hashMessage(message.startsWith('0x') ? { raw: message as Hex } : message)

/** The digest of the message that most tests sign. */
export const helloDigest = messageDigest('hello')
