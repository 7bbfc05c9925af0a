/** A provider on a real socket, a user with a wallet, and an app that uses it with the unmodified `openid-client`. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, request as httpRequest } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import * as openid from 'openid-client'
import * as v from 'valibot'
import { mfaFixture } from '../../../account/verification/testing/fixture.ts'
import { setFields } from '../../../identity/apps/manage.ts'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import { collectEnvironment } from '../../../kernel/capability.ts'
import { parseConfig } from '../../../kernel/config.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { createCommandContext } from '../../../testing/context.ts'
import { requestersCommand } from '../command.ts'

export const redirect = 'https://notes.example/oauth/callback/latchkey'
export const allScopes = ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'] as const
const decided = v.object({ finish_url: v.string(), secret: v.string() })

const configAt = (port: number) =>
  parseConfig(
    { DIALOG_ORIGIN: `http://dialog.localhost:${port}`, WALLET_ORIGIN: `http://wallet.localhost:${port}` },
    collectEnvironment(capabilities),
  )

type Headers = Readonly<Record<string, string>>
export type Answer = {
  status: number
  headers: Headers
  cookies: readonly string[]
  text: string
}

/** Fetches a URL from this test's server, whatever its host. */
function send(port: number, url: string, method: string, headers: Headers, body: string): Promise<Answer> {
  const { host, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path: pathname + search,
        headers: { ...headers, host, 'content-length': Buffer.byteLength(body) },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => {
          const { 'set-cookie': cookies = [], ...others } = answer.headers
          const plain = Object.entries(others).map(([name, value]) => [name, String(value)] as const)
          resolve({ status: answer.statusCode ?? 0, headers: Object.fromEntries(plain), cookies, text })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** With `atItsPort`, its origins contain the real port, so that another server can reach it. */
export async function providerFixture(
  database: Database,
  { atItsPort = false }: { atItsPort?: boolean } = {},
) {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const bound = http.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const fixture = await mfaFixture(database, atItsPort ? { config: configAt(port) } : {})
  const { context, server } = fixture
  // Clients and the operator use the machine's clock.
  context.clock.advanceMs(Date.now() - context.clock.nowMs())
  http.on('request', getRequestListener(server.fetch))

  const enable = async (isOn: boolean, { id } = fixture.app) => {
    await setFields(context.db, context.clock, id, [['cross_app_provider', isOn]])
    context.clock.advanceSeconds(5)
    const app = await context.apps.find(id)
    if (!app) throw new Error('There is no such app')
    return app
  }
  const app = await enable(true)
  const issuer = `${context.config.dialogOrigin}/apps/${app.id}/openid`

  const requester = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const requesters = (...args: readonly string[]) =>
    requestersCommand.run(app.id, args, database.db, createCommandContext(context))
  const jwk = JSON.stringify(requester.publicKey.export({ format: 'jwk' }))
  const registered = ['--name', 'Notes', '--origin', 'https://notes.example', '--redirect', redirect]
  await requesters('add', 'notes', ...registered, '--key', jwk)
  await requesters('add', 'open-notes', ...registered)

  /** One browser, with cookies by name and path. */
  function newUserAgent() {
    const cookies = new Map<string, { name: string; value: string; path: string }>()
    async function open(
      url: string,
      method = 'GET',
      form?: Readonly<Record<string, string>>,
      more: Headers = {},
    ) {
      const { pathname } = new URL(url)
      const sent = [...cookies.values()].filter(({ path }) => pathname.startsWith(path))
      const answer = await send(
        port,
        url,
        method,
        {
          accept: 'text/html',
          ...(sent.length > 0 && { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') }),
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...more,
        },
        form ? new URLSearchParams(form).toString() : '',
      )
      for (const cookie of answer.cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        const [, path = '/'] = /; ?path=([^;]+)/i.exec(cookie) ?? []
        const key = `${name} ${path}`
        if (value === '') cookies.delete(key)
        else cookies.set(key, { name, value, path })
      }
      return answer
    }
    return { open, cookies }
  }
  type UserAgent = ReturnType<typeof newUserAgent>

  const viaSocket = (async (url: string, options: openid.CustomFetchOptions) => {
    const body = options.body === undefined || options.body === null ? '' : String(options.body)
    const { status, headers, text } = await send(port, url, options.method, options.headers, body)
    return new Response(status === 204 ? null : text, { status, headers })
  }) satisfies openid.CustomFetch

  const clientKey = async () => {
    const der = requester.privateKey.export({ type: 'pkcs8', format: 'der' })
    return crypto.subtle.importKey(
      'pkcs8',
      Uint8Array.from(der),
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['sign'],
    )
  }
  const discover = async (clientId = 'notes', at = issuer) =>
    openid.discovery(
      new URL(at),
      clientId,
      undefined,
      clientId === 'notes' ? openid.PrivateKeyJwt(await clientKey()) : openid.None(),
      { execute: [openid.allowInsecureRequests], [openid.customFetch]: viaSocket },
    )

  const newSession = async (email = 'ada@example.com', from = fixture.browser) => {
    const session = await from.login(email)
    const address = await fixture.makeWallet(session, from)
    await asWalletPage(session)
    return { session, address, from }
  }
  /** A session that was handed over to the cross-app page, whose device key is bound to its tokens. */
  async function asWalletPage(session: TestSession) {
    const claims = JSON.parse(Buffer.from(session.token.split('.')[1] ?? '', 'base64url').toString())
    await context.db
      .updateTable('sessions')
      .set(({ ref }) => ({ device: ref('key_thumbprint') }))
      .where('id', '=', claims.sid)
      .execute()
  }
  type Owner = Awaited<ReturnType<typeof newSession>>

  /** Runs up to the consent. */
  async function begin(
    config: openid.Configuration,
    { scopes = allScopes, more = {} }: { scopes?: readonly string[]; more?: Record<string, string> } = {},
    agent = newUserAgent(),
  ) {
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: scopes.join(' '),
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...more,
    })
    const answer = await agent.open(url.href)
    const interaction = /#authorize\.(.+)$/.exec(answer.headers.location ?? '')?.[1] ?? ''
    return { config, agent, answer, interaction, verifier, state }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  const allowing = (owner: Owner, change: object = {}) => ({
    decision: 'allow',
    scopes: [...allScopes],
    address: owner.address,
    daily_usd: 50,
    ...change,
  })
  const decide = ({ from, session }: Pick<Owner, 'from' | 'session'>, interaction: string, body: object) =>
    from.call('authorize', { token: session.token, body: { interaction, ...body } })

  /** Posts the page's form, and returns the redirect of its browser. */
  async function finish(agent: UserAgent, answer: unknown) {
    const { finish_url, secret } = v.parse(decided, answer)
    const finished = await agent.open(finish_url, 'POST', { secret }, { origin: context.config.walletOrigin })
    const resumeAt = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(finished.text)?.[1]
    if (resumeAt === undefined) return { finished, resumed: undefined }
    return { finished, resumed: await agent.open(resumeAt) }
  }

  async function allowed(begun: Pick<Begun, 'agent' | 'interaction'>, owner: Owner, change: object = {}) {
    const { answer } = await decide(owner, begun.interaction, allowing(owner, change))
    const { resumed } = await finish(begun.agent, answer)
    return new URL(resumed?.headers.location ?? 'about:blank')
  }

  const newKey = () => openid.randomDPoPKeyPair('ES256', { extractable: true })
  async function redeem(
    { config, verifier, state }: Begun,
    location: URL,
    key: CryptoKeyPair,
    change: Partial<openid.AuthorizationCodeGrantChecks> = {},
  ) {
    const DPoP = openid.getDPoPHandle(config, key)
    const checks = { pkceCodeVerifier: verifier, expectedState: state, ...change }
    return openid.authorizationCodeGrant(config, location, checks, undefined, { DPoP })
  }

  /** Runs everything, and returns the app's tokens. */
  async function connect(owner: Owner, change: object = {}, clientId = 'notes') {
    const begun = await begin(await discover(clientId))
    const location = await allowed(begun, owner, change)
    const key = await newKey()
    return { ...begun, location, key, tokens: await redeem(begun, location, key) }
  }

  return {
    ...fixture,
    app,
    port,
    issuer,
    enable,
    jwk,
    registered,
    requesters,
    newUserAgent,
    send: (url: string, method = 'GET', headers: Headers = {}, body = '') =>
      send(port, url, method, headers, body),
    discover,
    newSession,
    begin,
    allowing,
    decide,
    finish,
    allowed,
    newKey,
    redeem,
    connect,
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}
export type ProviderFixture = Awaited<ReturnType<typeof providerFixture>>
