/** Tests wallets over HTTP: tokens for one step each, and which sessions get none. */

import type { ChainType } from '@latchkey/protocol'
import type { AccountAction } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import {
  forkInto,
  type TestBrowser,
  type TestSession,
  testBrowser,
  testServer,
} from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import type { Server } from '../../start/app.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { confirmAction, confirmMessage, newHandle } from '../confirm/testing/confirming.ts'
import { testVault } from './testing/vault.ts'

type Vault = Awaited<ReturnType<typeof testVault>>
const tokenAnswer = v.object({ token: v.string() })
const ended = { status: 401, answer: { code: 'missing_or_invalid_token' } }
const scope = { status: 403, answer: { code: 'insufficient_scope' } }

forDefaultEngine((database) => {
  let context: TestContext
  let app: App
  let server: Server
  let browser: TestBrowser
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    app = await testApp(context)
    server = testServer(context)
    browser = testBrowser(server, context, app)
  })

  type Step = { purpose: string; address?: string | null; step?: number }
  const stepOf = ({ publicKey }: Vault, { purpose, address = null, step = 1 }: Step) => ({
    public_key: publicKey,
    operation: { id: 'op_1', step },
    purpose,
    address,
    confirmation: null,
  })
  const confirmed = async (browser: TestBrowser, token: string, purpose: string, address: string) => {
    if (purpose === 'sign') return confirmMessage(browser, token, address).catch(newHandle)
    return purpose === 'export'
      ? confirmAction({ browser, token }, { method: 'export', params: [address] })
      : null
  }
  const ask = async (by: TestBrowser, token: string, vault: Vault, step: Step) => {
    const { purpose, address = null } = step
    const confirmation = address === null ? null : await confirmed(by, token, purpose, address)
    return by.call('walletToken', { token, body: { ...stepOf(vault, step), confirmation } })
  }
  const tokenFor = async (by: TestBrowser, token: string, vault: Vault, step: Step) =>
    v.parse(tokenAnswer, (await ask(by, token, vault, step)).answer).token
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  const pendingAnswer = v.object({
    wallet_id: v.string(),
    generation: v.number(),
    sealing_key: v.object({ id: v.string(), public_key: v.string() }),
  })
  const begin = async (
    by: TestBrowser,
    { token, user }: TestSession,
    vault: Vault,
    chain: ChainType = 'ethereum',
    purpose: 'create' | 'import' = 'create',
  ) => {
    const action: AccountAction = { method: 'import', params: [vault.address] }
    const confirmation = purpose === 'import' ? await confirmAction({ browser: by, token }, action) : null
    const asked = await by.call('walletToken', {
      token,
      body: { ...stepOf(vault, { purpose }), confirmation },
    })
    const walletToken = v.parse(tokenAnswer, asked.answer).token
    const begun = await by.call('beginWallet', { token: walletToken, body: { chain_type: chain } })
    const pending = v.parse(pendingAnswer, begun.answer)
    const { id, public_key: publicKey } = pending.sealing_key
    const place = {
      appId: app.id,
      userId: user.id,
      walletId: pending.wallet_id,
      kind: purpose === 'import' ? 'imported-key' : 'entropy',
      chain,
      generation: pending.generation,
    } as const
    const { commit } = await vault.commit(place, { id, publicKey })
    const body = {
      wallet_id: commit.walletId,
      generation: commit.generation,
      address: commit.address,
      sealing_key_id: commit.sealingKeyId,
      auth_share: commit.authShare,
      recovery: commit.recovery,
      proof: commit.proof,
    }
    return { place, walletToken, body }
  }
  const makeWallet = async (by: TestBrowser, session: TestSession) => {
    const vault = await testVault()
    const { place, walletToken, body } = await begin(by, session, vault)
    const made = await by.call('commitWallet', { token: walletToken, body })
    expect(made).toMatchObject({ status: 200 })
    return { vault, place, address: vault.address }
  }

  test('a wallet is created over HTTP, appears in its user, and is returned by a retry', async () => {
    const session = await browser.login()
    const vault = await testVault()
    const { place, walletToken, body } = await begin(browser, session, vault)
    const request = { token: walletToken, body, requestId: 'commit-once' }
    const first = await browser.call('commitWallet', request)
    const wallet = {
      status: 'committed',
      wallet_id: place.walletId,
      user_id: session.user.id,
      kind: 'entropy',
      chain: 'ethereum',
      generation: 1,
      address: vault.address,
      recovery_method: 'latchkey',
    }
    const accounts = [
      { type: 'email' },
      { type: 'wallet', connector_type: 'embedded', address: vault.address },
    ]
    expect(first).toMatchObject({ status: 200, answer: { wallet, user: { linked_accounts: accounts } } })
    expect((await browser.call('commitWallet', request)).answer).toEqual(first.answer)
    const { token } = session
    const signing = await tokenFor(browser, token, vault, { purpose: 'sign', address: vault.address })
    expect(await browser.call('releaseShares', { token: signing })).toMatchObject({
      status: 200,
      answer: { recovery_share: null, wallet },
    })
    const connecting = await tokenFor(browser, token, vault, { purpose: 'connect', address: vault.address })
    expect(await browser.call('walletStatus', { token: connecting })).toMatchObject({ answer: { wallet } })
    expect(await browser.call('me', { token })).toMatchObject({ answer: { linked_accounts: accounts } })
  })

  test('notifies the user by mail of an imported wallet only', async () => {
    const mailed = () =>
      context.mails.filter(({ subject }) => subject.includes('A wallet was imported')).length
    for (const [purpose, mails] of [
      ['create', 0],
      ['import', 1],
    ] as const) {
      const member = testBrowser(server, context, app)
      const session = await member.login(`${purpose}@example.com`)
      const { walletToken, body } = await begin(member, session, await testVault(), 'ethereum', purpose)
      expect(await member.call('commitWallet', { token: walletToken, body })).toMatchObject({ status: 200 })
      expect(mailed()).toBe(mails)
    }
  })

  describe('a wallet token', () => {
    test('names the vault, the step, the purpose and the wallet, and lives 60 seconds', async () => {
      const session = await browser.login()
      const { vault, place, address } = await makeWallet(browser, session)
      const step = { purpose: 'connect', address: address.toLowerCase(), step: 7 }
      const token = await tokenFor(browser, session.token, vault, step)
      const { iat, exp, ...claims } = claimsOf(token)
      expect(claims).toMatchObject({
        scope: 'wallet',
        vpk: vault.publicKey,
        op: { id: 'op_1', step: 7 },
        purpose: 'connect',
        wallet: place.walletId,
      })
      expect(exp - iat).toBe(60)
      context.clock.advanceSeconds(59)
      expect(await browser.call('walletStatus', { token })).toMatchObject({ status: 200 })
      context.clock.advanceSeconds(1)
      expect(await browser.call('walletStatus', { token })).toMatchObject(ended)
    })

    test('opens only the routes of its purpose', async () => {
      const session = await browser.login()
      const { vault, address } = await makeWallet(browser, session)
      const opens = {
        create: ['beginWallet', 'commitWallet'],
        connect: ['walletStatus'],
        sign: ['releaseShares'],
        recover: ['releaseShares'],
        export: ['releaseShares'],
      } as const
      const all = [
        'walletStatus',
        'beginWallet',
        'commitWallet',
        'releaseShares',
        'me',
        'walletToken',
      ] as const
      for (const [purpose, opened] of Object.entries(opens)) {
        const step = { purpose, address: purpose === 'create' ? null : address }
        const token = await tokenFor(browser, session.token, vault, step)
        for (const name of all) {
          const { status } = await browser.call(name, { token, body: { chain_type: 'ethereum' } })
          expect(status === 403, `${name} for ${purpose}`).toBe(!(opened as readonly string[]).includes(name))
        }
      }
      expect(await browser.call('walletStatus', { token: session.token })).toMatchObject(scope)
    })

    test('names a Solana wallet by its case-sensitive address', async () => {
      const session = await browser.login()
      const vault = await testVault('solana')
      const { walletToken, body } = await begin(browser, session, vault, 'solana')
      const wallet = { chain: 'solana', address: vault.address, recovery_method: 'latchkey' }
      const account = {
        type: 'wallet',
        chain_type: 'solana',
        public_key: vault.address,
        address: vault.address,
      }
      expect(await browser.call('commitWallet', { token: walletToken, body })).toMatchObject({
        status: 200,
        answer: { wallet, user: { linked_accounts: [{ type: 'email' }, account] } },
      })
      const connect = (address: string) => ask(browser, session.token, vault, { purpose: 'connect', address })
      expect(await connect(vault.address)).toMatchObject({ status: 200 })
      const other = vault.address.replace(/[a-km-z]/, (letter) => letter.toUpperCase().replace(/[IO]/, 'P'))
      expect(await connect(other)).toMatchObject({
        status: 404,
        answer: { code: 'embedded_wallet_not_found' },
      })
      for (const none of [`${vault.address.slice(0, -1)}0`, 'l'.repeat(43), vault.address.slice(0, 31)])
        expect(await connect(none)).toMatchObject({ status: 422 })
    })

    test('requires a point on the curve, and a wallet of the user', async () => {
      const session = await browser.login()
      const { vault, address } = await makeWallet(browser, session)
      const { token } = session
      const off = { ...vault, publicKey: `B${'A'.repeat(86)}` }
      expect(await ask(browser, token, off, { purpose: 'create' })).toMatchObject({ status: 422 })
      expect(await ask(browser, token, vault, { purpose: 'create', address })).toMatchObject({ status: 422 })
      expect(await ask(browser, token, vault, { purpose: 'sign' })).toMatchObject({ status: 422 })
      expect(await ask(browser, token, vault, { purpose: 'sign', address })).toMatchObject({ status: 200 })
      const another = (await testVault()).address
      const missing = { status: 404, answer: { code: 'embedded_wallet_not_found' } }
      expect(await ask(browser, token, vault, { purpose: 'sign', address: another })).toMatchObject(missing)
      const eve = testBrowser(server, context, app)
      const { token: ofEve } = await eve.login('eve@example.com')
      expect(await ask(eve, ofEve, vault, { purpose: 'sign', address })).toMatchObject(missing)
    })
  })

  // An attacker has the victim's dialog token for 15 minutes, and a vault of their own.
  describe('a copied dialog token', () => {
    const unproven = (reason: string) => ({ ...ended, answer: { ...ended.answer, details: { reason } } })

    test('gets no wallet token without a proof, with another key or with a copied proof', async () => {
      const session = await browser.login()
      const { vault, address } = await makeWallet(browser, session)
      const { token } = session
      const thief = testBrowser(server, context, app)
      const own = await testVault()
      const body = stepOf(own, { purpose: 'recover', address })
      const requestId = 'copied-request'
      const ofTheVictim = { token, requestId, body: stepOf(vault, { purpose: 'recover', address }) }
      const copied = browser.proofFor('walletToken', ofTheVictim)
      const tries = [
        [{ proof: 'none' }, 'proof_missing'],
        [{}, 'proof_of_another_key'],
        [{ headers: { dpop: copied } }, 'proof_of_another_body'],
        [{ headers: { dpop: browser.proofFor('me', { token }) } }, 'proof_of_another_method'],
        [{ headers: { dpop: browser.proofFor('acceptTerms', ofTheVictim) } }, 'proof_of_another_url'],
      ] as const
      for (const [attempt, reason] of tries)
        expect(await thief.call('walletToken', { token, requestId, body, ...attempt })).toMatchObject(
          unproven(reason),
        )
      context.clock.advanceSeconds(90)
      const late = { ...ofTheVictim, headers: { dpop: copied } }
      expect(await thief.call('walletToken', late)).toMatchObject(unproven('proof_stale'))
      expect(await browser.call('walletToken', { token, requestId, body })).toMatchObject({ status: 200 })
    })

    test('reads, links, forks and revokes nothing, while its owner does', async () => {
      const { token, refresh_token } = await browser.login()
      const thief = testBrowser(server, context, app)
      const email = 'eve@example.com'
      const calls = [
        ['me', {}],
        ['acceptTerms', {}],
        ['createSessionCode', {}],
        ['forkSession', { refresh_token }],
        ['revokeAllSessions', {}],
      ] as const
      const another = await browser.login()
      const link = { email, code: await thief.codeFor(email) }
      for (const [name, body] of [['linkEmail', link], ...calls] as const) {
        expect(await thief.call(name, { token, body, proof: 'none' }), name).toMatchObject(
          unproven('proof_missing'),
        )
        expect(await thief.call(name, { token, body }), name).toMatchObject(unproven('proof_of_another_key'))
        const options = { token: another.token, body, requestId: 'of-another' }
        const dpop = browser.proofFor(name, options)
        const ofAnotherToken = { token, body, requestId: 'of-another', headers: { dpop } }
        if (name !== 'forkSession')
          expect(await thief.call(name, ofAnotherToken), name).toMatchObject(
            unproven('proof_of_another_token'),
          )
      }
      for (const [name, body] of calls)
        expect(await browser.call(name, { token, body }), name).toMatchObject({ status: 200 })
    })

    test('gets no session code by repeating the call that created one', async () => {
      const { token } = await browser.login()
      const request = { token, requestId: 'code-once' }
      const made = await browser.call('createSessionCode', request)
      const thief = testBrowser(server, context, app)
      const bare = { ...request, proof: 'none' } as const
      expect(await thief.call('createSessionCode', bare)).toMatchObject(unproven('proof_missing'))
      expect(await thief.call('createSessionCode', request)).toMatchObject(unproven('proof_of_another_key'))
      expect((await browser.call('createSessionCode', request)).answer).toEqual(made.answer)
    })
  })

  test('does not return the release of one step to another step with the same request id', async () => {
    const session = await browser.login()
    const { address } = await makeWallet(browser, session)
    const [vault, another] = [await testVault(), await testVault()]
    const step = { purpose: 'sign', address }
    const token = await tokenFor(browser, session.token, vault, step)
    const released = await browser.call('releaseShares', { token, requestId: 'released' })
    expect(released).toMatchObject({ status: 200 })
    expect(await browser.call('releaseShares', { token, requestId: 'released' })).toMatchObject({
      status: 200,
    })
    const other = await tokenFor(browser, session.token, another, step)
    expect(await browser.call('releaseShares', { token: other, requestId: 'released' })).toMatchObject({
      status: 422,
      answer: { code: 'invalid_data' },
    })
  })

  describe('a fork', () => {
    test('has no device, and therefore gets no wallet token', async () => {
      const session = await browser.login()
      const { address } = await makeWallet(browser, session)
      const other = testBrowser(server, context, app)
      const fork = await forkInto(other, browser, session)
      const vault = await testVault()
      const steps = ['recover', 'sign', 'connect'].map((purpose) => ({ purpose, address }))
      for (const step of [...steps, { purpose: 'create' }]) {
        expect(await ask(other, fork.token, vault, step), step.purpose).toMatchObject({
          status: 403,
          answer: { code: 'device_not_bound' },
        })
        expect(await ask(browser, session.token, vault, step), step.purpose).toMatchObject({ status: 200 })
      }
    })

    test('a forked session links nothing and revokes no session, even from a one-use code', async () => {
      const session = await browser.login()
      const other = testBrowser(server, context, app)
      const made = await browser.call('createSessionCode', { token: session.token })
      const redeemed = await other.call('redeemSessionCode', { body: made.answer })
      const byCode = v.parse(tokenAnswer, redeemed.answer)
      const fork = await forkInto(other, browser, session)
      const email = 'eve@example.com'
      for (const { token } of [fork, byCode]) {
        const body = { email, code: await other.codeFor(email) }
        expect(await other.call('linkEmail', { token, body })).toMatchObject(scope)
        expect(await other.call('revokeAllSessions', { token })).toMatchObject(scope)
        expect(await other.call('acceptTerms', { token })).toMatchObject({ status: 200 })
      }
      expect(await browser.call('revokeAllSessions', { token: session.token })).toMatchObject({ status: 200 })
      expect(await other.call('me', { token: fork.token })).toMatchObject(ended)
    })
  })

  describe('a login that names a vault key', () => {
    const loginAnswer = v.object({
      token: v.string(),
      user: v.looseObject({ id: v.string() }),
      wallet_token: v.optional(v.object({ token: v.string(), purpose: v.string() })),
    })
    const createOnLogin = (option: 'users-without-wallets' | 'off') => {
      const embeddedWalletConfig = { createOnLogin: option }
      const set = { ...app, config: { ...app.config, embeddedWalletConfig } }
      const apps = { ...context.apps, find: async () => set }
      browser = testBrowser(testServer({ ...context, apps }), context, set)
    }
    const login = async (vault?: Vault) => {
      const body = { email: 'ada@example.com', code: await browser.codeFor('ada@example.com') }
      const named = vault && { public_key: vault.publicKey, operation: { id: 'op_1', step: 1 } }
      const { answer } = await browser.call('loginWithEmailCode', { body: { ...body, vault: named } })
      return v.parse(loginAnswer, answer)
    }

    test('returns a token to create a wallet, and later a token to find it', async () => {
      createOnLogin('users-without-wallets')
      const vault = await testVault()
      expect((await login()).wallet_token).toBeUndefined()
      const first = (await login(vault)).wallet_token
      expect(first?.purpose).toBe('create')
      const making = claimsOf(first?.token ?? '')
      expect(making).toMatchObject({ vpk: vault.publicKey, op: { id: 'op_1', step: 1 }, wallet: null })
      expect(making.exp - making.iat).toBe(60)
      const begun = await browser.call('beginWallet', {
        token: first?.token,
        body: { chain_type: 'ethereum' },
      })
      expect(begun).toMatchObject({ status: 200, answer: { status: 'pending' } })

      const { place } = await makeWallet(browser, await browser.login())
      const second = (await login(vault)).wallet_token
      expect(second?.purpose).toBe('connect')
      expect(claimsOf(second?.token ?? '')).toMatchObject({ purpose: 'connect', wallet: place.walletId })
    })

    test('returns no token if no wallet is due', async () => {
      createOnLogin('off')
      expect((await login(await testVault())).wallet_token).toBeUndefined()
    })
  })
})
