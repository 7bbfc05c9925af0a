/** The mail with a code: what it is for, how long it holds, and what to do if somebody else asked for it. */
import { emailLimits } from '@latchkey/protocol'
import { html } from 'hono/html'
import { type Mail, type MailImage, oneLine } from '../../mail/mail.ts'

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
    html: page({ name, code, validity, ifNotYou, boundCode, logo }),
    images: logo.type === 'attached' ? [logo.image] : [],
    code,
  }
}

type Logo =
  | { readonly type: 'none' }
  | { readonly type: 'linked'; readonly url: string }
  | { readonly type: 'attached'; readonly image: MailImage }

/** Mail apps show no data URL and no SVG. */
const dataImage = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/

function logoOf(url: string | null): Logo {
  if (url === null) return { type: 'none' }
  if (url.startsWith('https://')) return { type: 'linked', url }
  const [, contentType, base64] = dataImage.exec(url) ?? []
  if (contentType === undefined || base64 === undefined) return { type: 'none' }
  return { type: 'attached', image: { cid: 'logo', contentType, bytes: Buffer.from(base64, 'base64') } }
}

/** What is inserted is escaped: what an app calls itself is never markup. */
function logoHtml(logo: Logo, name: string) {
  if (logo.type === 'none') return ''
  const source = logo.type === 'linked' ? logo.url : `cid:${logo.image.cid}`
  return html`<p style="margin:0 0 16px"><img src="${source}" alt="${name}" height="40" style="height:40px;max-width:180px;border:0"></p>`
}

/**
 * Colours are said twice: inline for apps that drop the style sheet, and in it for the dark. Nothing inserted is a
 * promise, so the template is a string at once.
 */
const page = (mail: {
  readonly name: string
  readonly code: string
  readonly validity: string
  readonly ifNotYou: string
  readonly boundCode: string
  readonly logo: Logo
}): string =>
  html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${mail.code} is your ${mail.name} code</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #131316 !important; }
  .card { background: #1d1d21 !important; border-color: #34343a !important; }
  .text { color: #f3f3f5 !important; }
  .quiet { color: #a6a6b0 !important; }
  .code { background: #2a2a30 !important; color: #ffffff !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f4f6">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:440px;background:#ffffff;border:1px solid #e3e3e8;border-radius:16px">
<tr><td style="padding:32px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
${logoHtml(mail.logo, mail.name)}
<h1 class="text" style="margin:0 0 24px;font-size:20px;line-height:28px;font-weight:600;color:#17171a">Your <bdi>${mail.name}</bdi> code</h1>
<p class="code" style="margin:0 0 24px;padding:20px 8px;border-radius:12px;background:#f0f0f3;color:#17171a;text-align:center;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:36px;line-height:44px;font-weight:600;letter-spacing:8px">${mail.code}</p>
<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${mail.validity}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${mail.ifNotYou}</p>
<p class="quiet" style="margin:24px 0 0;font-size:12px;line-height:18px;color:#5f5f6b">${mail.boundCode}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString()
