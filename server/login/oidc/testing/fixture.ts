/** An app with OpenID providers, and the calls of its dialog. */
import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { sessionAnswer } from '../../../identity/sessions/testing/browser.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { createCommandContext } from '../../../testing/context.ts'
import { appFixture } from '../../../testing/fixture.ts'
import { json } from '../../cross-app/testing/scripted-provider.ts'
import { oidcProviders } from '../../oauth/oauth.ts'
import { host, newLogin, resultAnswer } from '../../oauth/testing/fixture.ts'
import { browserWindow } from '../../window/testing/browser-window.ts'
import { oidcCommand } from '../command.ts'
import { createLogoutKeySets, logoutKeySets } from '../logout.ts'
import { createAppProviders } from '../providers.ts'
import { clientId, type Issuer } from './issuer.ts'

export const secretFile = join(mkdtempSync(join(tmpdir(), 'oidc-')), 'secret')
writeFileSync(secretFile, 's3cret:/+\n')

export async function oidcFixture(database: Database) {
  const fixture = await appFixture(database)
  const { context, server } = fixture
  oidcProviders.set(context.ports, createAppProviders())
  logoutKeySets.set(context.ports, createLogoutKeySets())

  const operator = (args: string[], app = fixture.app) =>
    oidcCommand.run(app.id, args, database.db, createCommandContext(context))
  const add = (id: string, issuer: string, app = fixture.app) =>
    operator(
      [
        'add',
        id,
        '--issuer',
        issuer,
        '--client-id',
        clientId,
        '--client-secret-file',
        secretFile,
        '--name',
        'Acme',
      ],
      app,
    )

  /** Runs a login up to the redirect to the provider. */
  async function begin(id = 'acme', from = fixture.browser) {
    const login = newLogin()
    const provider = `oidc:${id}`
    const { status, answer } = await from.call('startOAuth', {
      body: {
        provider,
        redirect_to: `${host}/`,
        code_challenge: createHash('sha256').update(login.verifier).digest('base64url'),
        state_code: login.state,
        relay: login.relay,
      },
    })
    if (status !== 200) throw new Error(JSON.stringify(answer))
    const window = browserWindow(server)
    const { location } = await window.start('oauth', login)
    return { login, window, provider, from, url: new URL(location ?? 'about:blank') }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  const comeBack = ({ window, provider, url }: Begun, fields: Readonly<Record<string, string>>) =>
    window.open(
      `/oauth/callback/${provider}?${new URLSearchParams({ code: 'code-1', state: url.searchParams.get('state') ?? '', ...fields })}`,
    )

  /** Returns the dialog's redemption request. */
  async function redemption({ login, from }: Begun) {
    const { answer } = await from.call('oauthResult', {
      body: { handle: login.handle, secret: login.relaySecret },
    })
    const { authorization_code, state_code } = v.parse(resultAnswer, answer)
    return { authorization_code, state_code, code_verifier: login.verifier }
  }

  type Change = {
    id?: string
    from?: typeof fixture.browser
    claims?: Readonly<Record<string, unknown>>
    /** Creates another ID token than the provider's own. */
    idToken?: (claims: Readonly<Record<string, unknown>>) => Promise<string> | string
  }
  /** Logs in with tokens that are valid except for the change. */
  async function loginAt(issuer: Issuer, { id, from, claims, idToken }: Change = {}) {
    const begun = await begin(id, from)
    await comeBack(begun, { iss: issuer.issuer })
    const all = { nonce: begun.url.searchParams.get('nonce'), ...claims }
    const id_token = await (idToken ?? ((same) => issuer.sign(same, Date.now())))(all)
    issuer.on('/token', json({ access_token: 'access-1', token_type: 'Bearer', expires_in: 300, id_token }))
    const body = await redemption(begun)
    return { begun, body, ...(await begun.from.call('loginWithOAuth', { body })) }
  }
  const sessionAt = async (issuer: Issuer, change: Change = {}) =>
    v.parse(sessionAnswer, (await loginAt(issuer, change)).answer)

  const accounts = () =>
    context.db.selectFrom('linked_accounts').select(['app_id', 'user_id', 'type', 'identifier']).execute()
  const livingSessions = async () =>
    (await context.db.selectFrom('sessions').select('id').where('revoked_at', 'is', null).execute()).length

  /** Sends a logout token to the back channel, like a provider. */
  const logOut = (token: string, { id = 'acme', app = fixture.app } = {}) =>
    server.request(`http://dialog.localhost:4000/apps/${app.id}/oidc/${id}/backchannel-logout`, {
      method: 'POST',
      headers: { host: 'dialog.localhost:4000', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    })

  return {
    ...fixture,
    operator,
    add,
    begin,
    comeBack,
    redemption,
    loginAt,
    sessionAt,
    accounts,
    livingSessions,
    logOut,
  }
}
export type OidcFixture = Awaited<ReturnType<typeof oidcFixture>>
