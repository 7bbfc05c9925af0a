/** The two pages of the window that goes to a provider and comes back. */

import { oauthLimits, product } from '@latchkey/protocol'
import { type OAuthResult, oneUse } from '@latchkey/protocol/api'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { type Page, type PageAnswer, type PageCall, page } from '../../kernel/http/pages/page.ts'
import {
  findDeparture,
  goingTo,
  type HtmlAnswer,
  prove,
  startPages,
  windowCookie,
  windowFile,
  windowHeaders,
  windowPage,
  windowPolicy,
} from '../window/window.ts'
import { failFlow, findProviderTitle, sendToProvider, takeAnswer, toResult } from './oauth.ts'
import { type Flow, flowProvider } from './store.ts'

/** The message for `window.opener`, if there is one. The dialog also polls the server. */
const toMessage = (result: OAuthResult) => {
  const { response, error } = product.oauthPopup
  return result.status === 'completed'
    ? { type: response, stateCode: result.stateCode, authorizationCode: result.authorizationCode }
    : { type: error, error: result.status === 'failed' ? result.error : 'oauth_unexpected' }
}

const answeredPage = (c: Context, name: string, result: OAuthResult): HtmlAnswer =>
  windowPage(c, result.status === 'completed' ? 'answered' : 'notConnected', {
    name,
    script: { src: '/oauth/window.js', data: { 'data-message': JSON.stringify(toMessage(result)) } },
  })

/** Some providers post the response from their own page, so the cookie must be sent cross-site. */
const cookie = windowCookie('oauth', 'None')

async function toProvider(
  c: Context,
  context: ServerContext,
  { handle, browser }: { handle: string; browser: string },
): Promise<PageAnswer> {
  const sent = await sendToProvider(context, handle)
  if (!sent) return windowPage(c, 'over')
  cookie.set(c, handle, browser, oauthLimits.flowSeconds)
  return goingTo(c, sent.title, sent.url)
}

const starts = startPages({
  purpose: 'oauth',
  path: '/oauth/start/{handle}',
  goOn: toProvider,
  fail: failFlow,
})

/**
 * The start of a full-page redirect. No other page could ask the user: only the dialog's code navigates here, and the
 * operator can require a confirmation.
 */
const departure = {
  site: 'dialog',
  path: '/oauth/redirect/{handle}',
  openedBy: 'same origin',
  policy: windowPolicy("'self'"),
  headers: windowHeaders,
} as const

async function depart(
  { params: { handle = '' }, c }: Returned,
  context: ServerContext,
  isConfirmed: boolean,
): Promise<PageAnswer> {
  const leaving = v.is(oneUse, handle) ? await findDeparture(context, handle) : undefined
  if (!leaving) return windowPage(c, 'notStarted')
  if (leaving.app.login.confirmRedirectLogins && !isConfirmed) {
    const name = await findProviderTitle(context, handle)
    if (name === undefined) return windowPage(c, 'over')
    return windowPage(c, 'departing', { name, asks: leaving, form: 'button' })
  }
  const proved = await prove(context, 'oauth', handle, { departure: true })
  return proved.type === 'proved' ? toProvider(c, context, { handle, ...proved }) : windowPage(c, 'over')
}

type Fields = Readonly<Record<string, string>>
type Returned = Pick<PageCall<unknown, unknown>, 'params' | 'c'>

/** The provider's parameters. Of a repeated one, a single value is read, which then fails the state check. */
const fields = v.record(v.string(), v.string())
const callback = {
  site: 'dialog',
  path: '/oauth/callback/{provider}',
  openedBy: 'anybody',
  policy: windowPolicy(),
  headers: windowHeaders,
} as const

async function comeBack(
  { params, c }: Returned,
  returned: Fields,
  context: ServerContext,
): Promise<PageAnswer> {
  if (!v.is(flowProvider, params.provider)) return windowPage(c, 'foreign', { code: stateMismatch })
  const answer = await takeAnswer(context, params.provider, new URLSearchParams(returned), (handle) =>
    cookie.read(c, handle),
  )
  if (answer.type === 'over') return windowPage(c, 'over')
  if (answer.type !== 'answered') {
    context.log.warn(
      { provider: params.provider, code: stateMismatch, why: answer.type },
      'A callback was refused',
    )
    return windowPage(c, pages[answer.type], { code: stateMismatch })
  }
  const { flow, title } = answer
  cookie.drop(c, flow.handle)
  if (flow.relayChallenge === null) return { type: 'redirect', to: returnAddress(context, flow) }
  return answeredPage(c, title, toResult(context, flow))
}

/** The state is not ours, or belongs to a login in another browser. */
const stateMismatch = 'oauth_state_mismatch'
const pages = { foreign: 'foreign', 'other browser': 'otherBrowser' } as const

/**
 * Returns the redirect URL. The code parameter is `undefined` if the user denied, and `error` if the provider failed.
 */
function returnAddress(context: ServerContext, flow: Flow): string {
  const { oauthCode, oauthState, oauthProvider } = product.query
  const url = new URL(flow.redirectTo)
  const result = toResult(context, flow)
  const failed = flow.failure === 'oauth_user_denied' ? 'undefined' : 'error'
  url.searchParams.set(oauthCode, result.status === 'completed' ? result.authorizationCode : failed)
  url.searchParams.set(oauthState, flow.stateCode)
  url.searchParams.set(oauthProvider, flow.provider)
  return url.href
}

export const oauthPages: readonly Page[] = [
  ...starts,
  page({ ...departure, method: 'GET', answer: (call, context) => depart(call, context, false) }),
  page({ ...departure, method: 'POST', answer: (call, context) => depart(call, context, true) }),
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
  windowFile('/oauth/window.js', new URL('./page/', import.meta.url), 'window.js'),
]
