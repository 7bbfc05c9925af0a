/** Notices about linked and unlinked login methods, so that a session hijacker can not change them silently. */
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { accountName, type Change, formatTime, notifyOfChange } from '../identity/new-methods/new-methods.ts'
import { notifyUser } from '../identity/notices/notices.ts'
import { accountById, type LinkedRow } from '../identity/users/users.ts'
import type { Notice, NoticeContext } from '../integrations/mail/mail.ts'
import type { ServerContext, VerifiedToken } from '../kernel/context.ts'
import type { App } from '../kernel/ports.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)

type Happening = 'linked' | 'unlinked' | 'addressGone' | 'numberGone'
const notice =
  (what: Happening): Notice =>
  (language) => {
    const { ifNotYou, [what]: said } = texts(language)
    return { ...said, ifNotYou }
  }

/** The notice names the added account, if there is one, and has an undo link. */
const noticeWithLink =
  (what: Happening, account?: { type: string; profile: string }) =>
  (atSeconds: number): Notice =>
  (language) => {
    const { addedOn, takeBack } = texts(language)
    const content = notice(what)(language)
    const added =
      account &&
      `${addedOn({ account: accountName(language, account), when: formatTime(language, atSeconds) })} `
    return { ...content, meaning: `${added ?? ''}${content.meaning}`, link: takeBack }
  }

type ChangingCall = NoticeContext & { app: App; caller: VerifiedToken }
/** The fields of an outcome that changed accounts. Other outcomes have none of them. */
type Changed = {
  type: string
  added?: string
  removed?: LinkedRow
}

/**
 * Notifies the remaining contacts, with an undo link. The removed address gets its own mail, because later notices go
 * only to the remaining ones, which may be an attacker's.
 */
export async function tellOfLogins(
  { type, added, removed }: Changed,
  call: ChangingCall,
  context: ServerContext,
): Promise<void> {
  if (type !== 'linked' && type !== 'unlinked') return
  const change: Change = { kind: 'account', added: added ?? null, removed: removed ?? null }
  const gone = removed?.type === 'phone' ? 'numberGone' : 'addressGone'
  if (removed) await notifyOfChange(call, context, change, 'gone', noticeWithLink(gone))
  if (type === 'unlinked') await notifyUser(call, context, notice('unlinked'))
  const account = added === undefined ? undefined : await accountById(context.db, call.caller.userId, added)
  if (account) await notifyOfChange(call, context, change, 'present', noticeWithLink('linked', account))
}
