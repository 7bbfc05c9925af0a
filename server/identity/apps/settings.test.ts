import { defaultAppSettings, userOwnedRecoveryOptions } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { findUnimplementedSettings } from '../../kernel/app-settings/settings.ts'
import { defaultStoredConfig, storedConfigSchema } from '../../kernel/app-settings/stored-config.ts'
import { type Capability, createUnbuiltSettings } from '../../kernel/capability.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { parseStoredConfig } from './apps.ts'
import { changeSettings, setFields } from './manage.ts'
import { appById } from './store.ts'

/** A server with few capabilities, independent of those that exist. */
const little: readonly Capability[] = [
  {
    name: 'little',
    settings: [
      'emailAuth',
      'allowlistEnabled',
      'allowlistConfig',
      'accentColor',
      'theme',
      'privacyPolicyUrl',
      'customApiUrl',
      'embeddedWalletConfig.createOnLogin',
    ],
  },
]

forEachEngine((database) => {
  const open = async () => {
    const context = await testContext(database())
    const { db, clock } = context
    const { id } = await testApp(context)
    const change = (path: string, value: unknown) =>
      changeSettings(db, clock, id, [[path, value]], {
        unbuiltSettings: createUnbuiltSettings(little),
        ownOrigins: ['https://dialog.example', 'https://wallet.example'],
      })
    return { db, clock, id, change }
  }

  test.each([
    ['privacy_policy_url', 'https://dialog.example/oauth/start/a'],
    ['logo_url', 'https://wallet.example:8443/x.png'],
    ['allowlist_config.cta_link', 'https://DIALOG.example/'],
  ])('%s = %j is refused, because it is an address of this server', async (path, value) => {
    const { db, clock, id } = await open()
    const before = await appById(db, id)
    const changeAt = (ownOrigins: readonly string[]) =>
      changeSettings(db, clock, id, [[path, value]], { unbuiltSettings: () => [], ownOrigins })
    await expect(changeAt(['https://dialog.example', 'https://wallet.example'])).rejects.toThrow(
      `${path} cannot be an address of this server itself`,
    )
    expect(await appById(db, id)).toEqual(before)
    expect(await changeAt(['https://login.example', 'https://keys.example'])).toMatchObject({ id })
  })

  test('every capability together supports the settings of development apps', async () => {
    const { db, clock, id } = await open()
    const testAccounts = [{ identifier: 'tester@example.com', code: '424242' }]
    const app = await changeSettings(db, clock, id, [['test_accounts', testAccounts]], {
      unbuiltSettings: createUnbuiltSettings(capabilities),
      ownOrigins: [],
    })
    expect(parseStoredConfig(app).testAccounts).toEqual(testAccounts)
  })

  test('refuses links to the app’s own API origin', async () => {
    const { change } = await open()
    await change('custom_api_url', 'https://api.fieldnotes.example')
    await expect(change('privacy_policy_url', 'https://api.fieldnotes.example/privacy')).rejects.toThrow(
      'privacy_policy_url cannot be an address of this server itself',
    )
    await change('privacy_policy_url', 'https://fieldnotes.example/privacy')
  })

  test.each([
    ['sms_auth', true, 'sms_auth'],
    ['google_oauth', true, 'google_oauth'],
    ['wallet_auth', true, 'wallet_auth'],
    ['captcha_site_key', 't:0x4AAA', 'captcha_site_key'],
    ['require_users_accept_terms', true, 'require_users_accept_terms'],
    ['fiat_on_ramp_enabled', true, 'fiat_on_ramp_enabled'],
    ['mfa_methods', ['totp'], 'mfa_methods.totp'],
    [
      'embedded_wallet_config.user_owned_recovery_options',
      ['icloud'],
      'embedded_wallet_config.user_owned_recovery_options.icloud',
    ],
    ['allowed_native_app_ids', ['a'], 'allowed_native_app_ids.a'],
  ])('%s = %j is refused if no capability supports it', async (path, value, named) => {
    const { db, id, change } = await open()
    const before = await appById(db, id)
    await expect(change(path, value)).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringMatching(new RegExp(`^${named} cannot be turned on: .*not_supported`)),
    })
    expect(await appById(db, id)).toEqual(before)
  })

  test.each([
    ['email_auth', true],
    ['allowlist_enabled', true],
    ['allowlist_config.error_title', 'Members only'],
    ['accent_color', '#112233'],
    ['theme', 'dark'],
    ['privacy_policy_url', 'https://a.example/privacy'],
    ['embedded_wallet_config.create_on_login', 'all-users'],
    ['custom_api_url', 'https://api.a.example'],
    ['max_users', 3],
    ['sms_auth', false],
    ['mfa_methods', []],
  ])('%s = %j is accepted', async (path, value) => {
    const { change } = await open()
    await expect(change(path, value)).resolves.toBeTruthy()
  })

  test('unsupported settings that are already on do not block other changes', async () => {
    const { db, clock, id, change } = await open()
    await setFields(db, clock, id, [
      ['sms_auth', true],
      ['mfa_methods', ['sms']],
    ])
    expect(await change('accent_color', '#112233')).toMatchObject({ id })
    await expect(change('mfa_methods', ['sms', 'totp'])).rejects.toThrow('mfa_methods.totp')
    const changed = await change('sms_auth', false)
    expect(createUnbuiltSettings(little)(parseStoredConfig(changed))).toEqual([
      'mfa_methods.sms',
      'frame_approvals_usd_per_day',
      'frame_approvals_usd_per_day_unseen',
      'frame_messages_per_day',
      'new_method_hours',
      'new_device_mails',
      'sponsor_limits.usd_per_day',
      'sponsor_limits.usd_per_user_per_day',
      'sponsor_limits.usd_per_operation',
      'sponsor_limits.min_account_minutes',
    ])
  })
})

forEachEngine((database) => {
  const contract = '0x00000000000000000000000000000000000000aa'
  const listed = { chain: 1, contract, selector: '0x12345678', calls_per_day: 5 }
  const open = async () => {
    const context = await testContext(database())
    const { db, clock } = context
    const { id } = await testApp(context)
    const change = (path: string, value: unknown) =>
      changeSettings(db, clock, id, [[path, value]], {
        unbuiltSettings: createUnbuiltSettings(capabilities),
        ownOrigins: [],
      })
    return { db, id, change }
  }
  const silent = { messages: true, usd_per_day: 5, calls: [listed], typed_data: [] }

  describe('lists of calls approved on the card or without a prompt', () => {
    test.each([
      ['0x095ea7b3', 'approve(address,uint256)', 'lets another party act later'],
      ['0xa22cb465', 'setApprovalForAll(address,bool)', 'lets another party act later'],
      ['0x39509351', 'increaseAllowance(address,uint256)', 'lets another party act later'],
      [
        '0xd505accf',
        'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
        'lets another party act later',
      ],
      [
        '0x23b872dd',
        'transferFrom(address,address,uint256)',
        'moves assets of whichever account its call names',
      ],
      ['0xac9650d8', 'multicall(bytes[])', 'carries other calls'],
      ['0x3593564c', 'execute(bytes,bytes[],uint256)', 'carries other calls'],
      [
        '0x6a761202',
        'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
        'carries other calls',
      ],
    ])(
      'a list can not contain %s, and the error names %s and the reason',
      async (selector, signature, why) => {
        const { db, id, change } = await open()
        const before = await appById(db, id)
        const call = { ...listed, selector }
        for (const [setting, value] of [
          ['card_calls', [listed, call]],
          ['no_prompt', { ...silent, calls: [call] }],
        ] as const) {
          await expect(change(setting, value)).rejects.toMatchObject({
            name: 'AppRefusal',
            code: 'invalid_data',
            message: `${setting} cannot list this: ${selector} is ${signature}, which ${why}. It is always confirmed on the wallet's page.`,
          })
        }
        expect(await appById(db, id)).toEqual(before)
        await change('card_calls', [listed])
        await change('no_prompt', silent)
      },
    )

    test.each([
      [contract, 'Permit'],
      [contract, 'DaiPermit'],
      ['0x000000000022d473030f116ddee9f6b43ac78ba3', 'Order'],
    ])(
      'a list can not contain typed data of %s with type %s, because it is a permit',
      async (verifier, type) => {
        const { change } = await open()
        const typedData = [{ contract: verifier, primary_type: type }]
        const refused = {
          code: 'invalid_data',
          message: expect.stringContaining(`${type} of ${verifier} is a permit`),
        }
        await expect(change('card_typed_data', typedData)).rejects.toMatchObject(refused)
        await expect(change('no_prompt', { ...silent, typed_data: typedData })).rejects.toMatchObject(refused)
        await change('card_typed_data', [{ contract, primary_type: 'Order' }])
      },
    )

    test.each<[string, object]>([
      ['no bound', { calls_per_day: undefined }],
      ['two bounds', { usd_per_day: 5 }],
      ['part of a call', { calls_per_day: 0.5 }],
      ['less than none', { calls_per_day: -1 }],
      ['no chain', { chain: undefined }],
      ['a contract in capital letters', { contract: contract.toUpperCase() }],
      ['a selector of three bytes', { selector: '0x123456' }],
      ['something besides', { recipient: contract }],
    ])('a list rejects a call with %s', async (_name, change) => {
      const app = await open()
      const call = Object.fromEntries(
        Object.entries({ ...listed, ...change }).filter(([, value]) => value !== undefined),
      )
      await expect(app.change('card_calls', [call])).rejects.toMatchObject({ name: 'AppRefusal' })
      await app.change('card_calls', [listed])
    })

    test('a list accepts call fields in any order', async () => {
      const { change } = await open()
      const app = await change('card_calls', [
        { calls_per_day: 5, selector: '0x12345678', chain: 1, contract },
      ])
      expect(parseStoredConfig(app).cardCalls).toEqual([
        { chain: 1, contract, selector: '0x12345678', callsPerDay: 5 },
      ])
    })

    test('a stored list with an entry that was refused later does not block other settings', async () => {
      const { db, id, change } = await open()
      const stored = { ...defaultStoredConfig, cardCalls: [{ ...listed, selector: '0x095ea7b3' }] }
      const config = JSON.stringify({
        ...stored,
        cardCalls: [{ chain: 1, contract, selector: '0x095ea7b3', callsPerDay: 5 }],
      })
      await db.updateTable('apps').set({ config }).where('id', '=', id).execute()
      await change('accent_color', '#112233')
      await expect(change('card_calls', stored.cardCalls)).rejects.toMatchObject({ code: 'invalid_data' })
    })
  })

  test.each([
    [['personal_sign', 'eth_signTransaction'], true],
    [['eth_signTypedData_v4', 'eth_signTransaction'], false],
  ])(
    'converts no_prompt of an earlier release with %j to messages: %s and no calls',
    async (methods, messages) => {
      const { db, id, change } = await open()
      const config = JSON.stringify({
        ...defaultStoredConfig,
        noPrompt: { methods, contracts: [contract], usdPerDay: 5 },
      })
      await db.updateTable('apps').set({ config }).where('id', '=', id).execute()
      const app = await change('accent_color', '#112233')
      expect(parseStoredConfig(app).noPrompt).toEqual({ messages, usdPerDay: 5, calls: [], typedData: [] })
      await expect(
        change('no_prompt', { methods, contracts: [contract], usd_per_day: 5 }),
      ).rejects.toMatchObject({ name: 'AppRefusal' })
      await change('no_prompt', silent)
    },
  )
})

test('a new app has no unsupported setting on', () => {
  expect(createUnbuiltSettings(capabilities)(defaultStoredConfig)).toEqual([])
  const silent = { messages: true, usdPerDay: 1, calls: [], typedData: [] }
  expect(createUnbuiltSettings(capabilities)({ ...defaultStoredConfig, noPrompt: silent })).toEqual([])
  expect(createUnbuiltSettings([])(defaultStoredConfig)).toContain('frame_approvals_usd_per_day')
})

// spec L3.9, L3.15, L3.16
test.each(['showWalletLoginFirst', 'twitterOauthOnMobileEnabled', 'enforceWalletUis'] as const)(
  'this server supports %s',
  (setting) => {
    expect(createUnbuiltSettings(capabilities)({ ...defaultAppSettings, [setting]: true })).toEqual([])
  },
)

test.each([
  ['allowedNativeAppIds', 'allowed_native_app_ids'],
  ['allowedNativeAppUrlSchemes', 'allowed_native_app_url_schemes'],
] as const)('%s is refused: no capability logs native apps in', async (setting, name) => {
  const told = createUnbuiltSettings(capabilities)({ ...defaultStoredConfig, [setting]: ['fieldnotes'] })
  expect(told).toEqual([expect.stringMatching(new RegExp(`^${name}`))])
})

test('a setting without its capability is reported by its API name', () => {
  const without = (name: string) => capabilities.filter((capability) => capability.name !== name)
  expect(createUnbuiltSettings(without('email'))(defaultAppSettings)).toEqual(['email_auth'])
  expect(createUnbuiltSettings(without('wallets'))(defaultAppSettings)).toEqual([
    'embedded_wallet_config.create_on_login',
  ])
})

test('a capability can support one value of a setting, or all of its values', () => {
  const config = { ...defaultAppSettings, mfaMethods: ['sms' as const, 'totp' as const] }
  const rest = ['email_auth', 'embedded_wallet_config.create_on_login']
  expect(findUnimplementedSettings(config, ['mfaMethods.sms'])).toEqual([...rest, 'mfa_methods.totp'])
  expect(findUnimplementedSettings(config, ['mfaMethods'])).toEqual(rest)
})

test('every setting that a capability names exists', () => {
  const named = capabilities.flatMap(({ settings = [] }) => settings)
  expect(named.length).toBeGreaterThan(5)
  const { entries } = storedConfigSchema
  const all = Object.entries(entries).flatMap(([name, schema]) => [
    name,
    ...Object.keys('entries' in schema ? schema.entries : {}).map((part) => `${name}.${part}`),
    ...('item' in schema && 'options' in schema.item ? schema.item.options : []).map(
      (value) => `${name}.${value}`,
    ),
  ])
  // A list setting, by one of its values.
  const options = 'embeddedWalletConfig.userOwnedRecoveryOptions'
  all.push(...userOwnedRecoveryOptions.map((value) => `${options}.${value}`))
  expect(all).toEqual(expect.arrayContaining(named))
})
