/** A user with a wallet, connected apps, and the cross-app page that answers them. */

import { randomBytes } from 'node:crypto'
import type { CrossAppScope } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Fields, setFields } from '../../../../identity/apps/manage.ts'
import { createGrantTokens } from '../../../../identity/sessions/grant.ts'
import { startSession } from '../../../../identity/sessions/sessions.ts'
import { type BrowserKey, browserKey } from '../../../../identity/sessions/testing/browser-key.ts'
import { chains } from '../../../../integrations/chains/chains.ts'
import { createRpcChains } from '../../../../integrations/chains/rpc-chains.ts'
import { prices } from '../../../../integrations/prices/prices.ts'
import type { Database } from '../../../../kernel/db/database.ts'
import { nowSeconds } from '../../../../kernel/ports.ts'
import { appFixture } from '../../../../testing/fixture.ts'
import { allow, findActiveRow } from '../../connections.ts'
import { putRecord } from '../../openid/records.ts'
import { putRequester } from '../../requesters.ts'

export const pricedToken = '0x00000000000000000000000000000000000000dc'
const activityAnswer = v.object({
  activity: v.array(v.object({ kind: v.string(), app: v.optional(v.string()) })),
})
const madeAnswer = v.object({ handle: v.string() })

type Requester = {
  clientId?: string
  name?: string
  origin?: string
  redirect?: string
  scopes?: readonly CrossAppScope[]
  dailyUsd?: number | null
}
type Called = {
  key?: BrowserKey
  token?: string
  origin?: string | null
  host?: string
  headers?: Readonly<Record<string, string>>
}

export async function requestFixture(
  database: Database,
  rpcUrls: Readonly<Record<string, readonly string[]>>,
) {
  const { context, server, app, browser: dialog, newBrowser } = await appFixture(database)
  const { dialogOrigin } = context.config
  chains.set(context.ports, createRpcChains(new Map()))
  /** A coin of chain 1 costs 2000 dollars, and one token with six decimals costs one dollar. */
  prices.set(context.ports, {
    getNativePrice: async (chainId) => (chainId === '1' ? 2_000 : undefined),
    getTokenPrice: async (_chainId, contract) =>
      contract === pricedToken ? { usd: 1, decimals: 6 } : undefined,
    findToken: () => undefined,
    getNativeSymbol: () => 'ETH',
  })
  const set = async (...fields: Fields) => {
    await setFields(context.db, context.clock, app.id, fields)
    context.clock.advanceSeconds(2)
  }
  await set(['cross_app_provider', true], ['rpc_urls', rpcUrls], ['test_networks', [84_532]])
  const appNow = async () => {
    const found = await context.apps.find(app.id)
    if (found === undefined) throw new Error('The app was just made')
    return found
  }

  const wallet = privateKeyToAccount(generatePrivateKey())
  const session = await dialog.login()
  const userId = session.user.id

  /** A cross-app page with its own session and device key. */
  async function newPage(of = userId) {
    const page = newBrowser()
    const key = page.key.thumbprint
    const grant = await context.transaction((trx) =>
      startSession(trx, context, { appId: app.id, userId: of }, { key, device: key }),
    )
    const { tokens } = await createGrantTokens(context.db, context, grant, key)
    const token = tokens.token
    return {
      token,
      read: (handle: string) => page.call('readCrossAppRequest', { token, body: { handle } }),
      answer: (handle: string, answer: object, requestId?: string) =>
        page.call('answerCrossAppRequest', {
          token,
          body: { handle, answer },
          ...(requestId !== undefined && { requestId }),
        }),
      /** The apps in the activity, one for each use. */
      async used() {
        const { activity } = v.parse(activityAnswer, (await page.call('activity', { token })).answer)
        return activity.flatMap(({ kind, app: by }) => (kind === 'app_request' ? [by] : []))
      },
    }
  }

  /** A connected app, with a token and the key that it is bound to. */
  async function connect({
    clientId = 'harbor',
    name = 'Harbor',
    origin = 'https://harbor.example',
    redirect = 'https://dialog.harbor.example/oauth/callback',
    scopes = ['openid', 'wallet.read', 'wallet.sign', 'wallet.send'],
    dailyUsd = 100,
  }: Requester = {}) {
    const { db, clock } = context
    const registration = { clientId, name, origin, redirectAddresses: [redirect], jwk: null }
    await putRequester(db, app.id, registration, nowSeconds(clock))
    const party = { appId: app.id, userId, clientId }
    await context.transaction((trx) =>
      allow(trx, clock, { ...party, sessionId: 'ses_1' }, { scopes, address: wallet.address, dailyUsd }),
    )
    const key = browserKey()
    const token = randomBytes(32).toString('base64url')
    const payload = { accountId: userId, clientId, scope: scopes.join(' '), jkt: key.thumbprint }
    await putRecord(db, context, { appId: app.id, kind: 'AccessToken', id: token }, payload, 900)
    const pageOrigin = new URL(redirect).origin

    async function call(path: '' | '/result', body: unknown, called: Called = {}) {
      const base = called.host === undefined ? dialogOrigin : `https://${called.host}`
      const url = `${base}/apps/${app.id}/openid/requests${path}`
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const shown = called.token ?? token
      const from = called.origin === undefined ? pageOrigin : called.origin
      const dpop = (called.key ?? key).prove({ url, atSeconds: nowSeconds(clock), token: shown })
      const response = await server.request(url, {
        method: 'POST',
        headers: {
          host: new URL(base).host,
          'content-type': 'application/json',
          authorization: `DPoP ${shown}`,
          dpop,
          ...(from !== null && { origin: from }),
          ...called.headers,
        },
        body: text,
      })
      const answer: unknown = await response.json()
      return { status: response.status, headers: response.headers, answer }
    }
    return {
      key,
      token,
      pageOrigin,
      party,
      connection: async () => {
        const row = await findActiveRow(db, party)
        if (row === undefined) throw new Error('The connection lives')
        return row
      },
      ask: (method: string, params: readonly unknown[], called?: Called) =>
        call('', { method, params }, called),
      askRaw: (text: string, called?: Called) => call('', text, called),
      result: (handle: unknown, called?: Called) => call('/result', { handle }, called),
      async made(method: string, params: readonly unknown[]): Promise<string> {
        const made = await call('', { method, params })
        if (made.status !== 200) throw new Error(`Not taken: ${JSON.stringify(made.answer)}`)
        return v.parse(madeAnswer, made.answer).handle
      },
    }
  }

  const preflight = (origin: string | null, path = '') =>
    server.request(`${dialogOrigin}/apps/${app.id}/openid/requests${path}`, {
      method: 'OPTIONS',
      headers: { host: new URL(dialogOrigin).host, ...(origin !== null && { origin }) },
    })

  return { context, server, app, appNow, set, wallet, userId, dialog, session, newPage, connect, preflight }
}
export type RequestFixture = Awaited<ReturnType<typeof requestFixture>>
export type TestRequester = Awaited<ReturnType<RequestFixture['connect']>>
