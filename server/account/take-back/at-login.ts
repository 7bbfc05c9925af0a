/** Asks a user at login to confirm a security change, if no mail or SMS could be sent. */
import type { LoginNotice, noticeRoutes, RouteOutput } from '@latchkey/protocol/api'
import { recordAudit } from '../../identity/audit/audit.ts'
import { accountName, factorName, readChange } from '../../identity/new-methods/new-methods.ts'
import { type NoticeRow, takeNotice } from '../../identity/notices/notices.ts'
import { endUserSessions } from '../../identity/sessions/sessions.ts'
import { accountById, lockUser } from '../../identity/users/users.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import type { Language } from '../../kernel/languages.ts'
import { type App, nowSeconds } from '../../kernel/ports.ts'
import { type TakenBack, undoChange } from './take-back.ts'

/** Converts a notice for the dialog. Returns undefined if its account no longer exists. */
export async function toLoginNotice(
  { db }: ServerContext,
  language: Language,
  { id, user_id: userId, change: storedChange, created_at: at }: NoticeRow,
): Promise<LoginNotice | undefined> {
  if (storedChange === null) return { id, kind: 'recovered', name: null, at }
  const change = readChange(storedChange)
  if (change.kind === 'factor') return { id, kind: 'factor', name: factorName(language, change.method), at }
  const account = change.added === null ? undefined : await accountById(db, userId, change.added)
  return account && { id, kind: 'account', name: accountName(language, account), at }
}

type Answered = {
  app: App
  caller: DialogToken
  id: string
  isMine: boolean
}
type Outcome = RouteOutput<typeof noticeRoutes.answerNotice>['outcome']

const outcomes: { [outcome in TakenBack]: Outcome } = {
  'taken back': 'taken_back',
  'last way in': 'last_way_in',
  'address of another': 'address_of_another',
  over: 'logged_out',
}

/** Handles the user's response. Denying the change ends every session, even if another device responded first. */
export async function answerNotice(
  context: ServerContext,
  { app, caller, id, isMine }: Answered,
): Promise<{ outcome: Outcome }> {
  const { appId, userId, sessionId } = caller
  const owner = { appId, userId, sessionId }
  return context.transaction(async (trx) => {
    await lockUser(trx, owner)
    const notice = await takeNotice(trx, context, { app, userId, sessionId, id })
    if (notice) {
      await recordAudit(trx, context.clock, {
        ...owner,
        event: 'user.notice_answered',
        details: { kind: notice.change === null ? 'recovered' : 'method', isMine },
      })
    }
    if (isMine) return { outcome: 'acknowledged' }
    if (notice && notice.change !== null) {
      return { outcome: outcomes[await undoChange(trx, context, owner, readChange(notice.change))] }
    }
    await endUserSessions(trx, owner, nowSeconds(context.clock))
    return { outcome: 'logged_out' }
  })
}
