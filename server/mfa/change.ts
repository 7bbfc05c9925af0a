/** What is said of a change: to who made it, and by mail to whom it concerns. */
import { LatchkeyError, messages } from '@latchkey/protocol'
import type { App } from '../apps/apps.ts'
import type { ServerContext, WalletToken } from '../context.ts'
import { mailer } from '../mail/mail.ts'
import { requireUser } from '../users/users.ts'
import type { Unverified } from '../verification/verification.ts'
import type { Changed, Unchanged } from './enrolment.ts'
import { changeMail } from './mail.ts'

type ChangingCall = { readonly app: App; readonly caller: WalletToken }

/** The user as they are now, which every session of theirs is told with its next refresh. */
export const changeAnswer = async ({ caller }: ChangingCall, { db }: ServerContext) => ({
  user: await requireUser(db, caller.appId, caller.userId),
})

export const wrongEnrolmentCode = () =>
  new LatchkeyError('invalid_credentials', messages.invalidVerificationCode)

/** A change that was made is not undone because of a mail; why none went out is in the log. */
export async function tellOfChange(
  outcome: Changed | Unchanged | Unverified,
  { app, caller }: ChangingCall,
  { ports, log, db }: ServerContext,
): Promise<void> {
  if (outcome.type !== 'changed') return
  const { change, method } = outcome
  const { linkedAccounts } = await requireUser(db, caller.appId, caller.userId)
  for (const account of linkedAccounts) {
    if (account.type !== 'email') continue
    try {
      await mailer.on(ports).send(changeMail({ to: account.address, app, change, method }))
    } catch (error) {
      log.error({ err: error }, 'A mail about a change of verification methods was not sent')
    }
  }
}
