import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { apiRoutes } from '../api/index.ts'
import { fromWire, toWire } from '../names/naming.ts'
import {
  type AppConfig,
  appConfigSchema,
  clientConfigSchema,
  recoveryMethods,
  signUiSchema,
  transactionRequestSchema,
  walletAccountSchema,
} from './index.ts'

const app: AppConfig = {
  id: 'lkdemo0000000000000000001',
  name: 'Fieldnotes',
  verificationKey: 'key',
  logoUrl: 'https://fieldnotes.example/logo.png',
  iconUrl: null,
  accentColor: '#2c6e49',
  theme: 'light',
  showWalletLoginFirst: false,
  customApiUrl: null,
  createdAt: 1,
  updatedAt: 2,
  allowlistEnabled: true,
  allowlistConfig: { errorTitle: 'T', errorDetail: 'D', ctaText: 'C', ctaLink: 'https://fieldnotes.example' },
  allowedDomains: [],
  allowedNativeAppIds: [],
  allowedNativeAppUrlSchemes: [],
  walletAuth: false,
  emailAuth: true,
  smsAuth: false,
  farcasterAuth: false,
  passkeyAuth: false,
  telegramAuth: false,
  googleOauth: false,
  twitterOauth: false,
  discordOauth: false,
  githubOauth: false,
  spotifyOauth: false,
  instagramOauth: false,
  tiktokOauth: false,
  linkedinOauth: false,
  appleOauth: false,
  telegramAuthConfig: { botId: '1', botName: 'bot', linkEnabled: true, seamlessAuthEnabled: false },
  termsAndConditionsUrl: 'https://fieldnotes.example/terms',
  privacyPolicyUrl: 'https://fieldnotes.example/privacy',
  requireUsersAcceptTerms: false,
  embeddedWalletConfig: {
    createOnLogin: 'all-users',
    userOwnedRecoveryOptions: ['user-passcode', 'google-drive', 'icloud'],
    requireUserOwnedRecoveryOnCreate: false,
  },
  solanaBesideEthereum: true,
  solanaWalletAuth: true,
  walletConnectCloudProjectId: null,
  rpcUrls: { '1': ['https://rpc.example/v3/key'], '31337': ['http://127.0.0.1:4035'] },
  chains: [
    {
      id: 9_119,
      name: 'Feldnetz',
      symbol: 'FLD',
      decimals: 8,
      explorerUrl: 'https://explorer.feldnetz.example',
      opStack: true,
    },
  ],
  solanaRpcUrls: { devnet: ['https://solana.example/key'] },
  sponsoredChains: [31_337],
  sponsoredClusters: ['devnet'],
  testNetworks: [31337],
  fiatOnRampEnabled: false,
  crossAppProvider: true,
  dappConnections: true,
  captchaEnabled: false,
  captchaSiteKey: null,
  twitterOauthOnMobileEnabled: false,
  oauthTokensToHost: false,
  crossOriginOpenerPolicy: null,
  cardTypedData: [{ contract: '0x71c7656ec7ab88b098defb751b7401b5f6d8976f', primaryType: 'Order' }],
  mfaMethods: ['sms', 'totp', 'passkey'],
  enforceWalletUis: false,
  legacyWalletUiConfig: false,
}
const onWire = toWire(apiRoutes.appConfig.output, v.parse(appConfigSchema, app)) as Record<string, unknown>

describe('the app config of the server', () => {
  // spec L3.9
  it('has identity, branding and times in epoch seconds', () => {
    expect(onWire).toMatchObject({
      id: app.id,
      name: 'Fieldnotes',
      verification_key: 'key',
      logo_url: app.logoUrl,
      accent_color: '#2c6e49',
      show_wallet_login_first: false,
      custom_api_url: null,
      created_at: 1,
      updated_at: 2,
    })
  })

  // spec L3.10
  it('has the texts and the link of the allowlist', () => {
    expect(onWire.allowlist_config).toEqual({
      error_title: 'T',
      error_detail: 'D',
      cta_text: 'C',
      cta_link: 'https://fieldnotes.example',
    })
  })

  // spec L3.11
  it.each([
    'wallet_auth',
    'email_auth',
    'sms_auth',
    'farcaster_auth',
    'passkey_auth',
    'telegram_auth',
    'google_oauth',
    'twitter_oauth',
    'discord_oauth',
    'github_oauth',
    'spotify_oauth',
    'instagram_oauth',
    'tiktok_oauth',
    'linkedin_oauth',
    'apple_oauth',
  ])('has the flag %s', (flag) => {
    expect(onWire[flag]).toBe(flag === 'email_auth')
  })

  // spec L3.12
  it('has the bot of Telegram', () => {
    expect(onWire.telegram_auth_config).toEqual({
      bot_id: '1',
      bot_name: 'bot',
      link_enabled: true,
      seamless_auth_enabled: false,
    })
  })

  // spec L3.13
  it('has the terms', () => {
    expect(onWire).toMatchObject({
      terms_and_conditions_url: app.termsAndConditionsUrl,
      privacy_policy_url: app.privacyPolicyUrl,
      require_users_accept_terms: false,
    })
  })

  // spec L3.14
  it('has the settings of wallets and the on-ramp', () => {
    expect(onWire).toMatchObject({
      embedded_wallet_config: {
        create_on_login: 'all-users',
        user_owned_recovery_options: ['user-passcode', 'google-drive', 'icloud'],
        require_user_owned_recovery_on_create: false,
      },
      wallet_connect_cloud_project_id: null,
      fiat_on_ramp_enabled: false,
    })
  })

  // spec L3.15, L3.16
  it('has captcha, MFA and wallet screens', () => {
    expect(onWire).toMatchObject({
      captcha_enabled: false,
      captcha_site_key: null,
      twitter_oauth_on_mobile_enabled: false,
      oauth_tokens_to_host: false,
      mfa_methods: ['sms', 'totp', 'passkey'],
      enforce_wallet_uis: false,
      legacy_wallet_ui_config: false,
    })
  })

  // spec L3.24
  it.each([true, false])('has legacy_wallet_ui_config read: %j', (legacyWalletUiConfig) => {
    const said = { ...onWire, legacy_wallet_ui_config: legacyWalletUiConfig }
    expect(v.parse(appConfigSchema, fromWire(appConfigSchema, said))).toMatchObject({ legacyWalletUiConfig })
  })

  it.each([
    ['a link that is no https', { termsAndConditionsUrl: 'javascript:alert(1)' }],
    ['a logo that is a page', { logoUrl: 'data:text/html,<script>' }],
    ['a colour that is none', { accentColor: 'red;background:url(https://evil.test)' }],
    ['an id of 24', { id: 'x'.repeat(24) }],
    ['an id of 26', { id: 'x'.repeat(26) }],
    ['a legacy setting that is no yes or no', { legacyWalletUiConfig: 'yes' }],
    ['an unknown MFA method', { mfaMethods: ['carrier-pigeon'] }],
  ])('refuses %s', (_name, change) => {
    expect(v.is(appConfigSchema, { ...app, ...change })).toBe(false)
  })
})

describe('the config of a host', () => {
  const accepts = (config: unknown) => {
    expect(v.parse(clientConfigSchema, config)).toEqual(config)
  }

  // spec L3.17
  it('has name and legal', () => {
    accepts({
      name: 'Fieldnotes',
      legal: {
        requireUsersAcceptTerms: true,
        termsAndConditionsUrl: 'https://a.example/t',
        privacyPolicyUrl: 'https://a.example/p',
      },
    })
    expect(v.is(clientConfigSchema, { legal: { termsAndConditionsUrl: 'http://a.example' } })).toBe(false)
  })

  // spec L3.18
  it('has login methods and their order', () => {
    accepts({
      loginMethods: [
        'email',
        'sms',
        'google',
        'twitter',
        'discord',
        'github',
        'spotify',
        'instagram',
        'tiktok',
        'linkedin',
        'apple',
        'wallet',
        'farcaster',
        'passkey',
        'telegram',
      ],
      loginMethodsAndOrder: { primary: ['email', 'metamask'], overflow: ['google'] },
    })
    expect(v.is(clientConfigSchema, { loginMethods: ['latchkey:lkdemo0000000000000000002'] })).toBe(true)
    for (const none of ['pager', 'latchkey:', 'latchkey:short', 'other:lkdemo0000000000000000002']) {
      expect(v.is(clientConfigSchema, { loginMethods: [none] })).toBe(false)
    }
  })

  // spec L3.19
  it('has appearance', () => {
    accepts({
      appearance: {
        landingHeader: 'Hello',
        loginMessage: 'Welcome',
        loginGroupPriority: 'web3-first',
        hideDirectWeb2Inputs: true,
        walletList: ['metamask'],
        palette: { colorScheme: 'dark' },
      },
    })
    expect(v.is(clientConfigSchema, { appearance: { loginGroupPriority: 'web1-first' } })).toBe(false)
  })

  // spec L3.20, L3.21
  it('has login, allowlist, MFA and Telegram settings', () => {
    accepts({
      loginConfig: { twitterOAuthOnMobileEnabled: true, oauthTokens: true },
      allowlistConfig: { errorTitle: 'T', errorDetail: 'D', ctaText: 'C', ctaLink: 'https://a.example' },
      mfa: { methods: ['totp', 'sms', 'passkey'], noPromptOnMfaRequired: true },
      telegram: { botId: '1', botName: 'bot', seamlessAuthEnabled: true, linkEnabled: true },
    })
    accepts({ telegram: { linkEnabled: false } })
  })

  // spec W3.12
  it('has wallet, on-ramp and captcha settings', () => {
    accepts({
      embeddedWallets: {
        createOnLogin: 'off',
        requireUserOwnedRecoveryOnCreate: true,
        noPromptOnSignature: false,
        userOwnedRecoveryOptions: ['icloud'],
        waitForTransactionConfirmation: true,
      },
      fiatOnRamp: { enabled: true, useSandbox: true },
      captchaEnabled: true,
      captchaSiteKey: 't:key',
    })
    expect(v.is(clientConfigSchema, { embeddedWallets: { createOnLogin: 'sometimes' } })).toBe(false)
    const createOnLogin = { ethereum: 'off', solana: 'all-users' }
    expect(v.is(clientConfigSchema, { embeddedWallets: { createOnLogin } })).toBe(true)
    const wrong = { ...createOnLogin, solana: 'sometimes' }
    expect(v.is(clientConfigSchema, { embeddedWallets: { createOnLogin: wrong } })).toBe(false)
  })
})

// spec W3.5
it('accepts four recovery methods and passkey', () => {
  expect(recoveryMethods).toEqual(['latchkey', 'user-passcode', 'google-drive', 'icloud', 'passkey'])
  const wallet = {
    type: 'wallet',
    address: '0x1',
    chainType: 'ethereum',
    verifiedAt: 1,
    firstVerifiedAt: 1,
    latestVerifiedAt: 1,
  }
  for (const recoveryMethod of recoveryMethods)
    expect(v.is(walletAccountSchema, { ...wallet, recoveryMethod })).toBe(true)
  expect(v.is(walletAccountSchema, { ...wallet, recoveryMethod: 'paper' })).toBe(false)
})

it('treats undefined fields as omitted, except the recipient of a transaction', () => {
  const passes = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success
  expect(passes(clientConfigSchema, { name: undefined, appearance: { theme: undefined } })).toBe(true)
  expect(passes(signUiSchema, { title: undefined })).toBe(true)
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect(passes(transactionRequestSchema, { to, data: undefined, value: undefined })).toBe(true)
  expect(passes(transactionRequestSchema, { to: undefined, data: '0x6001' })).toBe(false)
})

// spec W5.11
describe('a transaction request of a host', () => {
  const passes = (given: object) =>
    v.safeParse(transactionRequestSchema, { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', ...given })
      .success

  it.each(['gasLimit', 'gasPrice', 'value', 'maxPriorityFeePerGas', 'maxFeePerGas'])(
    'has a number, a bigint or a hex string as its %s, or is refused',
    (name) => {
      for (const taken of [21_000, 21_000n, '0x5208'])
        expect([taken, passes({ [name]: taken })]).toEqual([taken, true])
      for (const refused of ['21000', '', '0x', 1.5, -1, true, null, {}, []]) {
        expect([refused, passes({ [name]: refused })]).toEqual([refused, false])
      }
    },
  )

  it('is rejected unless its chainId is a number', () => {
    expect(passes({ chainId: 1 })).toBe(true)
    for (const chainId of ['1', '0x1', 1n, 1.5, true, null, {}])
      expect([chainId, passes({ chainId })]).toEqual([chainId, false])
  })
})
