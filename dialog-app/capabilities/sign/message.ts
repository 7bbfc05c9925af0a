/** Refuses a message that can not be signed, before anything is shown. */
import { LatchkeyError, messages, messageToSign } from '@latchkey/protocol'
import * as v from 'valibot'
import { refuseProof } from '../../wallet/message.ts'

export function checkMessage(message: unknown): void {
  const parsed = v.safeParse(messageToSign, message)
  if (parsed.success) {
    refuseProof(parsed.output)
    return
  }
  const isEmpty = message === '' || typeof message !== 'string'
  throw new LatchkeyError('invalid_message', isEmpty ? messages.emptyMessage : parsed.issues[0].message)
}
