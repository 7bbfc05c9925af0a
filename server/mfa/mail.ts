/** The mail about a verification method that came or went: what happened, and what to do if it was somebody else. */
import type { MfaMethodType } from '@latchkey/protocol'
import { html } from 'hono/html'
import { imagesOf, logoOf, type Mail, mailPage, oneLine } from '../mail/mail.ts'
import type { Changed } from './enrolment.ts'

type ChangeMail = {
  readonly to: string
  readonly app: { readonly name: string; readonly config: { readonly logoUrl: string | null } }
  readonly change: Changed['change']
  readonly method: MfaMethodType
}

const names = {
  totp: 'An authenticator app',
  sms: 'Verification by SMS',
  passkey: 'Verification with a passkey',
} as const satisfies Record<MfaMethodType, string>

const changes = {
  added: { verb: 'added', where: 'to', meaning: 'From now on it is asked for when your wallet is used.' },
  removed: { verb: 'removed', where: 'from', meaning: 'It is no longer asked for when your wallet is used.' },
  replaced: {
    verb: 'changed',
    where: 'on',
    meaning: 'The passkeys that are asked for when your wallet is used are others now.',
  },
} as const

export function changeMail({ to, app, change, method }: ChangeMail): Mail {
  const name = oneLine(app.name)
  const { verb, where, meaning } = changes[change]
  const what = `${names[method]} was ${verb}`
  const subject = `${what} ${where} your ${name} account`
  const ifNotYou = `If this was not you, somebody else is using your account: log out everywhere, check your verification methods, and write to ${name}.`
  const logo = logoOf(app.config.logoUrl)
  return {
    to,
    subject,
    text: [`${subject}.`, meaning, ifNotYou].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      name,
      logo,
      heading: html`${what} ${where} your <bdi>${name}</bdi> account`,
      body: html`<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${meaning}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>`,
    }),
    images: imagesOf(logo),
  }
}
