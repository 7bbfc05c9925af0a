/**
 * Notifies a user about account changes: by mail, else by SMS, else at the next login. A channel succeeds once a
 * settled contact accepted the notice. New contacts are notified too, because they may be the user's own.
 */

import {
  messageHook,
  type Notice,
  type NoticeContext,
  noticeText,
  sendNotice,
} from '../../integrations/mail/mail.ts'
import { parsePhoneNumber, smsTexter } from '../../integrations/sms/sms.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import type { Contact } from '../users/users.ts'
import { createSettledCheck, findContacts, noticeChannels } from './contacts.ts'
import { noticeLimits } from './limits.ts'
import { type NewNotice, storeNotice } from './store.ts'

export type NoticeCall = Omit<NoticeContext, 'app'> & {
  app: NoticeContext['app'] & { login: { newMethodHours: number } }
  caller: { userId: string; sessionId: string }
}

type Notification = {
  notice: Notice
  contacts: readonly Contact[]
  isSettled: (contact: Contact) => boolean
  /**
   * Creates the link. Only settled contacts receive it: an attacker's new contact could otherwise undo the user's
   * defence.
   */
  link?: () => Promise<string>
}

/** Notifies a user. If no contact accepted the notice and `keep` is set, it is shown at the next login. */
export async function notifyUser(
  call: NoticeCall,
  context: ServerContext,
  notice: Notice,
  keep?: NewNotice['about'],
): Promise<void> {
  const { app, caller } = call
  const contacts = await findContacts(context.db, caller.userId)
  const isSettled = await createSettledCheck(context.db, {
    userId: caller.userId,
    newMethodHours: app.login.newMethodHours,
    nowSeconds: nowSeconds(context.clock),
  })
  const isNotified = await notifyContacts(call, context, { notice, contacts, isSettled })
  if (!isNotified && keep) await storeNoticeFor(call, context, keep)
}

export async function storeNoticeFor(
  { app, caller }: NoticeCall,
  { clock, transaction }: ServerContext,
  about: NewNotice['about'],
): Promise<void> {
  const { userId, sessionId } = caller
  await transaction((trx) =>
    storeNotice(trx, { appId: app.id, userId, sessionId, about, nowSeconds: nowSeconds(clock) }),
  )
}

/** Sends a notice to the contacts. Returns whether a settled contact accepted it. */
export async function notifyContacts(
  call: NoticeCall,
  context: ServerContext,
  { notice, contacts, isSettled, link }: Notification,
): Promise<boolean> {
  for (const channel of noticeChannels) {
    const contactsOfChannel = contacts.filter(({ by }) => by === channel)
    const settled = contactsOfChannel.filter(isSettled)
    const url = settled.length > 0 ? await link?.() : undefined
    const isAccepted = await send[channel](call, context, settled, notice, url)
    const fresh = contactsOfChannel.filter((each) => !isSettled(each))
    await send[channel](call, context, fresh, notice, undefined)
    if (isAccepted) return true
  }
  return false
}

type Send = (
  call: NoticeCall,
  context: ServerContext,
  to: readonly Contact[],
  notice: Notice,
  link: string | undefined,
) => Promise<boolean>

const getRecipients = (to: readonly Contact[]) => [...new Set(to.map(({ to }) => to))]

const send: { readonly [way in Contact['by']]: Send } = {
  mail: (call, context, to, notice, link) => sendNotice(context, getRecipients(to), call, notice, link),

  /** Limited to ten texts per user and day, because each costs money. Further notices are shown at the next login. */
  async sms({ caller, ...telling }, context, to, notice, link) {
    const { ports, db, clock, log } = context
    const texter = smsTexter.get(ports)
    if (!texter) return false
    let isTaken = false
    for (const number of getRecipients(to)) {
      const { allowed } = await consume(db, {
        key: ['notice-sms', telling.app.id, caller.userId].join('\n'),
        quotas: [noticeLimits.texts],
        nowSeconds: nowSeconds(clock),
      })
      if (!allowed) return isTaken
      const { e164 } = parsePhoneNumber(number)
      const text = noticeText(telling, notice, link)
      const { app, language } = telling
      const message = { kind: 'notice', channel: 'sms', language, to: e164, text } as const
      if (await messageHook.get(ports)(context, app.id, message)) {
        isTaken = true
        continue
      }
      const sending = await texter.send({ e164, text })
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
