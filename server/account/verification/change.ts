/** Returns and notifies of changes to the second factors. */
import { invalidVerificationCode, LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { formatTime, notifyOfChange } from '../../identity/new-methods/new-methods.ts'
import { notifyUser } from '../../identity/notices/notices.ts'
import { requireUser } from '../../identity/users/users.ts'
import type { Notice, NoticeContext } from '../../integrations/mail/mail.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import type { Changed, Unchanged } from './enrolment.ts'
import type { Texts } from './texts.arb'
import type { Unverified } from './verification.ts'

const texts = readTexts<Texts>(import.meta.dirname)

/**
 * Creates the mail about an added, replaced or removed second factor. `atSeconds` is the time of an addition, for a
 * mail with a take-back link.
 */
function changeNotice(method: MfaMethodType, change: Changed['change'], atSeconds?: number): Notice {
  return (language) => {
    const { methods, changes, ifNotYou, addedOn, takeBack } = texts(language)
    const { happened, meaning } = changes[change]
    const added = atSeconds === undefined ? '' : `${addedOn({ when: formatTime(language, atSeconds) })} `
    return {
      happened: ({ name }) => happened({ name, method: methods[method] }),
      meaning: added + meaning,
      ifNotYou,
      link: takeBack,
    }
  }
}

type ChangingCall = { caller: WalletToken }

/** Returns the current user. Other sessions receive the change with their next refresh. */
export const renderUser = async ({ caller }: ChangingCall, { db }: ServerContext) => ({
  user: await requireUser(db, caller.appId, caller.userId),
})

export const wrongEnrolmentCode = () => new LatchkeyError('invalid_credentials', invalidVerificationCode)

export async function notifyOfFactorChange(
  outcome: Changed | Unchanged | Unverified,
  call: ChangingCall & NoticeContext & { app: App },
  context: ServerContext,
): Promise<void> {
  if (outcome.type !== 'changed') return
  const { method, change } = outcome
  if (change !== 'added') return notifyUser(call, context, changeNotice(method, change))
  await notifyOfChange(call, context, { kind: 'factor', method }, 'present', (atSeconds) =>
    changeNotice(method, change, atSeconds),
  )
}
