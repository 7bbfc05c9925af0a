/** The mail with a code: what it is for, how long it holds, and what to do if somebody else asked for it. */
import { emailLimits } from '@latchkey/protocol'
import { html } from 'hono/html'
import { imagesOf, logoOf, type Mail, mailPage, oneLine } from '../../mail/mail.ts'

export type LoginCodeMail = {
  readonly to: string
  readonly code: string
  readonly app: {
    readonly name: string
    /** An https address, or a data URL of an image. */
    readonly logoUrl: string | null
  }
  /** Only a page of this host should take the code. */
  readonly dialogOrigin: string
}

const minutes = emailLimits.codeSeconds / 60

export function loginCodeMail({ to, code, app, dialogOrigin }: LoginCodeMail): Mail {
  const name = oneLine(app.name)
  const validity = `This code is valid for ${minutes} minutes and can be used once.`
  const ifNotYou = `If you did not ask for it, you can ignore this e-mail: nobody can log in without the code. Never give it to anybody, not even to somebody who says they are from ${name}.`
  // Mail apps that fill in codes take it only on a page of this host: https://github.com/WICG/sms-one-time-codes
  const boundCode = `@${new URL(dialogOrigin).hostname} #${code}`
  const logo = logoOf(app.logoUrl)
  return {
    to,
    subject: `${code} is your ${name} code`,
    text: [`Your ${name} code is:`, code, validity, ifNotYou, boundCode].join('\n\n').concat('\n'),
    html: mailPage({
      title: `${code} is your ${name} code`,
      name,
      logo,
      heading: html`Your <bdi>${name}</bdi> code`,
      body: html`<p class="code" style="margin:0 0 24px;padding:20px 8px;border-radius:12px;background:#f0f0f3;color:#17171a;text-align:center;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:36px;line-height:44px;font-weight:600;letter-spacing:8px">${code}</p>
<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${validity}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>
<p class="quiet" style="margin:24px 0 0;font-size:12px;line-height:18px;color:#5f5f6b">${boundCode}</p>`,
    }),
    images: imagesOf(logo),
    code,
  }
}
