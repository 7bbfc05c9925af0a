/** The two pages of the window that goes to a provider and comes back. */
import { oauthLimits, product, socialProviders } from '@latchkey/protocol'
import { oneUse } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { ServerContext } from '../../context.ts'
import { type Page, type PageAnswer, type PageCall, page } from '../../http/page.ts'
import { windowCookie, windowFile, windowHeaders, windowPage, windowPolicy } from '../window/window.ts'
import { awaitedFlow, resultOf, sendToProvider, takeAnswer } from './oauth.ts'
import { providers } from './providers.ts'
import type { Flow } from './store.ts'
import { answeredPage } from './window-page.ts'

/** Some providers have the answer posted by a page of theirs, so it must come with posts of other sites. */
const cookie = windowCookie('oauth', 'None')

const start = page({
  site: 'dialog',
  method: 'GET',
  path: '/oauth/start/{handle}',
  openedBy: 'same origin',
  policy: windowPolicy(),
  headers: windowHeaders,
  async answer({ params: { handle = '' }, c }, context): Promise<PageAnswer> {
    if (!v.is(oneUse, handle)) return windowPage(c, 'notStarted')
    const flow = await awaitedFlow(context, handle, oauthLimits.startWaitMs)
    if (!flow) return windowPage(c, 'notStarted')
    const sent = await sendToProvider(context, handle)
    if (!sent) return windowPage(c, 'over')
    cookie.set(c, handle, sent.browser, oauthLimits.flowSeconds)
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
  policy: windowPolicy(),
  headers: windowHeaders,
} as const

async function comeBack(
  { params, c }: Returned,
  returned: Fields,
  context: ServerContext,
): Promise<PageAnswer> {
  if (!v.is(flowProvider, params.provider)) return windowPage(c, 'foreign')
  const taken = await takeAnswer(context, params.provider, new URLSearchParams(returned), (handle) =>
    cookie.read(c, handle),
  )
  if (taken.type !== 'answered') return windowPage(c, pageOf[taken.type])
  const { flow } = taken
  cookie.drop(c, flow.handle)
  if (flow.relay_challenge === null) return { type: 'redirect', to: returnAddress(context, flow) }
  return answeredPage(c, providers[flow.provider].title, resultOf(context, flow))
}

const flowProvider = v.picklist([...socialProviders, 'google-drive'])

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
  windowFile('/oauth/window.js', new URL('./page/', import.meta.url), 'window.js'),
]
