/** What is said of a change: to who made it, and by mail to whom it concerns. */
import { invalidVerificationCode, LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { onDay, tellOfChange as tellOfNew } from '../../identity/new-methods/new-methods.ts'
import { tellUser } from '../../identity/notices/notices.ts'
import { requireUser } from '../../identity/users/users.ts'
import type { Notice, NoticeContext } from '../../integrations/mail/mail.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import type { Changed, Unchanged } from './enrolment.ts'
import type { Texts } from './texts.arb'
import type { Unverified } from './verification.ts'

const texts = readTexts<Texts>(import.meta.dirname)

/**
 * The mail about a verification method that came or went: what happened, and what to do if it was somebody else.
 * `atSeconds` is when it came, for a mail that says so and has a link that takes it back.
 */
function changeNotice(method: MfaMethodType, change: Changed['change'], atSeconds?: number): Notice {
  return (language) => {
    const { methods, changes, ifNotYou, addedOn, takeBack } = texts(language)
    const { happened, meaning } = changes[change]
    const added = atSeconds === undefined ? '' : `${addedOn({ when: onDay(language, atSeconds) })} `
    return {
      happened: ({ name }) => happened({ name, method: methods[method] }),
      meaning: added + meaning,
      ifNotYou,
      link: takeBack,
    }
  }
}

type ChangingCall = { caller: WalletToken }

/** The user as they are now, which every session of theirs is told with its next refresh. */
export const changeAnswer = async ({ caller }: ChangingCall, { db }: ServerContext) => ({
  user: await requireUser(db, caller.appId, caller.userId),
})

export const wrongEnrolmentCode = () => new LatchkeyError('invalid_credentials', invalidVerificationCode)

export async function tellOfChange(
  outcome: Changed | Unchanged | Unverified,
  call: ChangingCall & NoticeContext & { app: App },
  context: ServerContext,
): Promise<void> {
  if (outcome.type !== 'changed') return
  const { method, change } = outcome
  if (change !== 'added') return tellUser(call, context, changeNotice(method, change))
  await tellOfNew(call, context, { kind: 'factor', method }, 'present', (atSeconds) =>
    changeNotice(method, change, atSeconds),
  )
}
