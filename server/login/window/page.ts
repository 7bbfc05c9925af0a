/** What the pages of a window have in common that goes to somebody else and comes back. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ErrorCode, product } from '@latchkey/protocol'
import { formatText } from '@latchkey/protocol/texts'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { CookieOptions } from 'hono/utils/cookie'
import type { App } from '../../identity/apps/apps.ts'
import { type Page, type PageAnswer, page } from '../../kernel/http/pages/page.ts'
import { renderSimplePage } from '../../kernel/http/pages/simple-page.ts'
import { type Language, negotiateLanguage } from '../../kernel/languages.ts'
import type { Texts } from './texts.arb'

/** Its browser says which language its person reads. */
const texts = readTexts<Texts>(import.meta.dirname)
export type WindowText = keyof Texts

export type HtmlAnswer = Extract<PageAnswer, { type: 'html' }>
type Script = { src: `/${string}`; data: Readonly<Record<`data-${string}`, string>> }

const statuses: { [Text in WindowText]?: HtmlAnswer['status'] } = {
  notStarted: 404,
  over: 400,
  foreign: 400,
  otherBrowser: 403,
  cutOff: 404,
  wrongDigits: 400,
}

type Said = {
  /** Whom it is about, where it is about somebody. */
  name?: string
  script?: Script
  /** What stands there instead once the script found nobody. */
  late?: WindowText
  /** Who sent the person here, for a page that asks whether they are to go on. */
  asks?: { app: Pick<App, 'name'>; origin: string | null }
  /** It has a button, which posts the page; and a field for two digits, where they are asked for. */
  form?: 'button' | 'digits'
  /** Why it refuses, for who develops or supports an app. */
  code?: ErrorCode
}

/** A script is told what it needs by its attributes; there is none in the page itself. */
export function windowPage(
  c: Context,
  says: WindowText,
  { name = '', script, late, asks, form, code }: Said = {},
): HtmlAnswer {
  const language = windowLanguage(c)
  const words = texts(language)
  const { text } = words[says]
  const title = formatText(words[says].title, { name })
  const status = statuses[says]
  return {
    type: 'html',
    ...(status && { status }),
    html: renderSimplePage(language, {
      title,
      code,
      body: html`<div data-early>
<h1>${title}</h1>
${asks ? html`<p class="asks"><bdi>${asks.app.name}</bdi> <bdi>${asks.origin ?? ''}</bdi></p>` : ''}
<p>${text}</p>
${form === undefined ? '' : formOf(form, words.form)}
</div>
${late === undefined ? '' : html`<div data-late hidden><h1>${formatText(words[late].title, { name: '' })}</h1><p>${words[late].text}</p></div>`}`,
      ...(script && { script: html`<script src="${script.src}"${attributes(script.data)}></script>` }),
    }),
  }
}

const formOf = (form: 'button' | 'digits', { title, text }: Texts['form']) =>
  html`<form method="post">
${form === 'digits' ? html`<label>${text} <input name="digits" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" maxlength="2" required autofocus></label>` : ''}
<button>${title}</button>
</form>`

/** Goes on to a page of another site by a script, because that site's origin may stand in no policy of ours. */
export const goingTo = (c: Context, name: string, address: string): HtmlAnswer =>
  windowPage(c, 'going', { name, script: { src: '/login/window-go.js', data: { 'data-to': address } } })

export const windowLanguage = (c: Context): Language => negotiateLanguage(c.req.header('accept-language'))

const attributes = (data: Script['data']) =>
  Object.entries(data).map(([name, value]) => html` ${name}="${value}"`)

export const windowPolicy = (formAction: "'none'" | "'self'" = "'none'"): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** What it says may go by `window.opener`. */
export const windowHeaders = { 'cross-origin-opener-policy': 'unsafe-none' }

/** What the browser is known by that was sent away; one a login, so that two at once do not lose each other's. */
export function windowCookie(method: string, sameSite: 'None' | 'Strict') {
  const options = { path: '/', secure: true, httpOnly: true, sameSite } as const satisfies CookieOptions
  const nameFor = (handle: string) =>
    `__Host-${product.key}-${method}-${createHash('sha256').update(handle).digest('base64url').slice(0, 16)}`
  return {
    read: (c: Context, handle: string) => getCookie(c, nameFor(handle)),
    set: (c: Context, handle: string, secret: string, maxAge: number) =>
      setCookie(c, nameFor(handle), secret, { ...options, maxAge }),
    drop: (c: Context, handle: string) => setCookie(c, nameFor(handle), '', { ...options, maxAge: 0 }),
  }
}

const mediaTypes = { js: 'text/javascript', css: 'text/css' } as const

/** A script or the styles of a window, as they lie in this folder. */
export const windowFile = (
  path: `/${string}`,
  folder: URL,
  name: `${string}.${keyof typeof mediaTypes}`,
  site: 'dialog' | 'wallet' | 'any' = 'dialog',
): Page => {
  const text = readFileSync(new URL(name, folder), 'utf8')
  const mediaType = name.endsWith('.css') ? mediaTypes.css : mediaTypes.js
  return page({
    site,
    method: 'GET',
    path,
    openedBy: 'anybody',
    answer: () => ({ type: 'file', mediaType, text }),
  })
}
