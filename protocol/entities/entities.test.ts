import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { authAnswerSchema } from '../api/index.ts'
import { toWire } from '../names/naming.ts'
import {
  accessTokenClaimsSchema,
  emailAddress,
  hostAccountSchema,
  isEmailAddress,
  type LinkedAccount,
  linkedAccountSchema,
  sessionSchema,
} from './index.ts'
import { toUser, userRecordSchema } from './user.ts'

const times = { verifiedAt: 10, firstVerifiedAt: 10, latestVerifiedAt: 20 }
const wallet = {
  type: 'wallet',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chainType: 'ethereum',
  chainId: 'eip155:1',
  walletClient: 'latchkey',
  walletClientType: 'latchkey',
  connectorType: 'embedded',
  imported: false,
  walletIndex: 0,
  recoveryMethod: 'latchkey',
  ...times,
} as const
const solana = {
  type: 'wallet',
  address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
  publicKey: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
  chainType: 'solana',
  connectorType: 'embedded',
  ...times,
} as const
const external = {
  ...wallet,
  address: '0x1',
  connectorType: 'injected',
  walletClientType: 'metamask',
  walletClient: 'unknown',
} as const
const email = { type: 'email', address: 'mira@fieldnotes.app', ...times } as const
const phone = { type: 'phone', phoneNumber: '+1 2025550123', ...times } as const
const google = {
  type: 'google_oauth',
  subject: 's',
  email: 'ada@x.example',
  name: 'Ada Lovelace',
  ...times,
} as const
const record = v.parse(userRecordSchema, {
  id: 'u1',
  createdAt: 5,
  linkedAccounts: [
    email,
    phone,
    external,
    wallet,
    { type: 'farcaster', fid: 7, ownerAddress: '0x2', signerPublicKey: 'abc', ...times },
  ],
  mfaMethods: [{ type: 'totp', verifiedAt: 3 }],
  hasAcceptedTerms: true,
})

describe('the user', () => {
  // spec L3.1
  it('has id, e-mail, phone, linked accounts, wallet, MFA methods, accepted terms and farcaster', () => {
    expect(toUser(record)).toEqual({
      id: 'u1',
      createdAt: 5,
      displayName: 'mira@fieldnotes.app',
      email: { address: 'mira@fieldnotes.app' },
      phone: { number: '+1 2025550123' },
      wallet,
      farcaster: { fid: 7, signerPublicKey: 'abc' },
      linkedAccounts: record.linkedAccounts,
      mfaMethods: ['totp'],
      hasAcceptedTerms: true,
    })
  })

  it('identifies the app of a cross-app account by providerApp.id (spec L3.3)', () => {
    const crossApp = {
      type: 'cross_app' as const,
      subject: 's',
      embeddedWallets: [],
      smartWallets: [],
      ...times,
    }
    const { linkedAccounts } = toUser({ ...record, linkedAccounts: [{ ...crossApp, providerAppId: 'p' }] })
    expect(linkedAccounts).toStrictEqual([{ ...crossApp, providerApp: { id: 'p' } }])
    expect(v.is(v.array(hostAccountSchema), linkedAccounts)).toBe(true)
  })

  it('has the embedded Ethereum wallet as its wallet, or else the first one', () => {
    const walletOf = (...linkedAccounts: readonly (typeof wallet | typeof solana)[]) =>
      toUser({ ...record, linkedAccounts: [...linkedAccounts] }).wallet
    expect(walletOf(solana, wallet)).toEqual(wallet)
    expect(walletOf(solana)).toEqual(solana)
  })

  it.each<[string, string, readonly LinkedAccount[]]>([
    ['the address', 'mira@fieldnotes.app', [google, phone, email]],
    ['the number', '+1 2025550123', [google, phone]],
    ['the name at a provider', 'Ada Lovelace', [wallet, google]],
    [
      'the user name at a provider',
      'ada',
      [{ type: 'discord_oauth', subject: 's', username: 'ada', ...times }],
    ],
    [
      'the address at a provider',
      'ada@x.example',
      [{ type: 'apple_oauth', subject: 's', email: 'ada@x.example', ...times }],
    ],
    [
      'the name at Farcaster',
      'Ada',
      [{ type: 'farcaster', fid: 7, ownerAddress: '0x2', username: 'ada', displayName: 'Ada', ...times }],
    ],
    [
      'first and last name at Telegram',
      'Ada Lovelace',
      [
        {
          type: 'telegram',
          telegramUserId: '1',
          firstName: 'Ada',
          lastName: 'Lovelace',
          username: 'al',
          ...times,
        },
      ],
    ],
    [
      'the user name at Telegram, where there is no other',
      'al',
      [{ type: 'telegram', telegramUserId: '1', firstName: '', lastName: null, username: 'al', ...times }],
    ],
    [
      'the wallet that they bring',
      '0x0000…9999',
      [wallet, { ...external, address: `0x${'0'.repeat(36)}9999` }],
    ],
    ['their own wallet', '0x71C7…976F', [wallet]],
    ['their own wallet of Solana', 'HAgk14…Kpqk', [solana]],
  ])('has the display name from %s', (_name, shown, linkedAccounts) => {
    expect(toUser({ ...record, linkedAccounts: [...linkedAccounts] }).displayName).toBe(shown)
  })

  it('has empty lists and no undefined fields without accounts', () => {
    const user = toUser({ ...record, linkedAccounts: [], mfaMethods: [] })
    expect(user).toEqual({
      id: 'u1',
      createdAt: 5,
      displayName: 'u1',
      linkedAccounts: [],
      mfaMethods: [],
      hasAcceptedTerms: true,
    })
  })
})

describe('linked accounts', () => {
  // spec L3.2
  it.each([
    'email',
    'phone',
    'wallet',
    'apple_oauth',
    'discord_oauth',
    'github_oauth',
    'google_oauth',
    'linkedin_oauth',
    'spotify_oauth',
    'instagram_oauth',
    'twitter_oauth',
    'tiktok_oauth',
    'farcaster',
    'telegram',
    'passkey',
    'cross_app',
  ])('of type %s are accepted with latestVerifiedAt', (type) => {
    const everything = {
      type,
      address: 'a',
      phoneNumber: '+1 2',
      chainType: 'ethereum',
      subject: 's',
      fid: 1,
      ownerAddress: 'o',
      telegramUserId: 't',
      credentialId: 'c',
      enrolledInMfa: false,
      providerAppId: 'p',
      embeddedWallets: [],
      smartWallets: [],
      ...times,
    }
    expect(v.parse(linkedAccountSchema, everything)).toMatchObject({ type, latestVerifiedAt: 20 })
    const { latestVerifiedAt: _left, ...without } = everything
    expect(v.is(linkedAccountSchema, without)).toBe(false)
  })

  it('of an unknown type are rejected', () => {
    expect(v.is(linkedAccountSchema, { type: 'myspace', subject: 's', ...times })).toBe(false)
  })

  // spec L3.3
  it.each([
    [{ type: 'farcaster', ownerAddress: 'o', ...times }, { fid: 1 }],
    [{ type: 'telegram', ...times }, { telegramUserId: '5' }],
    [
      {
        type: 'cross_app',
        providerApp: { id: 'p' },
        smartWallets: [],
        embeddedWallets: [{ address: '0x1' }],
        ...times,
      },
      { subject: 's' },
    ],
    [
      { type: 'cross_app', subject: 's', smartWallets: [], embeddedWallets: [], ...times },
      { providerApp: { id: 'p' } },
    ],
    [
      { type: 'cross_app', subject: 's', providerApp: { id: 'p' }, smartWallets: [], ...times },
      { embeddedWallets: [] },
    ],
  ])('of a host page require the identifying field: %j', (without, needed) => {
    expect(v.is(hostAccountSchema, without)).toBe(false)
    expect(v.parse(hostAccountSchema, { ...without, ...needed })).toMatchObject(needed)
  })

  // spec L3.4
  it('of a passkey include device details', () => {
    const passkey = {
      type: 'passkey',
      credentialId: 'c',
      authenticatorName: 'n',
      createdWithBrowser: 'b',
      createdWithOs: 'o',
      enrolledInMfa: true,
      ...times,
    }
    expect(v.parse(linkedAccountSchema, passkey)).toEqual(passkey)
  })

  // spec W3.4
  it('of a wallet keep every field in both naming forms', () => {
    expect(v.parse(linkedAccountSchema, wallet)).toEqual(wallet)
    expect(Object.keys(toWire(linkedAccountSchema, wallet) as object)).toEqual(
      expect.arrayContaining([
        'type',
        'address',
        'chain_type',
        'chain_id',
        'wallet_client',
        'wallet_client_type',
        'connector_type',
        'imported',
        'recovery_method',
        'latest_verified_at',
      ]),
    )
  })
})

describe('sessions', () => {
  // spec L3.7
  it('of a login return user, is_new_user, oauth_tokens, token, refresh_token and session_update_action', () => {
    const answer = v.parse(authAnswerSchema, {
      user: record,
      isNewUser: true,
      oauthTokens: { provider: 'google', accessToken: 'a' },
      token: 't',
      refreshToken: 'r',
      sessionUpdateAction: 'set',
    })
    expect(Object.keys(toWire(authAnswerSchema, answer) as object).sort()).toEqual(
      ['is_new_user', 'oauth_tokens', 'refresh_token', 'session_update_action', 'token', 'user'].sort(),
    )
    expect(v.is(authAnswerSchema, { ...answer, sessionUpdateAction: 'keep' })).toBe(false)
  })

  // spec L3.5
  it('a session holds access, refresh and forked token, and provider tokens by app', () => {
    const session = {
      accessToken: 'a',
      refreshToken: 'r',
      forkedToken: 'f',
      providerAccessTokens: { app: 'p' },
    }
    expect(v.parse(sessionSchema, session)).toEqual(session)
    for (const field of Object.keys(session)) {
      const { [field as keyof typeof session]: _left, ...without } = session
      expect(v.is(sessionSchema, without)).toBe(false)
    }
  })

  it('claims need subject, expiration, issuer, audience and scope', () => {
    const claims = { sub: 'u', exp: 2, iat: 1, iss: 'i', aud: 'a', sid: 's', scope: 'host' }
    for (const field of Object.keys(claims)) {
      const { [field as keyof typeof claims]: _left, ...without } = claims
      expect(v.is(accessTokenClaimsSchema, without)).toBe(false)
    }
  })
})

describe('an e-mail address', () => {
  it.each([
    'mira@fieldnotes.app',
    'a+b@c.co',
    'o’neil@example.ie',
    'user@münchen.de',
    '  MIRA@Fieldnotes.App ',
  ])('accepts %s', (value) => {
    expect(isEmailAddress(value)).toBe(true)
  })
  it.each([
    '',
    'mira',
    'mira@',
    '@x.y',
    'a b@c.d',
    'a@b',
    'a@b.',
    'a@.b',
    'a@b..c',
    'a@b@c.d',
    'a@b.c\nbcc:x@y.z',
    '<a@b.c>',
    'a,b@c.d',
    `${'x'.repeat(250)}@b.co`,
    // Would create a second account for the same mailbox.
    'mi\0ra@b.co',
    'mi\u0007ra@b.co',
    'mi\u200Bra@b.co',
    'mi\u00ADra@b.co',
    'mira\u200D@b.co',
    'ｍira@b.co',
    'ⓜira@b.co',
    'mira@b\u00AD.co\0',
    'mira@127.1',
    'mira@b%2eco.de',
    'mira@b.c/d',
    'a@b.\uD800',
  ])('rejects %j', (value) => {
    expect(isEmailAddress(value)).toBe(false)
  })
  it.each([
    ['  MIRA@Fieldnotes.App ', 'mira@fieldnotes.app'],
    ['mira@ｆieldnotes.app', 'mira@fieldnotes.app'],
    ['user@MÜNCHEN.de', 'user@xn--mnchen-3ya.de'],
    ['user@xn--mnchen-3ya.de', 'user@xn--mnchen-3ya.de'],
    ['Jose\u0301@b.co', 'jos\u00e9@b.co'],
    ['jos\u00e9@b.co', 'jos\u00e9@b.co'],
  ])('normalizes %j to %s', (value, mailbox) => {
    expect(v.parse(emailAddress, value)).toBe(mailbox)
  })
  it('is normalized idempotently', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (value) => {
        const parsed = v.safeParse(emailAddress, value)
        if (parsed.success) expect(v.parse(emailAddress, parsed.output)).toBe(parsed.output)
      }),
    )
  })
  it('never contains a second address for a mail header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        if (isEmailAddress(value)) expect(value.trim()).not.toMatch(/[\s,;<>"]/)
      }),
    )
  })
})
