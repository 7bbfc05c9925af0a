/**
 * Tells a user what happened to their account: by mail, else by SMS, else at their next login. A way counts once a
 * contact took it that is no new one; contacts that are new are told too, since their owner may be the user.
 */

import { type Notice, type NoticeContext, noticeText, sendNotice } from '../../integrations/mail/mail.ts'
import { parsePhoneNumber, smsTexter } from '../../integrations/sms/sms.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import type { Contact } from '../users/users.ts'
import { contactsOf, settledContacts, waysToTell } from './contacts.ts'
import { noticeLimits } from './limits.ts'
import { type Kept, keepNotice } from './store.ts'

export type TellingCall = Omit<NoticeContext, 'app'> & {
  app: NoticeContext['app'] & { id: string; login: { newMethodHours: number } }
  caller: { userId: string; sessionId: string }
}

type Told = {
  notice: Notice
  contacts: readonly Contact[]
  isSettled: (contact: Contact) => boolean
  /**
   * Settled contacts alone get the link: whoever has just added a contact could undo with it what the user does against
   * them.
   */
  link?: () => Promise<string>
}

/** What nobody reads of at their contacts is read at the next login, where it is of the kind that is kept. */
export async function tellUser(
  call: TellingCall,
  context: ServerContext,
  notice: Notice,
  keep?: Kept['about'],
): Promise<void> {
  const { app, caller } = call
  const contacts = await contactsOf(context.db, caller.userId)
  const isSettled = await settledContacts(context.db, {
    userId: caller.userId,
    newMethodHours: app.login.newMethodHours,
    nowSeconds: nowSeconds(context.clock),
  })
  const isTold = await tellAt(call, context, { notice, contacts, isSettled })
  if (!isTold && keep) await keepFor(call, context, keep)
}

export async function keepFor(
  { app, caller }: TellingCall,
  { clock, transaction }: ServerContext,
  about: Kept['about'],
): Promise<void> {
  const { userId, sessionId } = caller
  await transaction((trx) =>
    keepNotice(trx, { appId: app.id, userId, sessionId, about, nowSeconds: nowSeconds(clock) }),
  )
}

/** True once somebody took it who counts. */
export async function tellAt(
  call: TellingCall,
  context: ServerContext,
  { notice, contacts, isSettled, link }: Told,
): Promise<boolean> {
  for (const way of waysToTell) {
    const those = contacts.filter(({ by }) => by === way)
    const settled = those.filter(isSettled)
    const url = settled.length > 0 ? await link?.() : undefined
    const isTaken = await send[way](call, context, settled, notice, url)
    const fresh = those.filter((each) => !isSettled(each))
    await send[way](call, context, fresh, notice, undefined)
    if (isTaken) return true
  }
  return false
}

type Send = (
  call: TellingCall,
  context: ServerContext,
  to: readonly Contact[],
  notice: Notice,
  link: string | undefined,
) => Promise<boolean>

const addressesIn = (to: readonly Contact[]) => [...new Set(to.map(({ to }) => to))]

const send: { readonly [way in Contact['by']]: Send } = {
  mail: (call, context, to, notice, link) => sendNotice(context, addressesIn(to), call, notice, link),

  /** Somebody is paid for each: what a session does in a loop is told ten times a day, and kept from then on. */
  async sms({ caller, ...telling }, { ports, db, clock, log }, to, notice, link) {
    const texter = smsTexter.get(ports)
    if (!texter) return false
    let isTaken = false
    for (const number of addressesIn(to)) {
      const { allowed } = await consume(db, {
        key: ['notice-sms', telling.app.id, caller.userId].join('\n'),
        quotas: [noticeLimits.texts],
        nowSeconds: nowSeconds(clock),
      })
      if (!allowed) return isTaken
      const { e164 } = parsePhoneNumber(number)
      const sending = await texter.send({ e164, text: noticeText(telling, notice, link) })
      if (sending.type === 'sent') isTaken = true
      else
        log.error(
          { refusal: sending, notice: notice('en').happened({ name: telling.app.name }) },
          'A text about an account was not sent',
        )
    }
    return isTaken
  },
}
