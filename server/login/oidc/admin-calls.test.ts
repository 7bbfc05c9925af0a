/** OpenID providers by the Admin API. The logins are those of `login.test.ts`. */
import { createHash } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createProviderBody } from '../../platform/admin/testing/call-bodies.ts'
import { type AdminFixture, adminFixture } from '../../platform/admin/testing/fixture.ts'
import { json } from '../cross-app/testing/scripted-provider.ts'
import { oidcProviders } from '../oauth/oauth.ts'
import { host, newLogin } from '../oauth/testing/fixture.ts'
import { createAppProviders } from './providers.ts'
import { startIssuer } from './testing/issuer.ts'

const acme = await startIssuer('acme.localhost')
afterAll(() => acme.close())

forDefaultEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    acme.reset()
    fixture = await adminFixture(database())
    oidcProviders.set(fixture.context.ports, createAppProviders())
  })
  const providers = () => `/apps/${fixture.app.id}/oidc`
  const create = (id = 'acme', issuer = acme.issuer) =>
    fixture.call('POST', providers(), { body: createProviderBody(id, issuer) })
  const change = (body: object) => fixture.call('PATCH', `${providers()}/acme`, { body })
  const connections = async () => (await fixture.browser.call('oidcConnections')).answer

  test('a new provider is offered to users, and its secret is in no answer', async () => {
    const created = await create()
    const origin = 'http://dialog.localhost:4000'
    const provider = {
      id: 'acme',
      login_method: 'oidc:acme',
      name: 'Acme',
      issuer: acme.issuer,
      client_id: 'fieldnotes',
      state: 'enabled',
      redirect_uri: `${origin}/oauth/callback/oidc:acme`,
      logout_uri: `${origin}/apps/${fixture.app.id}/oidc/acme/backchannel-logout`,
      created_at: new Date(fixture.context.clock.nowMs()).toISOString(),
    }
    expect([created.status, created.body]).toEqual([201, provider])
    expect((await fixture.call('GET', providers())).body).toEqual({ data: [provider] })
    expect((await fixture.call('GET', `${providers()}/acme`)).body).toEqual(provider)
    expect(await connections()).toMatchObject({ connections: [{ provider: 'oidc:acme' }] })
  })

  test('refuses logins with a disabled provider until it is enabled', async () => {
    await create()
    expect((await change({ state: 'disabled' })).body).toMatchObject({ state: 'disabled', name: 'Acme' })
    expect(await connections()).toEqual({ connections: [] })
    const start = async () => {
      const { verifier, state, relay } = newLogin()
      const code_challenge = createHash('sha256').update(verifier).digest('base64url')
      const body = {
        provider: 'oidc:acme',
        redirect_to: `${host}/`,
        code_challenge,
        state_code: state,
        relay,
      }
      return (await fixture.browser.call('startOAuth', { body })).status
    }
    expect(await start()).toBe(403)
    await change({ state: 'enabled' })
    expect(await connections()).toMatchObject({ connections: [{ provider: 'oidc:acme' }] })
    expect(await start()).toBe(200)
  })

  test('an id and an issuer stay bound to one another, also while the provider is disabled', async () => {
    const globex = await startIssuer('globex.localhost')
    await create()
    await change({ state: 'disabled' })
    const answers = [await create('acme', globex.issuer), await create('other')]
    globex.close()
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'provider_exists' } })
    }
    expect((await fixture.call('DELETE', `${providers()}/acme`)).status).toBe(405)
  })

  test('replaces the client secret without changing anything else', async () => {
    await create()
    const read = async () =>
      fixture.context.db
        .withTables<{ oidc_providers: { client_secret: string } }>()
        .selectFrom('oidc_providers')
        .selectAll()
        .executeTakeFirstOrThrow()
    const before = await read()
    expect((await change({ client_secret: 'second-client-secret' })).status).toBe(200)
    const after = await read()
    expect(after.client_secret).not.toBe(before.client_secret)
    expect({ ...after, client_secret: '' }).toEqual({ ...before, client_secret: '' })
  })

  test('reads the discovery document again', async () => {
    await create()
    const url = `${acme.issuer}/other-keys`
    acme.on('/.well-known/openid-configuration', json({ ...acme.metadata, jwks_uri: url }))
    expect((await fixture.call('POST', `${providers()}/acme/refresh`)).status).toBe(200)
    const [row] = await fixture.context.db
      .withTables<{ oidc_providers: { metadata: string } }>()
      .selectFrom('oidc_providers')
      .selectAll()
      .execute()
    expect(JSON.parse(row?.metadata ?? '')).toMatchObject({ jwks: url })
  })

  test.each(['http://issuer.example', 'https://10.0.0.1', 'issuer'])(
    'refuses the issuer %s with its reason',
    async (issuer) => {
      const { status, body } = await create('acme', issuer)
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'issuer_not_accepted', path: 'issuer' },
      })
      expect(body.detail).toContain(issuer)
    },
  )

  test('connects to this machine only if the server runs for development', async () => {
    const config = { ...fixture.context.config, dialogOrigin: 'https://login.example' }
    const { length } = acme.asked
    const answer = await fixture.call('POST', providers(), {
      body: createProviderBody('acme', acme.issuer),
      config,
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'issuer_not_accepted' } })
    expect(acme.asked).toHaveLength(length)
  })

  test('an app has 20 providers at most', async () => {
    await create()
    const row = await fixture.context.db
      .withTables<{ oidc_providers: { id: string; issuer: string } }>()
      .selectFrom('oidc_providers')
      .selectAll()
      .executeTakeFirstOrThrow()
    await fixture.context.db
      .withTables<{ oidc_providers: { id: string; issuer: string } }>()
      .insertInto('oidc_providers')
      .values(
        Array.from({ length: 19 }, (_, at) => ({ ...row, id: `p${at}`, issuer: `https://${at}.example` })),
      )
      .execute()
    await change({ name: 'First' })
    expect(await create('more', acme.issuer)).toMatchObject({
      status: 409,
      body: { code: 'too_many_providers' },
    })
  })
})
