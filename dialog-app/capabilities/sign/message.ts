/** Rejects messages that cannot be signed, before a screen is shown. */
import { LatchkeyError, messageToSignSchema } from '@latchkey/protocol'
import { decodeText, encodeMessage } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { bytesToHex } from '../../browser/hex.ts'
import { refuseProof, refuseProofIn } from '../../wallet/message.ts'
import type { SignRequest } from './to-sign.ts'

const emptyMessage = 'Message must be a non-empty string'
/** Raw bytes, such as a hash. If they are valid text, they are shown and signed as text. */
const rawSchema = v.object({ raw: v.pipe(v.string(), v.regex(/^0x(?:[0-9a-fA-F]{2})+$/)) })

type Message = Extract<SignRequest, { kind: 'message' }>
type Bytes = Extract<SignRequest, { kind: 'bytes' }>

export function checkedMessage(message: unknown): string {
  const parsed = v.safeParse(messageToSignSchema, message)
  if (parsed.success) {
    refuseProof(parsed.output)
    return parsed.output
  }
  const isEmpty = message === '' || typeof message !== 'string'
  throw new LatchkeyError('invalid_message', isEmpty ? emptyMessage : parsed.issues[0].message)
}

/** Reads a message for an Ethereum wallet. It signs any bytes, because smart accounts request signatures of hashes. */
export function readMessage(
  message: unknown,
): Pick<Message, 'kind' | 'message' | 'chain'> | Pick<Bytes, 'kind' | 'hex'> {
  const parsed = v.safeParse(rawSchema, message)
  const bytes = parsed.success ? encodeMessage(parsed.output.raw) : undefined
  if (bytes === undefined) return { kind: 'message', chain: 'ethereum', message: checkedMessage(message) }
  const text = decodeText(bytes)
  if (text !== undefined) return { kind: 'message', chain: 'ethereum', message: checkedMessage(text) }
  refuseProofIn(bytes)
  return { kind: 'bytes', hex: bytesToHex(bytes) }
}
