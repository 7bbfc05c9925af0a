/** Calls about apps, as the programs of operators make them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { changeOrigins, setFields } from '../../identity/apps/manage.ts'
import { listAllowlist } from '../../identity/apps/store.ts'
import { forEachEngine, runsAllTests } from '../../kernel/db/test-engines.ts'
import { putRequester } from '../provider/requesters.ts'
import { type AdminFixture, type AdminRequest, adminFixture } from './testing/fixture.ts'

forEachEngine((database, engine) => {
  let fixture: AdminFixture
  let everyApp: string
  beforeEach(async () => {
    fixture = await adminFixture(database())
    everyApp = await fixture.newKey({ appId: null })
  })
  const call = (method: string, path = '', request?: AdminRequest) =>
    fixture.call(method, `/apps/${fixture.app.id}${path}`, request)
  const set = (settings: object, request: AdminRequest = {}) =>
    call('PATCH', '', { body: { settings }, ...request })
  const readSettings = async () => (await call('GET')).body.settings
  const prepare = (fields: object) =>
    setFields(fixture.context.db, fixture.context.clock, fixture.app.id, Object.entries(fields))

  test('a key of every app lists the apps in pages, newest first', async () => {
    for (const _ of ['two', 'three']) {
      fixture.context.clock.advanceSeconds(60)
      await fixture.newApp()
    }
    const ids: string[] = []
    for (let after = ''; ; ) {
      const { body } = await fixture.call('GET', `/apps?limit=1${after}`, { key: everyApp })
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    expect(new Set(ids).size).toBe(3)
    expect(ids.at(-1)).toBe(fixture.app.id)
  })

  const call1 = { chain: 1, contract: `0x${'a'.repeat(40)}`, selector: '0x12345678', calls_per_day: 5 }
  const typed = { contract: `0x${'b'.repeat(40)}`, primary_type: 'Order' }
  const noPrompt = { messages: false, usd_per_day: 10, calls: [call1], typed_data: [] }

  describe('the allowlist', () => {
    const change = (body: object, request: AdminRequest = {}) =>
      call('PATCH', '/allowlist', { body, ...request })
    const email = (name: string) => ({ type: 'email', identifier: `${name}@example.com` })

    test('is changed and listed in pages', async () => {
      expect((await change({ add: [email('Cem'), email('ada'), email('bob')] })).body).toEqual({
        added: 3,
        removed: 0,
      })
      expect((await change({ remove: [email('bob')] })).body).toEqual({ added: 0, removed: 1 })
      const first = await call('GET', '/allowlist?limit=1')
      expect(first.body.data).toEqual([email('ada')])
      const second = await call('GET', `/allowlist?limit=1&after=${first.body.next}`)
      expect(second.body).toEqual({ data: [email('cem')], next: null })
    })

    test('is changed by all entries or none', async () => {
      expect(await change({ add: [email('ada')], remove: [email('bob')] })).toMatchObject({ status: 400 })
      expect(await change({ add: [email('ada'), { type: 'email', identifier: 'x' }] })).toMatchObject({
        status: 400,
      })
      expect(await listAllowlist(fixture.context.db, fixture.app.id)).toEqual([])
    })

    test.each([['apps:read'], ['apps:write'], ['users:read.masked']] as const)(
      'is not shown to a key with %s, because it contains addresses',
      async (scope) => {
        const key = await fixture.newKey({ scopes: [scope] })
        expect(await call('GET', '/allowlist', { key })).toMatchObject({ status: 403 })
      },
    )

    test.each([
      'eA',
      Buffer.from('["email"]').toString('base64url'),
      Buffer.from('[1,2]').toString('base64url'),
    ])('rejects the forged cursor %s', async (after) => {
      const answer = await call('GET', `/allowlist?after=${after}`)
      expect(answer).toMatchObject({ status: 400, body: { path: 'after' } })
    })

    test('takes 100 entries per call', async () => {
      const add = Array.from({ length: 101 }, (_, index) => email(`user${index}`))
      expect(await change({ add })).toMatchObject({ status: 400, body: { path: 'add' } })
      expect((await change({ add: add.slice(1) })).status).toBe(200)
    })
  })

  test('requesters are listed without their keys, and removed', async () => {
    const { db } = fixture.context
    const notes = {
      clientId: 'notes.example',
      name: 'Notes',
      origin: 'https://notes.example',
      redirectAddresses: ['https://notes.example/callback'],
      jwk: null,
    }
    await putRequester(db, fixture.app.id, notes, 1)
    const { data } = (await call('GET', '/requesters')).body
    expect(data).toEqual([
      {
        client_id: 'notes.example',
        name: 'Notes',
        origin: 'https://notes.example',
        redirect_addresses: ['https://notes.example/callback'],
        has_key: false,
      },
    ])
    const remove = () => call('DELETE', '/requesters/notes.example')
    expect((await remove()).body).toEqual({ client_id: 'notes.example', connections_ended: 0 })
    expect((await fixture.readAudit()).at(-1)).toMatchObject({ target: 'notes.example' })
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'requester_not_found' } })
  })

  if (!runsAllTests(engine)) return

  test('a key of one app lists and reads its app only', async () => {
    const other = await fixture.newApp()
    const { body } = await fixture.call('GET', '/apps')
    expect(body).toMatchObject({ data: [{ id: fixture.app.id }], next: null })
    expect(await fixture.call('GET', `/apps/${other.id}`)).toMatchObject({ status: 404 })
    const change = await fixture.call('PATCH', `/apps/${other.id}`, { body: { settings: { name: 'Mine' } } })
    expect(change).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
  })

  describe('a new app', () => {
    const create = (body: object, request: AdminRequest = {}) =>
      fixture.call('POST', '/apps', { key: everyApp, body, ...request })

    test('has its name, environment and origins', async () => {
      const input = { name: 'Shop', environment: 'production', allowed_origins: ['https://shop.example'] }
      const created = await create(input)
      expect(created.status).toBe(201)
      const { body } = await fixture.call('GET', `/apps/${created.body.id}`, { key: everyApp })
      expect(body).toMatchObject(input)
    })

    test('is created once for repeated calls', async () => {
      const headers = { 'idempotency-key': 'request-1' }
      const first = await create({ name: 'Shop' }, { headers })
      expect((await create({ name: 'Shop' }, { headers })).body).toEqual(first.body)
      expect(await create({ name: 'Another shop' }, { headers })).toMatchObject({ status: 422 })
      expect((await fixture.call('GET', '/apps', { key: everyApp })).body.data).toHaveLength(2)
    })

    test('needs a key of every app', async () => {
      expect(await create({ name: 'Shop' }, { key: fixture.key })).toMatchObject({
        status: 403,
        body: { code: 'key_of_one_app' },
      })
    })

    test.each([
      { name: '' },
      { name: 'x\u202Ey' },
      { name: 'Shop', environment: 'production', allowed_origins: ['http://shop.example'] },
      { name: 'Shop', allowed_origins: ['https://shop.example/path'] },
      { name: 'Shop', id: 'a'.repeat(25) },
    ])('with %j is rejected', async (body) => {
      expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_data' } })
    })
  })

  describe('a change of settings', () => {
    test('has the names and rules of the command line, and is shown', async () => {
      const answer = await set({
        name: 'Shop',
        theme: 'dark',
        sms_auth: true,
        'allowlist_config.cta_text': 'Ask',
      })
      expect(answer.status).toBe(200)
      expect(await readSettings()).toMatchObject({
        name: 'Shop',
        theme: 'dark',
        sms_auth: true,
        allowlist_config: { cta_text: 'Ask' },
      })
    })

    test.each([
      [{ no_such_setting: 1 }, 'There is no setting no_such_setting'],
      [{ theme: 1 }, 'theme cannot be 1'],
      [{ logo_url: 'http://logo.example' }, 'logo_url cannot be'],
      [{ 'constructor.prototype': 1 }, 'There is no setting constructor.prototype'],
      [{ theme: 'dark', name: '' }, 'A name needs'],
    ])('%j is rejected, and nothing is changed', async (settings, detail) => {
      const before = await readSettings()
      const answer = await set(settings)
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_data' } })
      expect(answer.body.detail).toContain(detail)
      expect(await readSettings()).toEqual(before)
    })

    test('to an unsupported setting is refused', async () => {
      expect(await set({ legacy_wallet_ui_config: true })).toMatchObject({
        status: 409,
        body: { code: 'not_supported' },
      })
    })

    test('is refused if the app has changed since it was read', async () => {
      const headers = { 'if-match': (await call('GET')).headers.get('etag') ?? '' }
      const first = await set({ theme: 'dark' }, { headers })
      expect(first.status).toBe(200)
      expect(await set({ theme: 'light' }, { headers })).toMatchObject({ status: 412 })
      const again = { headers: { 'if-match': first.headers.get('etag') ?? '' } }
      expect((await set({ theme: 'light' }, again)).status).toBe(200)
      const entry = (await fixture.readAudit()).at(-1)
      expect(`"${entry?.before_digest}"`).toBe(again.headers['if-match'])
    })

    test('to a first limit of users is left to the command line, which counts them', async () => {
      expect(await set({ max_users: 10 })).toMatchObject({
        status: 409,
        body: { path: 'settings.max_users' },
      })
      await prepare({ max_users: 10 })
      expect((await set({ max_users: 20 })).status).toBe(200)
    })
  })

  test.each([
    [{}, { allowed_origins: ['https://evil.example'] }],
    [{}, { environment: 'development' }, 'production'],
    [{}, { session_mode: 'cookie' }],
    [{}, { custom_api_url: 'https://evil.example' }],
    [{}, { rpc_urls: { 1: ['https://evil.example'] } }],
    [{}, { chains: [{ id: 7, name: 'Evil', symbol: 'USD', decimals: 6 }] }],
    [{}, { test_networks: [1] }],
    [
      {},
      {
        telegram_auth_config: { bot_id: '1', bot_name: 'b', link_enabled: true, seamless_auth_enabled: true },
      },
    ],
    [{ captcha_site_key: 't:1x00000000000000000000AA', captcha_enabled: true }, { captcha_enabled: false }],
    [{}, { cross_app_provider: true }],
    [{}, { dapp_connections: true }],
    [{}, { oauth_tokens_to_host: true }],
    [{ mfa_methods: ['totp', 'passkey'] }, { mfa_methods: ['totp'] }],
    [{}, { 'embedded_wallet_config.host_key_import': true }],
    [{ 'embedded_wallet_config.require_user_password_on_create': true }, { embedded_wallet_config: {} }],
    [{}, { frame_approvals_usd_per_day: 101 }],
    [{}, { frame_approvals_usd_per_day: null }],
    [{}, { frame_approvals_usd_per_day_unseen: 21 }],
    [{}, { frame_messages_per_day: null }],
    [{}, { card_calls: [call1] }],
    [{ card_calls: [call1] }, { card_calls: [{ ...call1, calls_per_day: 6 }] }],
    [{}, { card_typed_data: [typed] }],
    [{}, { no_prompt: noPrompt }],
    [{ no_prompt: noPrompt }, { 'no_prompt.messages': true }],
    [{ no_prompt: noPrompt }, { 'no_prompt.usd_per_day': null }],
    [{ no_prompt: noPrompt }, { 'no_prompt.typed_data': [typed] }],
    [{ enforce_wallet_uis: true }, { enforce_wallet_uis: false }],
    [{ confirm_redirect_logins: true }, { confirm_redirect_logins: false }],
    [{}, { new_method_hours: 71 }],
    [{}, { test_accounts: [{ identifier: 'ada@example.com', code: '000000' }] }],
  ])(
    'with %j, %j needs a proposal, and nothing is changed',
    async (earlier, settings, environment?: string) => {
      await prepare(earlier)
      if (environment) {
        await changeOrigins(fixture.context.db, fixture.context.clock, fixture.app.id, {
          remove: (await readSettings()).allowed_origins,
        })
        await prepare({ environment })
      }
      const before = await readSettings()
      expect(await set({ theme: 'dark', ...settings })).toMatchObject({
        status: 403,
        body: { code: 'needs_proposal', path: 'settings' },
      })
      expect(await readSettings()).toEqual(before)
    },
  )

  test.each([
    [{}, { allowed_origins: [] }],
    [{ no_prompt: noPrompt }, { no_prompt: null }],
    [
      { no_prompt: noPrompt },
      { 'no_prompt.calls': [{ ...call1, calls_per_day: 4 }], 'no_prompt.usd_per_day': 5 },
    ],
    [
      { card_calls: [call1], card_typed_data: [typed] },
      { card_calls: [], card_typed_data: [] },
    ],
    [{}, { frame_approvals_usd_per_day: 0, frame_messages_per_day: 0 }],
    [
      { cross_app_provider: true, dapp_connections: true },
      { cross_app_provider: false, dapp_connections: false },
    ],
    [{}, { enforce_wallet_uis: true, confirm_redirect_logins: true, new_method_hours: 100 }],
    [{}, { 'embedded_wallet_config.create_on_login': 'all-users' }],
  ])('with %j, %j narrows, and one operator makes it', async (earlier, settings) => {
    await prepare(earlier)
    const before = await readSettings()
    const { status, body } = await set(settings)
    expect(status).toBe(200)
    expect(body.settings).not.toEqual(before)
    expect(await readSettings()).toEqual(body.settings)
  })
})
