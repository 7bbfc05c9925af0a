/** Refuses a message that can not be signed, before anything is shown. */
import { LatchkeyError, messageToSign } from '@latchkey/protocol'
import * as v from 'valibot'
import { refuseProof } from '../../wallet/message.ts'

const emptyMessage = 'Message must be a non-empty string'

export function checkedMessage(message: unknown): string {
  const parsed = v.safeParse(messageToSign, message)
  if (parsed.success) {
    refuseProof(parsed.output)
    return parsed.output
  }
  const isEmpty = message === '' || typeof message !== 'string'
  throw new LatchkeyError('invalid_message', isEmpty ? emptyMessage : parsed.issues[0].message)
}
