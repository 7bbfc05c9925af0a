/** An app with cross-app providers, and the calls of its dialog. */
import { createHash, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import * as v from 'valibot'
import { setFields } from '../../../identity/apps/manage.ts'
import { browserKey } from '../../../identity/sessions/testing/browser-key.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { createCommandContext } from '../../../testing/context.ts'
import { appFixture } from '../../../testing/fixture.ts'
import { providerClients, walletProviders } from '../../oauth/oauth.ts'
import { browserWindow, newHandle } from '../../window/testing/browser-window.ts'
import { type LoginWindow, windowId } from '../../window/window.ts'
import { walletProvidersOfApps } from '../capability.ts'
import { providersCommand } from '../command.ts'

export const host = 'http://demo.localhost:4010'
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
const secret = () => randomBytes(36).toString('base64url')

/** Creates the secrets of a dialog for one login. */
export const newLogin = () => ({ ...newHandle(), state: secret(), verifier: secret(), key: browserKey() })
export type Login = ReturnType<typeof newLogin>

const resultAnswer = v.object({
  status: v.literal('completed'),
  authorization_code: v.string(),
  state_code: v.string(),
})
export const tokensAnswer = v.looseObject({ access_token: v.string(), refresh_token: v.string() })
export const withTokens = v.looseObject({ oauth_tokens: tokensAnswer })

/** Of an app at its provider, where the tokens come from. */
export type At = { provider: string; tokenEndpoint: string }

/** Creates a proof for the token endpoint, with the system clock that the provider uses. */
export const proofFor = ({ key }: Pick<Login, 'key'>, { tokenEndpoint }: Pick<At, 'tokenEndpoint'>) =>
  key.prove({ url: tokenEndpoint, atSeconds: Math.floor(Date.now() / 1_000) })

export async function crossAppFixture(database: Database) {
  const fixture = await appFixture(database, [])
  const { app, browser, context, server } = fixture
  walletProviders.set(context.ports, walletProvidersOfApps)
  providerClients.set(context.ports, new Map())

  const operator = (...args: readonly string[]) =>
    providersCommand.run(app.id, args, database.db, createCommandContext(context))

  const initBody = (login: Login, provider: string) => ({
    provider,
    redirect_to: `${host}/`,
    code_challenge: hash(login.verifier),
    state_code: login.state,
    relay: login.relay,
    proof_key: login.key.thumbprint,
  })
  const init = (login: Login, provider: string, from = browser) =>
    from.call('startOAuth', { body: initBody(login, provider) })
  const resultFor = (login: Login, from = browser) =>
    from.call('oauthResult', { body: { handle: login.handle, secret: login.relaySecret } })

  /** Runs the login up to the redirect to the provider. */
  async function begin(provider: string, from = browser) {
    const login = newLogin()
    const { status, answer } = await init(login, provider, from)
    if (status !== 200) throw new Error(JSON.stringify(answer))
    const window = browserWindow(server)
    const { location } = await window.start('oauth', login)
    return { login, window, url: new URL(location ?? 'about:blank'), from, provider }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  /** The provider's redirect parameters. */
  const comeBack = ({ window, provider }: Begun, query: URLSearchParams | string) =>
    window.open(`/oauth/callback/${provider}?${query}`)

  /** The dialog's redemption request. */
  async function redemption({ login, from, provider }: Begun, { tokenEndpoint }: Pick<At, 'tokenEndpoint'>) {
    const { answer } = await resultFor(login, from)
    const { authorization_code, state_code } = v.parse(resultAnswer, answer)
    return {
      authorization_code,
      state_code,
      code_verifier: login.verifier,
      provider,
      proof: proofFor(login, { tokenEndpoint }),
    }
  }

  /** Returns the received results without waiting. */
  const heardOf = ({ login }: Begun) =>
    context.db
      .withTables<{ login_windows: Pick<LoginWindow, 'id' | 'answer' | 'failure'> }>()
      .selectFrom('login_windows')
      .select(['answer', 'failure'])
      .where('id', '=', windowId(login.handle))
      .executeTakeFirstOrThrow()

  const accounts = async () =>
    context.db
      .selectFrom('linked_accounts')
      .select(['user_id', 'identifier', 'profile'])
      .where('type', '=', 'cross_app')
      .execute()

  const handOutTokens = async (areHandedOut: boolean) => {
    await setFields(context.db, context.clock, app.id, [['oauth_tokens_to_host', areHandedOut]])
    context.clock.advanceSeconds(5)
  }

  return {
    ...fixture,
    operator,
    init,
    initBody,
    resultFor,
    begin,
    comeBack,
    redemption,
    heardOf,
    accounts,
    handOutTokens,
    providerOf: (appId: string) => product.crossApp.provider(appId),
  }
}
export type CrossAppFixture = Awaited<ReturnType<typeof crossAppFixture>>
export type Begun = Awaited<ReturnType<CrossAppFixture['begin']>>
