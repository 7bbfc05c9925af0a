/** What is said of a change: to who made it, and by mail to whom it concerns. */
import { invalidVerificationCode, LatchkeyError } from '@latchkey/protocol'
import type { ServerContext, WalletToken } from '../context.ts'
import type { Telling } from '../mail/mail.ts'
import { tellOfChange as tellOfNew } from '../new-methods/new-methods.ts'
import { tellUser } from '../notices/notices.ts'
import type { App } from '../ports.ts'
import { requireUser } from '../users/users.ts'
import type { Unverified } from '../verification/verification.ts'
import type { Changed, Unchanged } from './enrolment.ts'
import { changeNotice } from './mail.ts'

type ChangingCall = { readonly caller: WalletToken }

/** The user as they are now, which every session of theirs is told with its next refresh. */
export const changeAnswer = async ({ caller }: ChangingCall, { db }: ServerContext) => ({
  user: await requireUser(db, caller.appId, caller.userId),
})

export const wrongEnrolmentCode = () => new LatchkeyError('invalid_credentials', invalidVerificationCode)

export async function tellOfChange(
  outcome: Changed | Unchanged | Unverified,
  call: ChangingCall & Telling & { readonly app: App },
  context: ServerContext,
): Promise<void> {
  if (outcome.type !== 'changed') return
  const { method, change } = outcome
  if (change !== 'added') return tellUser(call, context, changeNotice(method, change))
  await tellOfNew(call, context, { kind: 'factor', method }, 'present', (atSeconds) =>
    changeNotice(method, change, atSeconds),
  )
}
