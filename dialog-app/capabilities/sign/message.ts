/** Refuses a message that can not be signed, before anything is shown. */
import { LatchkeyError, messageToSign } from '@latchkey/protocol'
import * as v from 'valibot'
import { hexOfBytes } from '../../browser/hex.ts'
import { refuseProof, refuseProofIn } from '../../wallet/message.ts'
import type { SignRequest } from './to-sign.ts'

const emptyMessage = 'Message must be a non-empty string'
/** Bytes as they are, as libraries hand over a hash: a text that they happen to be is shown and signed as that text. */
const rawSchema = v.object({ raw: v.pipe(v.string(), v.regex(/^0x(?:[0-9a-fA-F]{2})+$/)) })

type Message = Extract<SignRequest, { kind: 'message' }>
type Bytes = Extract<SignRequest, { kind: 'bytes' }>

export function checkedMessage(message: unknown): string {
  const parsed = v.safeParse(messageToSign, message)
  if (parsed.success) {
    refuseProof(parsed.output)
    return parsed.output
  }
  const isEmpty = message === '' || typeof message !== 'string'
  throw new LatchkeyError('invalid_message', isEmpty ? emptyMessage : parsed.issues[0].message)
}

/** Of an Ethereum wallet, which signs bytes that are no text too: smart accounts have it sign hashes. */
export function readMessage(
  message: unknown,
): Pick<Message, 'kind' | 'message' | 'chain'> | Pick<Bytes, 'kind' | 'hex'> {
  const given = v.safeParse(rawSchema, message)
  if (!given.success) return { kind: 'message', chain: 'ethereum', message: checkedMessage(message) }
  const bytes = bytesIn(given.output.raw)
  const text = textIn(bytes)
  if (text !== undefined) return { kind: 'message', chain: 'ethereum', message: checkedMessage(text) }
  refuseProofIn(bytes)
  return { kind: 'bytes', hex: hexOfBytes(bytes) }
}

const bytesIn = (hex: string) =>
  Uint8Array.from(hex.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

/** Undefined for bytes that are not the UTF-8 of a text, to the letter. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
