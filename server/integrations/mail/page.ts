/** The HTML layout of a mail: one card, the app's logo, light and dark. Inserted values are escaped. */
import { html } from 'hono/html'
import { getDirection, type Language } from '../../kernel/languages.ts'
import type { MailImage } from './mailer.ts'

type Html = ReturnType<typeof html>

export type Logo = { type: 'none' } | { type: 'linked'; url: string } | { type: 'attached'; image: MailImage }

/** Mail clients display neither SVG nor data URLs, so raster images are attached instead. */
const dataImage = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/

/** Converts a logo setting, which is an https URL or an image data URL. */
export function parseLogo(url: string | null): Logo {
  if (url === null) return { type: 'none' }
  if (url.startsWith('https://')) return { type: 'linked', url }
  const [, contentType, base64] = dataImage.exec(url) ?? []
  if (contentType === undefined || base64 === undefined) return { type: 'none' }
  return { type: 'attached', image: { cid: 'logo', contentType, bytes: Buffer.from(base64, 'base64') } }
}

export const attachedImages = (logo: Logo): readonly MailImage[] =>
  logo.type === 'attached' ? [logo.image] : []

/** Renders the logo. The app's name is escaped. */
function logoHtml(logo: Logo, name: string) {
  if (logo.type === 'none') return ''
  const source = logo.type === 'linked' ? logo.url : `cid:${logo.image.cid}`
  return html`<p style="margin:0 0 16px"><img src="${source}" alt="${name}" height="40" style="height:40px;max-width:180px;border:0"></p>`
}

/**
 * Renders the mail. Colours appear inline for clients that drop style sheets, and in the style sheet for dark mode. No
 * inserted value is a promise, so the template converts to a string synchronously.
 */
export const mailPage = (mail: {
  title: string
  language: Language
  name: string
  logo: Logo
  heading: Html
  body: Html
}): string =>
  html`<!doctype html>
<html lang="${mail.language}" dir="${getDirection(mail.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${mail.title}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #131316 !important; }
  .card { background: #1d1d21 !important; border-color: #34343a !important; }
  .text { color: #f3f3f5 !important; }
  .quiet { color: #a6a6b0 !important; }
  .link { background: #f3f3f5 !important; color: #17171a !important; }
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
<h1 class="text" style="margin:0 0 24px;font-size:20px;line-height:28px;font-weight:600;color:#17171a">${mail.heading}</h1>
${mail.body}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString()
