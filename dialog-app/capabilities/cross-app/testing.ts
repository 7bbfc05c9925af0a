/** A fake provider with windows. All other parts of the capability are real. */
import type { LinkedAccount, UserRecord } from '@latchkey/protocol'
import type {
  CrossAppConnection,
  CrossAppResult,
  OAuthResult,
  oauthRoutes,
  RouteBody,
} from '@latchkey/protocol/api'
import type { Capability } from '../../contract/capability.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, type FixtureOptions, makeFixture } from '../../testing/fixture.ts'
import { makeAuthAnswer, otherAppId, visitorUser } from '../../testing/fixtures.ts'
import { makeFakeLocks } from '../../testing/storage.ts'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { capabilities } from '../index.ts'
import { crossAppIn } from './cross-app.ts'
import { memoryRows } from './provider/token-rows.ts'

export const provider = `latchkey:${otherAppId}` as const
export const issuer = `https://provider.example/apps/${otherAppId}/openid`
export const walletOrigin = 'https://wallet.provider.example'
/** The address of the private key 1. */
export const linkedAddress = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
const handle = 'h'.repeat(43)
const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }

export const connection: CrossAppConnection = {
  providerAppId: otherAppId,
  providerAppName: 'Ledgerline',
  providerAppIconUrl: 'https://provider.example/icon.png',
  providerAppCustomApiUrl: null,
  readOnly: false,
  issuer,
  tokenEndpoint: `${issuer}/token`,
}
export const account: LinkedAccount = {
  type: 'cross_app',
  subject: 'their-user-1',
  providerAppId: otherAppId,
  embeddedWallets: [{ address: linkedAddress }],
  smartWallets: [],
  ...times,
}
export const owner: UserRecord = { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, account] }
export const tokens = {
  provider,
  accessToken: 'access-1',
  accessTokenExpiresInSeconds: 900,
  refreshToken: 'refresh-1',
}

export type ProviderCall = { path: string; body: unknown; headers: Headers }
type Refusal = { status: number; error: string }

export function makeProvider() {
  const calls: ProviderCall[] = []
  const refusals: Refusal[] = []
  const results: CrossAppResult[] = []
  const waiting: PromiseWithResolvers<void>[] = []
  const made = {
    handle,
    transact_url: `https://provider.example/oauth/transact/${otherAppId}`,
    window_origin: walletOrigin,
    expires_in: 120,
  }
  return {
    calls,
    made,
    refuse: (...next: readonly Refusal[]) => void refusals.push(...next),
    async answer(result: CrossAppResult) {
      results.push(result)
      for (const each of waiting.splice(0)) each.resolve()
      await settle()
    },
    async fetch(url: string, { body, headers, signal }: RequestInit): Promise<Response> {
      const path = url.slice(issuer.length)
      calls.push({ path, body: JSON.parse(String(body)), headers: new Headers(headers) })
      const refusal = refusals.shift()
      if (refusal) return Response.json({ error: refusal.error }, { status: refusal.status })
      if (path === '/requests') return Response.json(made)
      if (results.length === 0) {
        const turn = Promise.withResolvers<void>()
        waiting.push(turn)
        signal?.addEventListener('abort', () => turn.reject(signal.reason))
        await turn.promise
      }
      return Response.json(results.shift() ?? { status: 'pending' })
    },
  }
}

type Options = Pick<FixtureOptions, 'answers' | 'config' | 'app' | 'browser'> & {
  connections?: readonly CrossAppConnection[]
  user?: UserRecord | null
  /** Replaces other capabilities, such as the captcha. */
  behind?: (all: readonly Capability[]) => readonly Capability[]
}

/** Opens a dialog with a logged-in user, unless `user` is null. */
export async function open({
  connections = [connection],
  user = owner,
  answers: more = {},
  behind = (all) => all,
  ...options
}: Options = {}) {
  const window = makeFakeBrowser()
  const theirs = makeProvider()
  const rows = memoryRows()
  const begun: RouteBody<typeof oauthRoutes.startOAuth>[] = []
  const relayed: PromiseWithResolvers<OAuthResult>[] = []
  const answers: Answers = {
    crossAppConnections: () => ({ connections: [...connections] }),
    startOAuth(body) {
      begun.push(body)
      return { url: 'http://dialog.localhost:4000/oauth/start/x' }
    },
    oauthResult: () => {
      const result = Promise.withResolvers<OAuthResult>()
      relayed.push(result)
      return result.promise
    },
    openCrossAppWindow: () => ({ success: true }),
    logout: () => ({ success: true }),
    me: () => user ?? owner,
    ...more,
  }
  const own = crossAppIn({ window, fetch: theirs.fetch, rows, locks: makeFakeLocks() })
  const fixture = await makeFixture({
    ...options,
    answers,
    capabilities: behind(capabilities.map((each) => (each.name === 'cross-app' ? own : each))),
  })
  await fixture.session.start()
  if (user) fixture.session.accept(makeAuthAnswer({ user }))
  await settle()
  return {
    ...fixture,
    window,
    theirs,
    rows,
    begun,
    /** Resolves the latest login attempt. */
    async relay(result: (stateCode: string) => OAuthResult) {
      relayed.at(-1)?.resolve(result(begun.at(-1)?.stateCode ?? ''))
      await settle()
    },
    /** Sends a message from the latest window. */
    async say(data: unknown, origin = walletOrigin) {
      window.windows.at(-1)?.say(data, origin)
      await settle()
    },
  }
}

export const completed = (stateCode: string): OAuthResult => ({
  status: 'completed',
  authorizationCode: 'code-1',
  stateCode,
})
