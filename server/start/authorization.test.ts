/** Authorization of each API call. The table lists every path; each is called with every wrong kind of token. */
import { apiRoutes, type Route } from '@latchkey/protocol/api'
import { noDelegate, type WalletPurpose } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import type { App } from '../identity/apps/apps.ts'
import { mintToken } from '../identity/sessions/sessions.ts'
import {
  type CallOptions,
  forkInto,
  type TestBrowser,
  type TestSession,
  testBrowser,
  testServer,
} from '../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../identity/sessions/tokens/verifier.ts'
import { forEachEngine } from '../kernel/db/test-engines.ts'
import { nowSeconds } from '../kernel/ports.ts'
import { type TestContext, testApp, testContext } from '../testing/context.ts'
import { capabilities } from './capabilities.ts'

type CallName = keyof typeof apiRoutes
type Row =
  | { by: 'public' }
  | { by: 'any token' }
  | { by: 'dialog token'; forks: boolean; body?: object }
  | { by: 'wallet token'; for: WalletPurpose[] }
  | { by: 'dialog or wallet token'; for: WalletPurpose[]; body: object }

const publicCall: Row = { by: 'public' }
const anyToken: Row = { by: 'any token' }
const login = (body: object = {}): Row => ({ by: 'dialog token', forks: false, body })
const alsoFork = (body: object = {}): Row => ({ by: 'dialog token', forks: true, body })
const step = (...purposes: WalletPurpose[]): Row => ({ by: 'wallet token', for: purposes })

const code = '123456'
const address = `0x${'1'.repeat(40)}`
const solanaTransaction = { address: '1'.repeat(32), cluster: 'devnet', transaction: '0x00' }
const sponsoredOperation = {
  chain_id: 1,
  nonce: '0',
  calls: [{ to: `0x${'a'.repeat(40)}`, value: '0', data: '0x' }],
  verification_gas_limit: 1,
  call_gas_limit: 1,
  authorization_nonce: null,
}
const handle = 'h'.repeat(43)
const authenticatorResponse = {
  id: 'AAAA',
  raw_id: 'AAAA',
  response: { client_data_json: 'AAAA', attestation_object: 'AAAA' },
  client_extension_results: {},
  type: 'public-key',
}
const walletProvider = `latchkey:${'b'.repeat(25)}`
const oauthCode = { authorization_code: 'c', state_code: handle, code_verifier: handle }
const verifying: WalletPurpose[] = [
  'sign',
  'set-delegate',
  'recover',
  'set-recovery',
  'export',
  'farcaster-signer',
  'farcaster-sign',
  'mfa',
  'delete-account',
]

/** The calls of the API. A dialog call has a valid body, because it is parsed before the proof is checked. */
const table: Readonly<Record<string, Row>> = {
  'GET /apps/{appId}': publicCall,
  'GET /apps/{appId}/status': publicCall,
  'GET /apps/{appId}/cross-app/connections': publicCall,
  'GET /apps/{appId}/oidc/connections': publicCall,
  'POST /analytics_events': publicCall,
  // These verify their own credential: a refresh token, a code, a handle.
  'POST /sessions': publicCall,
  'POST /sessions/fork/recover': publicCall,
  'POST /sessions/logout': publicCall,
  'POST /sessions/code/redeem': publicCall,
  'POST /sessions/handover/redeem': publicCall,
  'POST /sessions/handover/refresh': publicCall,
  'POST /confirmations/read': publicCall,
  'POST /confirmations/code': publicCall,
  'POST /confirmations/decision': publicCall,
  'POST /passkeys/window': publicCall,
  'POST /passkeys/window/status': publicCall,
  'POST /passkeys/window/answer/take': publicCall,
  'POST /passkeys/window/close': publicCall,
  'POST /passkeys/window/read': publicCall,
  'POST /passkeys/window/answer': publicCall,
  // A login has no token yet.
  'POST /passwordless/init': publicCall,
  'POST /passwordless/authenticate': publicCall,
  'POST /passwordless_sms/init': publicCall,
  'POST /passwordless_sms/authenticate': publicCall,
  // Cloud sign-in. The result is redeemed with a wallet token.
  'POST /recovery/oauth/init': publicCall,
  'POST /recovery/oauth/init_icloud': publicCall,
  'POST /oauth/init': publicCall,
  'POST /oauth/result': publicCall,
  'POST /oauth/authenticate': publicCall,
  'POST /telegram/init': publicCall,
  'POST /telegram/result': publicCall,
  'POST /telegram/authenticate': publicCall,
  'POST /siwe/init': publicCall,
  'POST /siwe/authenticate': publicCall,
  'POST /farcaster/init': publicCall,
  'GET /farcaster/status': publicCall,
  'POST /farcaster/authenticate': publicCall,
  'POST /passkeys/authenticate/init': publicCall,
  'POST /passkeys/authenticate': publicCall,
  'POST /custom_jwt_account/authenticate': publicCall,

  // Identity data, which a host may read.
  'GET /users/me': anyToken,
  'GET /token_price': anyToken,

  'POST /custom_jwt_account/confirm': alsoFork({ token: 'x' }),
  'POST /sessions/fork': alsoFork({ refresh_token: 'of the session' }),
  'POST /sessions/code': alsoFork(),
  'POST /sessions/device': login({ secret: 'AAAA' }),
  'POST /sessions/handover': login({ secret: 'AAAA' }),
  'POST /sessions/revoke_all': login(),
  'GET /users/me/sessions': login(),
  'POST /users/me/sessions/end': login({ id: 'ses_1' }),
  'POST /users/me/sessions/end_others': login(),
  'POST /users/me/accept_terms': alsoFork(),
  'GET /users/me/activity': alsoFork(),
  'GET /users/me/connected_apps': alsoFork(),
  'POST /users/me/connected_apps/end': login({ id: 'cap_1' }),
  'POST /oauth/verify': login({ interaction: 'AAAA' }),
  'POST /oauth/authorization_code': login({ interaction: 'AAAA', decision: 'deny' }),
  'GET /users/me/notices': login(),
  'POST /users/me/notices/answer': login({ id: 'ntc_1', is_mine: true }),

  'POST /passwordless/link': login({ email: 'eve@example.com', code }),
  'POST /passwordless/unlink': login({ address: 'eve@example.com' }),
  'POST /passwordless/update': login({
    oldAddress: 'ada@example.com',
    newAddress: 'eve@example.com',
    code,
  }),
  'POST /passwordless_sms/link': login({ phoneNumber: '+12025550123', code }),
  'POST /passwordless_sms/unlink': login({ phoneNumber: '+12025550123' }),
  'POST /oauth/link': login(oauthCode),
  'POST /oauth/unlink': login({ provider: 'google', subject: '1' }),
  'POST /oauth/requests/read': login({ handle }),
  'POST /oauth/requests/answer': login({ handle, answer: { type: 'rejected' } }),
  'POST /cross-app/windows': login({
    provider: walletProvider,
    relay: { handle: 'h'.repeat(48), challenge: 'c'.repeat(43), key: 'A'.repeat(87) },
    transact_url: 'https://provider.example/oauth/transact',
  }),
  'POST /cross-app/token': login({ provider: walletProvider, refresh_token: 'r', proof: 'p' }),
  'POST /telegram/link': login(),
  'POST /telegram/unlink': login({ telegram_user_id: '1' }),
  'POST /siwe/link': login({ message: 'm', signature: '0xab', chainId: 'eip155:1' }),
  'POST /siwe/unlink': login({ address }),
  'POST /farcaster/link': login({ channel_token: 't', message: 'm', signature: '0xab', fid: 1 }),
  'POST /farcaster/unlink': login({ fid: 1 }),
  'POST /passkeys/link/init': login(),
  'POST /passkeys/link': login({
    relying_party: 'dialog.localhost',
    authenticator_response: authenticatorResponse,
  }),
  'POST /passkeys/unlink': login({ credential_id: 'AAAA' }),

  'POST /confirmations': alsoFork({
    handle,
    address: null,
    request: { method: 'delete-account', params: [] },
    origin: null,
    place: 'frame',
  }),
  'POST /confirmations/status': alsoFork({ handle }),
  'POST /sponsor/quote': login({ address, chain_id: 1, calls: sponsoredOperation.calls }),
  'POST /sponsor/send': login({ address, operation: sponsoredOperation, signatures: `0x${'1'.repeat(130)}` }),
  'POST /sponsor/delegation/quote': login({ address, chain_id: 1, delegate: noDelegate }),
  'POST /sponsor/delegation/send': login({
    address,
    delegation: { chain_id: 1, delegate: noDelegate, nonce: 0, fees: null },
    signature: `0x${'1'.repeat(130)}`,
  }),
  'POST /sponsor/solana/quote': login(solanaTransaction),
  'POST /sponsor/solana/sign': login(solanaTransaction),
  'POST /sponsor/status': login({ id: `0x${'1'.repeat(64)}` }),
  'POST /wallets/token': alsoFork({
    public_key: 'A'.repeat(87),
    operation: { id: 'op_1', step: 1 },
    purpose: 'connect',
    address,
    confirmation: null,
  }),
  'POST /farcaster/signer/status': alsoFork({ ed25519_public_key: `0x${'1'.repeat(64)}` }),
  'POST /plugins/moonpay_on_ramp/sign': login({ address, useSandbox: true, config: {} }),
  'GET /plugins/moonpay_on_ramp/transaction': alsoFork(),
  'POST /mfa/passkeys/init': login(),
  'POST /recovery/passkeys/register/init': login(),
  'POST /recovery/passkeys/register': login({ authenticator_response: authenticatorResponse }),
  'POST /recovery/passkeys/init': login(),
  'POST /mfa/passwordless_sms/init': {
    by: 'dialog or wallet token',
    for: ['mfa'],
    body: { action: 'verify' },
  },

  // Wallet creation.
  'POST /wallets/begin': step('create', 'import'),
  'POST /wallets/commit': step('create', 'import'),
  'GET /wallets': step('connect'),
  // Share releases: to sign, recover, export or derive an address.
  'POST /wallets/shares': step('sign', 'set-delegate', 'recover', 'export', 'solana-address'),
  'POST /wallets/solana-address': step('solana-address'),
  'GET /wallets/recovery/password': step('recover'),
  'POST /wallets/recovery/shares': step('recover'),
  'POST /wallets/recovery/passkey': step('recover'),
  'POST /farcaster/signer/shares': step('farcaster-signer'),
  'POST /farcaster/signer/init': step('farcaster-signer'),
  'POST /farcaster/signer/messages': step('farcaster-sign'),
  // Changes of the recovery method.
  'POST /wallets/reshare/begin': step('set-recovery'),
  'POST /wallets/reshare/keep': step('set-recovery'),
  'POST /wallets/reshare/commit': step('set-recovery'),
  'POST /recovery/oauth/authenticate': step('create', 'import', 'recover', 'set-recovery'),
  'POST /recovery/configuration_icloud': step('create', 'import', 'recover', 'set-recovery'),
  // Changes of second factors.
  'POST /mfa/totp/init': step('mfa'),
  'POST /mfa/totp/enroll': step('mfa'),
  'POST /mfa/totp/unenroll': step('mfa'),
  'POST /mfa/passwordless_sms/enroll': step('mfa'),
  'POST /mfa/passwordless_sms/unenroll': step('mfa'),
  'POST /mfa/passkey/enrollment': step('mfa'),
  // Verification with a second factor.
  'POST /mfa/totp/verify': step(...verifying),
  'POST /mfa/passwordless_sms/verify': step(...verifying),
  'POST /mfa/passkey/verify': step(...verifying),
  'DELETE /users/me': step('delete-account'),
}
const purposes: WalletPurpose[] = [
  'create',
  'import',
  'connect',
  'sign',
  'set-delegate',
  'recover',
  'set-recovery',
  'export',
  'farcaster-signer',
  'farcaster-sign',
  'mfa',
  'delete-account',
]

const formatPath = ({ method, path }: Route) => `${method} ${path}`
const names = new Map(
  (Object.entries(apiRoutes) as (readonly [CallName, Route])[]).map(([name, route]) => [
    formatPath(route),
    name,
  ]),
)
const rows = Object.entries(table).map(([path, row]) => {
  const name = names.get(path)
  if (name === undefined) throw new Error(`Unknown call ${path}`)
  return { path, name, row }
})

test('the table contains exactly the mounted calls', () => {
  const mounted = capabilities
    .flatMap(({ endpoints = [] }) => endpoints)
    .map(({ route }) => formatPath(route))
  expect(Object.keys(table).sort()).toEqual([...mounted].sort())
  expect(rows).toHaveLength(123)
})

const failure = v.object({
  error: v.optional(v.string()),
  code: v.optional(v.string()),
  details: v.optional(v.looseObject({ reason: v.optional(v.string()) })),
})
const sentences = ['A token of this kind cannot authorize this call', 'A forked session cannot do this']

/** Classifies the authorization result; `authorized` is every response after authorization. */
async function classify(asked: Promise<{ answer: unknown }>): Promise<string> {
  const { error = '', code: of = '', details } = v.parse(failure, (await asked).answer)
  if (of === 'insufficient_scope' && sentences.includes(error)) return 'not with this token'
  if (of === 'must_be_authenticated') return 'not without a token'
  if (of !== 'missing_or_invalid_token') return 'authorized'
  return details?.reason ?? 'not a token here'
}

forEachEngine((database) => {
  let context: TestContext
  let app: App
  let newBrowser: (at?: App) => TestBrowser
  let browser: TestBrowser
  let session: TestSession
  let second: TestBrowser
  let fork: TestSession
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token, of) => createTokenVerifier(own())(token, of),
    })
    app = await testApp(context)
    const server = testServer(context)
    newBrowser = (at = app) => testBrowser(server, context, at)
    browser = newBrowser()
    session = await browser.login()
    second = newBrowser()
    fork = await forkInto(second, browser, await browser.login())
  })

  const claims = v.object({ sid: v.string(), client_id: v.string(), sub: v.string() })
  /** Mints a wallet token for a purpose, whether or not the session could obtain one. */
  const tokenFor = ({ token }: TestSession, purpose: WalletPurpose, walletId: string | null = 'wal_1') => {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
    const { sid: sessionId, client_id: appId, sub: userId } = v.parse(claims, JSON.parse(payload))
    const operation = { id: 'op_1', step: 1 }
    const wallet = { vaultKey: 'A'.repeat(87), operation, purpose, walletId, confirmed: null }
    return mintToken(
      context.keyring.signingKey(),
      context.config.issuer,
      { appId, userId, sessionId },
      { scope: 'wallet', step: wallet, keyThumbprint: browser.device.thumbprint, language: 'en' },
      nowSeconds(context.clock),
    )
  }
  const mintStepTokens = (of: TestSession) =>
    purposes.map((purpose) => [purpose, tokenFor(of, purpose)] as const)
  const getBody = (row: Row) => ('body' in row ? row.body : {})
  const ask = (from: TestBrowser, name: CallName, options: CallOptions) => classify(from.call(name, options))

  /** Returns all rows of the tables with user data. */
  const readUserData = async () => {
    const { db } = context
    const tables = ['users', 'linked_accounts', 'sessions', 'wallets', 'mfa_methods', 'audit_log'] as const
    return Promise.all(tables.map((name) => db.selectFrom(name).selectAll().orderBy(`${name}.id`).execute()))
  }
  const isOpenTo = (row: Row, purpose: WalletPurpose) => 'for' in row && row.for.includes(purpose)
  const takesForks = (row: Row) => 'forks' in row && row.forks
  const acceptsDialogToken = ({ by }: Row) => by === 'dialog token' || by === 'dialog or wallet token'

  test('rejects a wrong, foreign or missing token for every call, without any changes', async () => {
    const other = newBrowser(await testApp(context))
    const elsewhere = await other.login()
    const [ownSteps, stepsOfFork] = [mintStepTokens(session), mintStepTokens(fork)]
    const before = await readUserData()
    const wrong: string[] = []
    const refused = async (who: string, path: string, asked: Promise<string>, reason: string) => {
      const answer = await asked
      if (answer !== reason) wrong.push(`${path}, ${who}: ${answer}`)
    }
    for (const { path, name, row } of rows) {
      if (row.by === 'public') continue
      const body = getBody(row)
      const asks = (who: string, from: TestBrowser, options: CallOptions, reason: string) =>
        refused(who, path, ask(from, name, { body, ...options }), reason)
      // spec L6.9
      await asks('without a token', browser, {}, 'not without a token')
      await asks('with a made-up token', browser, { token: 'made-up' }, 'not a token here')
      await asks('with a token of another app', browser, { token: elsewhere.token }, 'not a token here')
      if (row.by === 'any token') {
        for (const [purpose, token] of ownSteps)
          await asks(`with a step for ${purpose}`, browser, { token }, 'not with this token')
        await asks('without a proof', browser, { token: session.token, proof: 'none' }, 'proof_missing')
        continue
      }
      await asks('with the host’s token', browser, { token: session.host_token }, 'not with this token')
      const proofless = acceptsDialogToken(row) ? 'proof_missing' : 'not with this token'
      const { token } = session
      await asks('with the dialog’s token, without a proof', browser, { token, proof: 'none' }, proofless)
      if (acceptsDialogToken(row)) {
        await asks(
          'with a copied token and a proof by its own key',
          second,
          { token },
          'proof_of_another_key',
        )
      } else {
        await asks('with the dialog’s token', browser, { token }, 'not with this token')
      }
      if (!acceptsDialogToken(row) || !takesForks(row))
        await asks('with the dialog’s token of a fork', second, { token: fork.token }, 'not with this token')
      for (const [purpose, wallet] of ownSteps) {
        if (isOpenTo(row, purpose)) {
          const there = tokenFor(elsewhere, purpose)
          await asks(
            `with a step for ${purpose} in another app`,
            browser,
            { token: there },
            'not a token here',
          )
        } else {
          await asks(`with a step for ${purpose}`, browser, { token: wallet }, 'not with this token')
        }
      }
      for (const [purpose, wallet] of row.by === 'wallet token' ? stepsOfFork : []) {
        await asks(`with a step of a fork for ${purpose}`, second, { token: wallet }, 'not with this token')
      }
    }
    expect(wrong).toEqual([])
    expect(await readUserData()).toEqual(before)
  })

  test('accepts the right token for every call', async () => {
    const wrong: string[] = []
    for (const { path, name, row } of rows) {
      const lets = async (who: string, from: TestBrowser, options: CallOptions) => {
        const answer = await ask(from, name, options)
        if (answer !== 'authorized') wrong.push(`${path}, ${who}: ${answer}`)
      }
      if (row.by === 'public') continue
      if (acceptsDialogToken(row) || row.by === 'any token') {
        // Some calls end their session, and a browser can request only a few codes.
        const visitor = newBrowser()
        const { token, refresh_token } = await visitor.login(`${name}@example.com`)
        const body = { ...getBody(row), ...('refresh_token' in getBody(row) && { refresh_token }) }
        await lets('with the dialog’s token', visitor, { token, body })
        if (takesForks(row)) {
          const own = {
            ...getBody(row),
            ...('refresh_token' in body && { refresh_token: fork.refresh_token }),
          }
          await lets('with that of a fork', second, { token: fork.token, body: own })
        }
      }
      if (row.by === 'any token') await lets('with the host’s token', browser, { token: session.host_token })
      for (const purpose of purposes.filter((each) => isOpenTo(row, each))) {
        const body = getBody(row)
        await lets(`with a step for ${purpose}`, browser, { token: tokenFor(session, purpose), body })
      }
    }
    expect(wrong).toEqual([])
  })

  test('rejects the tokens of an ended session for every call', async () => {
    const ended = await browser.login('eve@example.com')
    const steps = mintStepTokens(ended)
    await browser.call('logout', { body: { refresh_token: ended.refresh_token } })
    const wrong: string[] = []
    for (const { path, name, row } of rows) {
      if (row.by === 'public') continue
      const stepsHere = steps.filter(([purpose]) => isOpenTo(row, purpose)).map(([, token]) => token)
      const tokens = row.by === 'wallet token' ? stepsHere : [ended.token, ...stepsHere]
      for (const token of tokens) {
        const answer = await ask(browser, name, { token, body: getBody(row) })
        if (answer !== 'not a token here') wrong.push(`${path}: ${answer}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
