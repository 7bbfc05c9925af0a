/** The two pages of the window that goes to a provider and comes back. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { oauthLimits, product } from '@latchkey/protocol'
import { socialProvider } from '@latchkey/protocol/api'
import { getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import * as v from 'valibot'
import type { ServerContext } from '../../context.ts'
import { type Page, type PageAnswer, type PageCall, page } from '../../http/page.ts'
import { awaitedFlow, resultOf, sendToProvider, takeAnswer } from './oauth.ts'
import { providers } from './providers.ts'
import type { Flow } from './store.ts'
import { windowPage } from './window-page.ts'

/** One a login, so that two windows at once do not lose each other's. */
const cookieOf = (handle: string) =>
  `__Host-${product.key}-oauth-${createHash('sha256').update(handle).digest('base64url').slice(0, 16)}`

/** Some providers have the answer posted by a page of theirs, so it must come with posts of other sites. */
const cookie = { path: '/', secure: true, httpOnly: true, sameSite: 'None' } as const satisfies CookieOptions

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
/** What it says may go by `window.opener`. */
const headers = { 'cross-origin-opener-policy': 'unsafe-none' }

const start = page({
  site: 'dialog',
  method: 'GET',
  path: '/oauth/start/{handle}',
  openedBy: 'same origin',
  policy,
  headers,
  async answer({ params: { handle = '' }, c }, context): Promise<PageAnswer> {
    const flow = await awaitedFlow(context, handle, oauthLimits.startWaitMs)
    if (!flow) return windowPage.notStarted
    const sent = await sendToProvider(context, handle)
    if (!sent) return windowPage.over
    setCookie(c, cookieOf(handle), sent.browser, { ...cookie, maxAge: oauthLimits.flowSeconds })
    return { type: 'redirect', to: sent.url }
  },
})

type Fields = Readonly<Record<string, string>>
type Returned = Pick<PageCall<unknown, unknown>, 'params' | 'c'>

/** The provider's own names; a field that came twice is read once, which the state of another does not survive. */
const fields = v.record(v.string(), v.string())
const callback = {
  site: 'dialog',
  path: '/oauth/callback/{provider}',
  openedBy: 'anybody',
  policy,
  headers,
} as const

async function comeBack(
  { params, c }: Returned,
  returned: Fields,
  context: ServerContext,
): Promise<PageAnswer> {
  if (!v.is(socialProvider, params.provider)) return windowPage.foreign
  const taken = await takeAnswer(context, params.provider, new URLSearchParams(returned), (handle) =>
    getCookie(c, cookieOf(handle)),
  )
  if (taken.type !== 'answered') return windowPage[pageOf[taken.type]]
  const { flow } = taken
  setCookie(c, cookieOf(flow.handle), '', { ...cookie, maxAge: 0 })
  if (flow.relay_challenge === null) return { type: 'redirect', to: returnAddress(context, flow) }
  return windowPage.answered(providers[flow.provider].title, resultOf(context, flow))
}

const pageOf = { foreign: 'foreign', 'other browser': 'otherBrowser', over: 'over' } as const

/** A code that says `undefined` was denied by its person, one that says `error` by the provider. */
function returnAddress(context: ServerContext, flow: Flow): string {
  const { oauthCode, oauthState, oauthProvider } = product.query
  const url = new URL(flow.redirect_to)
  const result = resultOf(context, flow)
  const failed = flow.failure === 'oauth_user_denied' ? 'undefined' : 'error'
  url.searchParams.set(oauthCode, result.status === 'completed' ? result.authorizationCode : failed)
  url.searchParams.set(oauthState, flow.state_code)
  url.searchParams.set(oauthProvider, flow.provider)
  return url.href
}

const file = (path: `/${string}`, name: string, mediaType: 'text/javascript' | 'text/css'): Page => {
  const text = readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')
  return page({
    site: 'dialog',
    method: 'GET',
    path,
    openedBy: 'anybody',
    answer: () => ({ type: 'file', mediaType, text }),
  })
}

export const oauthPages: readonly Page[] = [
  start,
  page({
    ...callback,
    method: 'GET',
    query: fields,
    answer: (call, context) => comeBack(call, call.query, context),
  }),
  page({
    ...callback,
    method: 'POST',
    form: fields,
    answer: (call, context) => comeBack(call, call.form, context),
  }),
  file('/oauth/window.js', 'window.js', 'text/javascript'),
  file('/oauth/window.css', 'window.css', 'text/css'),
]
