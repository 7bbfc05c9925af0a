/** The HTML layout of a mail: one card, the app's logo, light and dark. Inserted values are escaped. */
import { html, raw } from 'hono/html'
import { getDirection, type Language } from '../../kernel/languages.ts'
import { fillHtml } from '../templates/templates.ts'
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

/** Renders a code in large digits. */
export const codeParagraph = (code: string): Html =>
  html`<p class="code" style="margin:0 0 24px;padding:20px 8px;border-radius:12px;background:#f0f0f3;color:#17171a;text-align:center;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:36px;line-height:44px;font-weight:600;letter-spacing:8px">${code}</p>`

export const textParagraph = (text: Html) =>
  html`<p class="text" style="margin:0 0 16px;font-size:15px;line-height:22px;color:#17171a;overflow-wrap:anywhere">${text}</p>`

const quietParagraph = (text: Html) =>
  html`<p class="quiet" style="margin:12px 0 0;font-size:13px;line-height:20px;color:#5f5f6b;overflow-wrap:anywhere">${text}</p>`

/** Renders the operator's blocks. A block that is only a code has large digits. */
export const blocksHtml = (blocks: string[], values: { app: string; code: string }): Html =>
  html`${blocks.map((block) => (block.trim() === '{{code}}' ? codeParagraph(values.code) : textParagraph(fillHtml(block, values))))}`

/** Renders the operator's blocks below a notice. */
export const closingHtml = (blocks: string[], app: string): Html =>
  html`${blocks.map((block) => quietParagraph(fillHtml(block, { app })))}`

/** Inserts a line above the heading of a rendered mail. All other markup is ours, so the heading is unambiguous. */
export const withBanner = (mail: string, text: string): string =>
  mail.replace('<h1 ', () =>
    html`<p class="code" style="margin:0 0 16px;padding:8px 12px;border-radius:8px;background:#f0f0f3;color:#17171a;font-size:13px;line-height:20px">${text}</p>
<h1 `.toString(),
  )

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
export function mailPage(mail: {
  title: string
  language: Language
  name: string
  logo: Logo
  heading: Html
  body: Html
}): string {
  const direction = getDirection(mail.language)
  // Many mail clients drop the html element, so tables need the direction too.
  const dir = direction === 'rtl' ? raw(' dir="rtl"') : ''
  return html`<!doctype html>
<html lang="${mail.language}" dir="${direction}">
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
<body class="page"${dir} style="margin:0;padding:0;background:#f4f4f6">
<table role="presentation" class="page"${dir} width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f4f6">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card"${dir} width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:440px;background:#ffffff;border:1px solid #e3e3e8;border-radius:16px">
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
}
