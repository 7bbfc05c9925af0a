/** The OpenID provider endpoints, and the form target that finishes an authorization. */

import { IncomingMessage, ServerResponse } from 'node:http'
import { appId as appIdSchema, LatchkeyError } from '@latchkey/protocol'
import { type CrossAppScope, oneUse } from '@latchkey/protocol/api'
import { getCookie } from 'hono/cookie'
import * as v from 'valibot'
import { notifyUser } from '../../identity/notices/notices.ts'
import { type Notice, oneLine } from '../../integrations/mail/mail.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { type Page, type PageCall, page } from '../../kernel/http/pages/page.ts'
import { type Language, negotiateLanguage } from '../../kernel/languages.ts'
import type { App } from '../../kernel/ports.ts'
import { finish } from './authorizations.ts'
import { browserCookieName } from './openid/browser.ts'
import { errorPage, goingPage, plainPolicy } from './openid/error-page.ts'
import { assertProvider, getIssuer, notProvider } from './openid/issuer.ts'
import { texts } from './texts.ts'

type ConnectionNotice = {
  userId: string
  sessionId: string
  language: Language
  requester: { name: string; origin: string }
  scopes: readonly CrossAppScope[]
}

function toNotice({ requester, scopes }: Pick<ConnectionNotice, 'requester' | 'scopes'>): Notice {
  const who = `${oneLine(requester.name)} (${requester.origin})`
  const [sign, send] = [scopes.includes('wallet.sign'), scopes.includes('wallet.send')]
  const may = sign ? (send ? 'all' : 'sign') : send ? 'send' : 'read'
  return (language) => {
    const { happened, meaning, ifNotYou } = texts(language).connected
    return { happened, meaning: meaning({ who, may }), ifNotYou }
  }
}

/** Notifies the user of a new connection, or of one with extended rights. */
async function tellOfConnection(context: ServerContext, app: App, told: ConnectionNotice): Promise<void> {
  const { userId, sessionId, language } = told
  try {
    await notifyUser({ app, language, caller: { userId, sessionId } }, context, toNotice(told))
  } catch (error) {
    context.log.error({ error }, 'The mail about a connected app was not sent')
  }
}

type Called = Pick<PageCall<unknown, unknown>, 'params' | 'c'>

/** Returns the provider app, or throws if it is none or the host is not its issuer's. */
export async function providerApp({ params, c }: Called, { apps, config }: ServerContext): Promise<App> {
  const { appId } = params
  const app = v.is(appIdSchema, appId) ? await apps.find(appId) : undefined
  if (!app) throw notProvider()
  assertProvider(app)
  if (c.req.header('host')?.toLowerCase() !== new URL(getIssuer(config, app)).host) throw notProvider()
  return app
}

const byOpenid = (method: Page['method'], path: `/${string}`, paced?: Page['paced']): Page =>
  page({
    ...(paced && { paced }),
    site: 'any',
    method,
    path: `/apps/{appId}/openid${path}`,
    openedBy: 'anybody',
    async answer(call, context) {
      const app = await providerApp(call, context)
      const { incoming, outgoing } = call.c.env
      if (!(incoming instanceof IncomingMessage && outgoing instanceof ServerResponse)) {
        throw new LatchkeyError('not_supported', 'The OpenID provider requires a Node.js socket')
      }
      // Loaded on demand: the libraries are large, and only providers need them.
      const { answerOpenid } = await import('./openid/openid.ts')
      await answerOpenid(context, app, incoming, outgoing)
      return { type: 'answered' }
    },
  })

const secretForm = v.object({ secret: v.optional(v.string(), '') })

export const providerPages: readonly Page[] = [
  byOpenid('GET', '/.well-known/openid-configuration'),
  byOpenid('OPTIONS', '/.well-known/openid-configuration'),
  byOpenid('GET', '/.well-known/oauth-authorization-server'),
  byOpenid('OPTIONS', '/.well-known/oauth-authorization-server'),
  // These insert rows, so they are rate limited like changes.
  byOpenid('GET', '/auth', 'changes'),
  byOpenid('GET', '/auth/{uid}', 'changes'),
  byOpenid('POST', '/token'),
  byOpenid('OPTIONS', '/token'),
  byOpenid('POST', '/token/revocation'),
  byOpenid('OPTIONS', '/token/revocation'),
  byOpenid('POST', '/token/introspection'),

  // Contains the whole keyring, including the previous and the next key.
  page({
    site: 'any',
    method: 'GET',
    path: '/apps/{appId}/openid/jwks',
    openedBy: 'anybody',
    headers: { 'access-control-allow-origin': '*' },
    async answer(call, context) {
      await providerApp(call, context)
      return { type: 'json', value: await context.keyring.publicJwks() }
    },
  }),

  page({
    site: 'any',
    method: 'POST',
    path: '/apps/{appId}/openid/interaction/{interaction}/finish',
    openedBy: 'anybody',
    policy: plainPolicy,
    form: secretForm,
    async answer({ params, form: { secret }, c }, context) {
      const app = await providerApp({ params, c }, context)
      const { interaction = '' } = params
      const language = negotiateLanguage(c.req.header('accept-language'))
      const browser = getCookie(c, browserCookieName(interaction))
      if (browser === undefined) {
        return { type: 'html', status: 403, html: errorPage(language, 'otherBrowser', 'access_denied') }
      }
      const finished = v.is(oneUse, secret)
        ? await context.transaction((trx) =>
            finish(trx, context, { appId: app.id, interaction, browser, secret }),
          )
        : undefined
      if (!finished)
        return { type: 'html', status: 400, html: errorPage(language, 'over', 'invalid_request') }
      // Not awaited: the user continues at once, and a failure is logged.
      if (finished.told) void tellOfConnection(context, app, finished.told)
      return { type: 'html', html: goingPage(language, finished.resumeAt) }
    },
  }),
]
