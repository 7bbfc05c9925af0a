/** An app with all OAuth providers enabled, and the calls of its dialog for a login. */
import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { setFields } from '../../../identity/apps/manage.ts'
import { sessionAnswer } from '../../../identity/sessions/testing/browser.ts'
import { collectEnvironment, collectMigrations } from '../../../kernel/capability.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { appFixture } from '../../../testing/fixture.ts'
import { loginWindow } from '../../window/capability.ts'
import { newHandle } from '../../window/testing/browser-window.ts'
import { oauth } from '../capability.ts'
import { readOAuthSettings } from '../environment.ts'
import { createProviderClients, providerClients } from '../exchange/exchange.ts'
import type { SocialProvider } from '../provider.ts'
import { type Choice, configAtSandbox, everyProvider } from './at-sandbox.ts'
import type { Providers } from './sandbox.ts'
import { testWindow } from './window.ts'

/** Options for `forEachEngine`. */
export const oauthTables = {
  migrations: collectMigrations([oauth, loginWindow]),
}

export const host = 'http://demo.localhost:4010'
export const ada = { person: 'Ada Lovelace' }
export const startAnswer = v.object({ url: v.string() })
export const resultAnswer = v.object({ authorization_code: v.string(), state_code: v.string() })

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
export const secret = () => randomBytes(36).toString('base64url')

/** Creates the secrets of a dialog for one login. */
export const newLogin = () => ({
  ...newHandle(),
  state: secret(),
  verifier: secret(),
})
export type Login = ReturnType<typeof newLogin>

export const initBody = (login: Login, provider: SocialProvider = 'google', redirectTo = `${host}/`) => ({
  provider,
  redirect_to: redirectTo,
  code_challenge: hash(login.verifier),
  state_code: login.state,
  relay: login.relay,
})

export const refusedCode = {
  status: 422,
  answer: { code: 'invalid_credentials', error: 'Something went wrong. Try again.' },
}

export async function oauthFixture(
  database: Database,
  sandbox: Providers,
  changes: Readonly<Record<string, string>> = {},
) {
  const settings = everyProvider.map((provider) => [`${provider}_oauth`, true] as const)
  const config = configAtSandbox(sandbox.url, changes, collectEnvironment(capabilities))
  const fixture = await appFixture(database, settings, { config })
  const { app, browser, context, server } = fixture
  providerClients.set(context.ports, createProviderClients(readOAuthSettings(config)))

  const init = (login: Login, provider?: SocialProvider, from = browser) =>
    from.call('startOAuth', { body: initBody(login, provider) })
  const resultFor = (login: Login, from = browser) =>
    from.call('oauthResult', { body: { handle: login.handle, secret: login.relaySecret } })
  /** Logs in with a pop-up up to the authorization code. */
  const codeFor = async (provider: SocialProvider, choice: Choice = ada, from = browser) => {
    const login = newLogin()
    await init(login, provider, from)
    await testWindow(server).go(login, choice)
    const { answer } = await resultFor(login, from)
    const { authorization_code, state_code } = v.parse(resultAnswer, answer)
    return { authorization_code, state_code, code_verifier: login.verifier }
  }
  const authenticate = (body: object, from = browser, requestId?: string) =>
    from.call('loginWithOAuth', { body, ...(requestId !== undefined && { requestId }) })
  const loginAs = async (provider: SocialProvider, choice: Choice = ada, from = browser) => {
    const { answer } = await authenticate(await codeFor(provider, choice, from), from)
    return v.parse(sessionAnswer, answer)
  }
  const handOutTokens = async (areHandedOut: boolean) => {
    await setFields(context.db, context.clock, app.id, [['oauth_tokens_to_host', areHandedOut]])
    context.clock.advanceSeconds(5)
  }
  return { ...fixture, handOutTokens, init, resultFor, codeFor, authenticate, loginAs }
}
export type OAuthFixture = Awaited<ReturnType<typeof oauthFixture>>
