/** Mails users about logins on devices that are new to the account. The mail never contains an IP address. */
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { findFixedCode } from '../../identity/apps/apps.ts'
import { formatTime } from '../../identity/new-methods/new-methods.ts'
import { noticeLimits } from '../../identity/notices/notices.ts'
import { findAccountContacts } from '../../identity/users/users.ts'
import { type Notice, sendNotice } from '../../integrations/mail/mail.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import { backgroundTasks } from '../../kernel/background-tasks.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { ProvenBrowser } from '../../kernel/http/endpoint.ts'
import type { UserAgentNames } from '../../kernel/http/user-agent.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)

export const newDeviceNotice =
  (names: UserAgentNames, atSeconds: number): Notice =>
  (language) => {
    const { browserOnSystem, unknown, meaning, happened, ifNotYou } = texts(language)
    const { browser, device: system = names.system } = names
    const device = browser && system ? browserOnSystem({ browser, system }) : (browser ?? system ?? unknown)
    return { happened, meaning: meaning({ device, when: formatTime(language, atSeconds) }), ifNotYou }
  }

/** Sends the mail in the background after the commit, so that a login neither waits for it nor fails with it. */
export function mailNewDevice(
  trx: Trx,
  context: ServerContext,
  user: { appId: string; userId: string },
  { names = {}, language = 'en' }: ProvenBrowser,
): void {
  const { apps, clock, db, ports } = context
  const at = nowSeconds(clock)
  const send = async () => {
    const app = await apps.find(user.appId)
    if (!app?.login.newDeviceMails) return
    const contacts = await findAccountContacts(db, user.userId)
    const addresses = contacts.flatMap(({ by, to }) => (by === 'mail' ? to : []))
    // Test accounts receive no codes, and no notices of logins either.
    const mailboxes = [...new Set(addresses)].filter((to) => findFixedCode(app, to) === undefined)
    if (mailboxes.length === 0) return
    const key = ['new-device-mail', user.appId, user.userId].join('\n')
    const quotas = [noticeLimits.deviceMails]
    const { allowed } = await consume(db, { key, quotas, nowSeconds: at })
    if (allowed) await sendNotice(context, mailboxes, { app, language }, newDeviceNotice(names, at))
  }
  afterCommit(trx, () => backgroundTasks.get(ports).start('mail about a new device', send))
}
