import { appConfigSchema, toWire } from '@latchkey/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { getAppStatus } from './apps.ts'
import { changeAllowlist, changeOrigins, createApp, setFields } from './manage.ts'
import { appById, listAllowlist } from './store.ts'

const origins = ['https://app.example']
const production = { name: 'Fieldnotes', environment: 'production', origins } as const
const development = { ...production, environment: 'development' } as const

forEachEngine((database) => {
  const open = async () => {
    const context = await testContext(database())
    const { db, clock } = context
    const app = await testApp(context, production)
    const set = (path: string, value: unknown) => setFields(db, clock, app.id, [[path, value]])
    const now = async () => {
      clock.advanceSeconds(2)
      return context.apps.find(app.id)
    }
    return { ...context, app, set, now }
  }

  // spec L3.9, L3.10, L3.11, L3.13, L3.14, L3.15, L3.16
  test('a new app has a config with all settings', async () => {
    const { app } = await open()
    expect(v.parse(appConfigSchema, app.config)).toEqual(app.config)
    expect(app.config.verificationKey).toContain('BEGIN PUBLIC KEY')
    expect(app.config.createdAt).toBe(app.config.updatedAt)
  })

  test('an app created before a setting existed has its default', async () => {
    const { db, app, now } = await open()
    const { oauth_tokens_to_host, ...older } = JSON.parse((await appById(db, app.id))?.config ?? '{}')
    await db
      .updateTable('apps')
      .set({ config: JSON.stringify(older) })
      .where('id', '=', app.id)
      .execute()
    expect((await now())?.config).toMatchObject({ emailAuth: true, oauthTokensToHost: false })
  })

  test('an app created without an id gets one of 25 characters', async () => {
    const { db, clock } = await open()
    expect((await createApp(db, clock, production)).id).toMatch(/^[a-z0-9]{25}$/)
  })

  test('two changes within one second have different update times', async () => {
    const { db, clock, app, set } = await open()
    const times = [app.config.updatedAt]
    await set('theme', 'dark')
    times.push((await appById(db, app.id))?.updated_at ?? 0)
    await changeOrigins(db, clock, app.id, { add: ['https://two.example'] })
    times.push((await appById(db, app.id))?.updated_at ?? 0)
    const [first = 0] = times
    expect(times).toEqual([first, first + 1, first + 2])
  })

  test('an app id can be used once', async () => {
    const { db, clock, app } = await open()
    await expect(createApp(db, clock, { ...production, id: app.id })).rejects.toThrow('already exists')
  })

  test.each([
    ['an id of another length', { id: 'a'.repeat(24) }, /25 letters and digits/],
    ['an empty name', { name: ' ' }, /visible characters/],
    ['a name that turns the text around', { name: 'Bank\u202e' }, /visible characters/],
    ['a path', { origins: ['https://app.example/path'] }, /is not an origin/],
    ['an origin that a policy header would read', { origins: ['https://a.example;'] }, /is not an origin/],
    ['a wildcard in production', { origins: ['https://*.app.example'] }, /development app/],
    ['http in production', { origins: ['http://app.example'] }, /only https origins/],
    [
      'a wildcard below a top-level domain',
      { environment: 'development', origins: ['https://*.com'] },
      /origin/,
    ],
  ] as const)('%s is refused', async (_, change, reason) => {
    const { db, clock } = await open()
    await expect(createApp(db, clock, { ...production, ...change })).rejects.toThrow(reason)
  })

  test('two concurrent changes by operators are both kept', async () => {
    const { db, clock, app, now } = await open()
    const fields = [
      ['sms_auth', true],
      ['accent_color', '#112233'],
      ['wallet_auth', true],
      ['max_users', 3],
      ['allowlist_config.error_title', 'Not yet'],
      ['passkey_auth', true],
    ] as const
    await Promise.all([
      ...fields.map((field) => database().transaction((trx) => setFields(trx, clock, app.id, [field]))),
      database().transaction((trx) => changeOrigins(trx, clock, app.id, { add: ['https://a.example'] })),
      database().transaction((trx) => changeOrigins(trx, clock, app.id, { add: ['https://b.example'] })),
    ])
    expect(await now()).toMatchObject({
      maxUsers: 3,
      config: {
        smsAuth: true,
        accentColor: '#112233',
        walletAuth: true,
        passkeyAuth: true,
        allowlistConfig: { errorTitle: 'Not yet' },
      },
    })
    const listed = JSON.parse((await appById(db, app.id))?.allowed_origins ?? '[]')
    expect(listed.toSorted()).toEqual(['https://a.example', 'https://app.example', 'https://b.example'])
  })

  test('fields are set by their API names', async () => {
    const { set, now } = await open()
    await set('sms_auth', true)
    await set('accent_color', '#112233')
    await set('embedded_wallet_config.create_on_login', 'off')
    await set('allowlist_config.error_title', 'Not yet')
    await set('name', 'Fieldbook')
    await set('max_users', 3)
    await set('new_method_hours', 720)
    expect(await now()).toMatchObject({
      name: 'Fieldbook',
      maxUsers: 3,
      login: { newMethodHours: 720 },
      config: {
        name: 'Fieldbook',
        smsAuth: true,
        accentColor: '#112233',
        embeddedWalletConfig: { createOnLogin: 'off' },
        allowlistConfig: { errorTitle: 'Not yet' },
      },
    })
  })

  test.each([
    ['accent_color', 'red'],
    ['terms_and_conditions_url', 'javascript:alert(1)'],
    ['logo_url', 'http://app.example/logo.png'],
    ['email_auth', 'perhaps'],
    ['emailAuth', false],
    ['no_such_field', 1],
    ['embedded_wallet_config.no_such_field', 1],
    ['__proto__.email_auth', false],
    ['id', 'b'.repeat(25)],
    ['custom_api_url', 'http://api.app.example'],
    ['custom_api_url', 'https://api.app.example/v1'],
    ['rpc_urls.1', ['http://rpc.example']],
    ['rpc_urls.1', ['https://user@']],
    ['rpc_urls.1', []],
    ['rpc_urls.one', ['https://rpc.example']],
    ['rpc_urls.1', ['http://127.0.0.1.example']],
    ['test_networks', ['1']],
    ['chains', [{ id: 9_119, name: 'Feldnetz', symbol: 'FLD' }]],
    ['chains', [{ id: 0, name: 'Feldnetz', symbol: 'FLD', decimals: 8 }]],
    ['chains', [{ id: 9_119, name: 'Feld\u202enetz', symbol: 'FLD', decimals: 8 }]],
    ['chains', [{ id: 9_119, name: 'Feldnetz', symbol: 'F'.repeat(17), decimals: 8 }]],
    ['chains', [{ id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 37 }]],
    [
      'chains',
      [{ id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8, explorer_url: 'http://a.example' }],
    ],
    [
      'chains',
      [{ id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8, explorerUrl: 'https://a.example' }],
    ],
    [
      'chains',
      [
        { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 },
        { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 },
      ],
    ],
    ['max_users', -1],
    ['new_method_hours', -1],
    ['new_method_hours', 721],
    ['new_method_hours', 1.5],
    ['session_mode', 'memory'],
    ['name', ''],
  ])('%s = %o is refused and changes nothing', async (path, value) => {
    const { db, clock, app } = await open()
    const before = await appById(db, app.id)
    const both = setFields(db, clock, app.id, [
      ['sms_auth', true],
      [path, value],
    ])
    await expect(both).rejects.toThrow(expect.objectContaining({ name: 'AppRefusal' }))
    expect(await appById(db, app.id)).toEqual(before)
  })

  test('RPC URLs need https, and a development app may use http on localhost', async () => {
    const { db, clock, app } = await open()
    const urls = { 1: ['https://a.example/key', 'https://b.example'], 31337: ['http://127.0.0.1:4035'] }
    await setFields(db, clock, app.id, [
      ['environment', 'development'],
      ['rpc_urls', urls],
    ])
    expect(JSON.parse((await appById(db, app.id))?.config ?? '')).toMatchObject({ rpcUrls: urls })
    const toProduction = setFields(db, clock, app.id, [['environment', 'production']])
    await expect(toProduction).rejects.toThrow('rpc_urls cannot contain http://127.0.0.1:4035')
    await setFields(db, clock, app.id, [
      ['environment', 'production'],
      ['rpc_urls', { 1: ['https://a.example/key'] }],
    ])
  })

  test("the operator's chain names are returned to browsers", async () => {
    const { set, now } = await open()
    const feldnetz = {
      id: 9_119,
      name: 'Feldnetz',
      symbol: 'FLD',
      decimals: 8,
      explorer_url: 'https://explorer.feldnetz.example',
      op_stack: true,
    }
    await set('rpc_urls.9119', ['https://rpc.feldnetz.example'])
    await set('chains', [feldnetz])
    const app = await now()
    expect(toWire(appConfigSchema, app?.config)).toMatchObject({
      rpc_urls: { 9119: ['https://rpc.feldnetz.example'] },
      chains: [feldnetz],
    })
  })

  test('a custom API URL turns on cookie mode', async () => {
    const { set, now } = await open()
    await set('custom_api_url', 'https://api.app.example')
    expect(await now()).toMatchObject({ sessionMode: 'cookie' })
  })

  test('a development app with a wildcard can not become a production app', async () => {
    const context = await testContext(database())
    const app = await testApp(context, { ...development, origins: ['https://*.preview.example'] })
    const change = setFields(context.db, context.clock, app.id, [['environment', 'production']])
    await expect(change).rejects.toThrow('development app')
  })

  test('the status distinguishes an unknown app from an unlisted origin', async () => {
    const { app, db, clock, now } = await open()
    expect(getAppStatus(undefined, 'https://app.example')).toBe('unknown_app')
    expect(getAppStatus(app, 'https://app.example')).toBe('ok')
    expect(getAppStatus(app, 'https://evil.example')).toBe('origin_not_allowed')
    expect(app.config.allowedDomains).toEqual(['https://app.example'])
    await changeOrigins(db, clock, app.id, { remove: ['https://app.example'], add: ['https://new.example'] })
    expect(getAppStatus(await now(), 'https://app.example')).toBe('origin_not_allowed')
    expect((await now())?.config.allowedDomains).toEqual(['https://new.example'])
    await expect(changeOrigins(db, clock, app.id, { remove: ['https://x.example'] })).rejects.toThrow(
      'does not list https://x.example',
    )
  })

  test('the allowlist stores addresses in the spelling of accounts', async () => {
    const { db, app } = await open()
    await changeAllowlist(db, app.id, 'add', 'email', ' Ada@Example.org ')
    await changeAllowlist(db, app.id, 'add', 'email', 'ada@example.org')
    expect(await listAllowlist(db, app.id)).toEqual([{ type: 'email', identifier: 'ada@example.org' }])
    await expect(changeAllowlist(db, app.id, 'add', 'phone', '12')).rejects.toThrow(
      'not a valid identifier for phone',
    )
    await changeAllowlist(db, app.id, 'remove', 'email', 'ADA@example.org')
    await changeAllowlist(db, app.id, 'add', 'phone', '+12025550123')
    await changeAllowlist(db, app.id, 'add', 'phone', '+1 202 555 0123')
    expect(await listAllowlist(db, app.id)).toEqual([{ type: 'phone', identifier: '+1 2025550123' }])
    await changeAllowlist(db, app.id, 'remove', 'phone', '+1 2025550123')
    expect(await listAllowlist(db, app.id)).toEqual([])
    await changeAllowlist(db, app.id, 'add', 'wallet', `0x${'Ab'.repeat(20)}`)
    await changeAllowlist(db, app.id, 'add', 'wallet', `eip155:8453:0x${'Ab'.repeat(20)}`)
    const solana = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
    await changeAllowlist(db, app.id, 'add', 'wallet', solana)
    await expect(
      changeAllowlist(db, app.id, 'add', 'wallet', `solana:1:0x${'ab'.repeat(20)}`),
    ).rejects.toThrow('not a valid identifier for wallet')
    expect(await listAllowlist(db, app.id)).toEqual([
      { type: 'wallet', identifier: `0x${'ab'.repeat(20)}` },
      { type: 'wallet', identifier: solana },
      { type: 'wallet', identifier: `eip155:8453:0x${'ab'.repeat(20)}` },
    ])
  })

  // spec L6.3
  test.each([
    ['google_oauth', '110169484474386276334'],
    ['apple_oauth', '001999.0a1b.0001'],
    ['discord_oauth', '80351110224678912'],
    ['github_oauth', '583231'],
    ['linkedin_oauth', '782bbtaQ'],
    ['spotify_oauth', 'Ada'],
    ['instagram_oauth', '17841'],
    ['twitter_oauth', '2244994945'],
    ['tiktok_oauth', '723f24d7'],
    ['telegram', '279058397'],
    ['farcaster', '3621'],
    ['custom_auth', 'User-1'],
  ])('the allowlist stores accounts of %s as %s', async (type, identifier) => {
    const { db, app } = await open()
    await changeAllowlist(db, app.id, 'add', type, identifier)
    expect(await listAllowlist(db, app.id)).toEqual([{ type, identifier }])
    await changeAllowlist(db, app.id, 'remove', type, identifier)
    expect(await listAllowlist(db, app.id)).toEqual([])
  })

  test.each([
    ['telegram', '@ada'],
    ['farcaster', '0'],
    ['google_oauth', ''],
    ['passkey', 'any'],
    ['toString', 'any'],
  ])('the allowlist rejects %s identifiers like %j', async (type, identifier) => {
    const { db, app } = await open()
    await expect(changeAllowlist(db, app.id, 'add', type, identifier)).rejects.toThrow(
      /is not a valid identifier|The type must be one of email, phone, google_oauth, apple_oauth, discord_oauth/,
    )
    expect(await listAllowlist(db, app.id)).toEqual([])
  })

  test('running servers apply a change within a second', async () => {
    const { set, apps, app, clock } = await open()
    await set('sms_auth', true)
    clock.advanceSeconds(1)
    expect((await apps.find(app.id))?.config.smsAuth).toBe(true)
  })
})
