/** The layout and helpers of the pages in login windows. */
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

/** Selects the language from the browser's `accept-language`. */
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

type PageContent = {
  /** The name of the provider or app, if the page has one. */
  name?: string
  script?: Script
  /** The text that the script shows if the opener does not respond. */
  late?: WindowText
  /** The app and origin that sent the user, for a page that requires a confirmation. */
  asks?: { app: Pick<App, 'name'>; origin: string | null }
  /** A button that posts the page, optionally with a field for two digits. */
  form?: 'button' | 'digits'
  /** The reason of a refusal, for developers and support. */
  code?: ErrorCode
}

/** Scripts read their parameters from attributes. The page has no inline script. */
export function windowPage(
  c: Context,
  says: WindowText,
  { name = '', script, late, asks, form, code }: PageContent = {},
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
${form === undefined ? '' : renderForm(form, words.form)}
</div>
${late === undefined ? '' : html`<div data-late hidden><h1>${formatText(words[late].title, { name: '' })}</h1><p>${words[late].text}</p></div>`}`,
      ...(script && { script: html`<script src="${script.src}"${attributes(script.data)}></script>` }),
    }),
  }
}

const renderForm = (form: 'button' | 'digits', { title, text }: Texts['form']) =>
  html`<form method="post">
${form === 'digits' ? html`<label>${text} <input name="digits" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" maxlength="2" required autofocus></label>` : ''}
<button>${title}</button>
</form>`

/** Navigates to another site by a script, because our policy can not allow that site's origin. */
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

/** Headers of pages that keep `window.opener`. */
export const windowHeaders = { 'cross-origin-opener-policy': 'unsafe-none' }

/** The cookie of the browser that was sent on. One per login, so that parallel logins do not conflict. */
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

/** Serves a script or style sheet from this folder. */
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
