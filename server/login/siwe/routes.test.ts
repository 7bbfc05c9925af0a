/** Login with a wallet over HTTP, with keys, and with contracts on a chain of the sandbox. */
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Server } from '../../app.ts'
import type { App } from '../../apps/apps.ts'
import { changeAllowlist, setFields } from '../../apps/manage.ts'
import { chains } from '../../chains/chains.ts'
import { createRpcChains } from '../../chains/rpc-chains.ts'
import { contractWalletsOn, keyWallet, type TestWallet } from '../../chains/testing/contract-wallets.ts'
import { forEachEngine } from '../../db/test-engines.ts'
import { sessionAnswer, type TestBrowser, testBrowser, testServer } from '../../sessions/testing/browser.ts'
import { createTokenVerifier } from '../../sessions/verifier.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { programs } from '../../testing/program.ts'
import { startChain } from '../../testing/sandbox.ts'

const host = 'http://demo.localhost:4010'
const dialog = 'http://dialog.localhost:4000'

const { run, killAll } = programs()
let chainUrl = ''
let contracts: Awaited<ReturnType<typeof contractWalletsOn>>
beforeAll(async () => {
  chainUrl = await startChain(run)
  contracts = await contractWalletsOn(chainUrl)
})
afterAll(killAll)

type MessageParts = {
  readonly origin?: string
  readonly address?: string
  readonly chainId?: number
  readonly issuedAtMs?: number
  readonly more?: string
}

forEachEngine(
  (database) => {
    let context: TestContext
    let app: App
    let server: Server
    let browser: TestBrowser
    let wallet: TestWallet
    beforeEach(async () => {
      context = await testContext(database(), {
        verifyToken: (own) => (token) => createTokenVerifier(own())(token),
      })
      chains.put(context.ports, createRpcChains(new Map([[31_337, chainUrl]])))
      app = await testApp(context)
      await setFields(context.db, context.clock, app.id, [['wallet_auth', true]])
      context.clock.advanceSeconds(5)
      server = testServer(context)
      browser = testBrowser(server, context, app)
      wallet = keyWallet()
    })

    const nonceAnswer = v.object({ nonce: v.string(), address: v.string(), expires_at: v.number() })
    const begin = (
      of: Pick<TestWallet, 'address'> = wallet,
      from = browser,
      origin: string | undefined = host,
    ) => from.call('beginSiwe', { body: { address: of.address, ...(origin !== undefined && { origin }) } })
    const nonceFor = async (of = wallet, from = browser, origin: string | undefined = host) =>
      v.parse(nonceAnswer, (await begin(of, from, origin)).answer).nonce

    const messageWith = (
      nonce: string,
      parts: MessageParts = {},
      of: Pick<TestWallet, 'address'> = wallet,
    ) => {
      const { origin = host, address = of.address, chainId = 1, more = '' } = parts
      return [
        `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
        address,
        '',
        'Sign in to Fieldnotes',
        '',
        `URI: ${origin}`,
        'Version: 1',
        `Chain ID: ${chainId}`,
        `Nonce: ${nonce}`,
        `Issued At: ${new Date(parts.issuedAtMs ?? context.clock.nowMs()).toISOString()}${more}`,
      ].join('\n')
    }
    /** What a dialog sends once the wallet has signed. */
    const signed = async (nonce: string, parts: MessageParts = {}, of: TestWallet = wallet) => {
      const message = messageWith(nonce, parts, of)
      const chainId = `eip155:${parts.chainId ?? 1}`
      return { message, signature: await of.sign(message), chainId }
    }
    const signedByNow = async (of = wallet, parts: MessageParts = {}, from = browser) =>
      signed(await nonceFor(of, from), parts, of)
    const login = (body: unknown, from = browser, requestId?: string) =>
      from.call('loginWithSiwe', { body, ...(requestId !== undefined && { requestId }) })

    const askNobody = () =>
      chains.put(context.ports, {
        verifyMessage: async () => {
          throw new Error('Nobody is to be asked')
        },
      })
    const refused = (code: string, reason: string) => ({ status: 422, answer: { code, details: { reason } } })

    describe('a login', () => {
      // spec L1.4, L7.19, L7.20
      test('makes a user with the wallet the first time, and finds the same one again', async () => {
        const begun = await begin()
        expect(begun).toMatchObject({
          status: 200,
          answer: {
            nonce: expect.stringMatching(/^[a-z0-9]{32}$/),
            address: wallet.address,
            expires_at: context.clock.nowMs() / 1_000 + 600,
          },
        })
        const body = await signed(v.parse(nonceAnswer, begun.answer).nonce)
        const first = await login({ ...body, walletClientType: 'metamask', connectorType: 'injected' })
        const account = {
          type: 'wallet',
          address: wallet.address,
          chain_type: 'ethereum',
          chain_id: 'eip155:1',
          wallet_client: 'unknown',
          wallet_client_type: 'metamask',
          connector_type: 'injected',
        }
        expect(first).toMatchObject({
          status: 200,
          answer: {
            is_new_user: true,
            user: { linked_accounts: [account] },
            token: expect.any(String),
            refresh_token: expect.any(String),
          },
        })
        const lower = { ...wallet, address: wallet.address.toLowerCase() as typeof wallet.address }
        const again = await login(await signed(await nonceFor(lower)))
        expect(again).toMatchObject({ status: 200, answer: { is_new_user: false } })
        expect(v.parse(sessionAnswer, again.answer).user.id).toBe(
          v.parse(sessionAnswer, first.answer).user.id,
        )
      })

      test('is one account, on whatever chain the wallet was', async () => {
        const first = await login(await signedByNow())
        const again = await login(await signedByNow(wallet, { chainId: 8_453 }))
        expect(again).toMatchObject({
          status: 200,
          answer: { is_new_user: false, user: { linked_accounts: [{ chain_id: 'eip155:8453' }] } },
        })
        expect(v.parse(sessionAnswer, again.answer).user.id).toBe(
          v.parse(sessionAnswer, first.answer).user.id,
        )
      })

      test('needs no chain for a key: none is asked', async () => {
        askNobody()
        expect(await login(await signedByNow())).toMatchObject({ status: 200 })
      })

      test('takes a message with resources, and one without a host from the dialog itself', async () => {
        const more = `\nResources:\n- https://example.com/claim.json`
        expect(await login(await signedByNow(wallet, { more }))).toMatchObject({ status: 200 })
        const nonce = v.parse(
          nonceAnswer,
          (await browser.call('beginSiwe', { body: { address: wallet.address } })).answer,
        ).nonce
        expect(await login(await signed(nonce, { origin: dialog }))).toMatchObject({ status: 200 })
      })

      test('asked again after a lost answer gives the same session, from one message', async () => {
        const body = await signedByNow()
        const first = v.parse(sessionAnswer, (await login(body, browser, 'login-once')).answer)
        const again = v.parse(sessionAnswer, (await login(body, browser, 'login-once')).answer)
        expect(again.refresh_token).toBe(first.refresh_token)
        expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
      })
    })

    // Some hardware wallets count from 0 where others count from 27.
    test('a signature says which of two keys it is of as 0 or 1 too', async () => {
      const body = await signedByNow()
      const [kind = ''] = body.signature.slice(-2).match(/1[bc]/) ?? []
      const signature = body.signature.slice(0, -2) + { '1b': '00', '1c': '01' }[kind]
      expect(signature).toMatch(/0[01]$/)
      expect(await login({ ...body, signature })).toMatchObject({ status: 200 })
    })

    describe('a nonce', () => {
      const gone = refused('invalid_credentials', 'nonce')

      test('is used once, also by several at once', async () => {
        const body = await signedByNow()
        const answers = await Promise.all([1, 2, 3, 4].map(() => login(body)))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
        expect(await login(body)).toMatchObject(gone)
        expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
      })

      test('is of the browser that asked for it', async () => {
        const body = await signedByNow()
        const stranger = testBrowser(server, context, app)
        expect(await login(body, stranger)).toMatchObject(gone)
        askNobody()
        expect(await login({ ...body, signature: '0x00' }, stranger)).toMatchObject(gone)
        expect(await login(body)).toMatchObject({ status: 200 })
      })

      test('is of its app', async () => {
        const other = await testApp(context)
        await setFields(context.db, context.clock, other.id, [['wallet_auth', true]])
        context.clock.advanceSeconds(5)
        // One browser, which both apps know by the same binding.
        const headers = { 'latchkey-login-binding': 'one browser' }
        const begun = await browser.call('beginSiwe', {
          headers,
          body: { address: wallet.address, origin: host },
        })
        const body = await signed(v.parse(nonceAnswer, begun.answer).nonce)
        const elsewhere = testBrowser(server, context, other)
        expect(await elsewhere.call('loginWithSiwe', { headers, body })).toMatchObject(gone)
        askNobody()
        const wrong = { ...body, signature: '0x00' }
        expect(await elsewhere.call('loginWithSiwe', { headers, body: wrong })).toMatchObject(gone)
        expect(await browser.call('loginWithSiwe', { headers, body })).toMatchObject({ status: 200 })
      })

      test('holds for ten minutes', async () => {
        const [early, late] = [await signedByNow(), await signedByNow()]
        context.clock.advanceSeconds(599)
        expect(await login(early)).toMatchObject({ status: 200 })
        context.clock.advanceSeconds(1)
        expect(await login(late)).toMatchObject(gone)
      })

      test('that nobody made is none', async () => {
        expect(await login(await signed('a'.repeat(32)))).toMatchObject(gone)
      })

      test('is used up by a wrong signature too', async () => {
        const body = await signedByNow(wallet, { chainId: 31_337 })
        const stranger = await keyWallet().sign(body.message)
        expect(await login({ ...body, signature: stranger })).toMatchObject(
          refused('invalid_credentials', 'signature'),
        )
        expect(await login(body)).toMatchObject(gone)
      })

      test.each([
        'https://evil.example',
        'http://demo.localhost:4011',
        'http://demo.localhost:4010/',
        'http://wallet.localhost:4000',
        'null',
        '',
      ])('is not made for the page %j, which the app has not listed', async (origin) => {
        expect(await begin(wallet, browser, origin)).toMatchObject({
          status: 403,
          answer: { code: 'origin_not_allowed' },
        })
      })

      test.each(['0xfB6916095CA1df60bB79Ce92cE3Ea74c37c5d359', '0xabc', 'ada.eth', ''])(
        'is not made for %j, which is no address',
        async (address) => {
          const body = { address, origin: host }
          expect(await browser.call('beginSiwe', { body })).toMatchObject({
            status: 422,
            answer: { code: 'invalid_data' },
          })
        },
      )
    })

    describe('a message', () => {
      test.each<[string, MessageParts]>([
        ['domain', { origin: 'https://evil.example' }],
        ['domain', { origin: 'http://demo.localhost' }],
        ['domain', { origin: 'http://demo.localhost:4011' }],
        ['domain', { origin: dialog }],
        ['issued_at', { issuedAtMs: Date.UTC(2020, 0, 1) }],
        ['expired', { more: '\nExpiration Time: 2025-12-31T23:59:59Z' }],
        ['not_yet_valid', { more: '\nNot Before: 2100-01-01T00:00:00Z' }],
        ['format', { more: '\nAnd: more' }],
      ])('is refused for its %s: %j', async (reason, parts) => {
        const nonce = await nonceFor()
        expect(await login(await signed(nonce, parts))).toMatchObject(refused('invalid_message', reason))
        // The same nonce in the right message lets in: nothing else was wrong.
        expect(await login(await signed(nonce))).toMatchObject({ status: 200 })
      })

      test('of one page of the app is not taken from another, though both are listed', async () => {
        const other = 'https://other.example'
        await setFields(context.db, context.clock, app.id, [])
        await context.db
          .updateTable('apps')
          .set({ allowed_origins: JSON.stringify([host, other]) })
          .where('id', '=', app.id)
          .execute()
        context.clock.advanceSeconds(5)
        const nonce = await nonceFor(wallet, browser, other)
        expect(await login(await signed(nonce))).toMatchObject(refused('invalid_message', 'domain'))
        expect(await login(await signed(nonce, { origin: other }))).toMatchObject({ status: 200 })
      })

      test('of another wallet than the nonce is refused, though that wallet signed it', async () => {
        const nonce = await nonceFor()
        const other = keyWallet()
        expect(await login(await signed(nonce, {}, other))).toMatchObject(
          refused('invalid_message', 'address'),
        )
        expect(await login(await signed(nonce))).toMatchObject({ status: 200 })
      })

      test('for another chain than the call says is refused', async () => {
        const body = await signedByNow()
        expect(await login({ ...body, chainId: 'eip155:10' })).toMatchObject(
          refused('invalid_message', 'chain'),
        )
        expect(await login(body)).toMatchObject({ status: 200 })
      })

      test.each([
        ['chainId', '1'],
        ['chainId', 'eip155:0'],
        ['chainId', 'solana:1'],
        ['signature', '0x'],
        ['signature', 'ab'],
        ['signature', `0x${'00'.repeat(16_384)}`],
        // These names are those of wallets that are kept here.
        ['walletClientType', 'latchkey'],
        ['connectorType', 'embedded'],
      ])('comes with no %s of %j', async (field, value) => {
        const body = await signedByNow()
        expect(await login({ ...body, [field]: value })).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data' },
        })
        expect(await login(body)).toMatchObject({ status: 200 })
      })
    })

    describe('a wallet that is a contract', () => {
      test('logs in where its chain takes the signature (ERC-1271)', async () => {
        const contract = await contracts.present()
        const body = await signedByNow(contract, { chainId: 31_337 })
        expect(await login(body)).toMatchObject({
          status: 200,
          answer: { user: { linked_accounts: [{ address: contract.address, chain_id: 'eip155:31337' }] } },
        })
        const next = await signedByNow(contract, { chainId: 31_337 })
        expect(await login({ ...next, signature: await wallet.sign(next.message) })).toMatchObject(
          refused('invalid_credentials', 'signature'),
        )
      })

      test('logs in before it is there (ERC-6492), and is the same user afterwards', async () => {
        const contract = await contracts.future()
        const body = await signedByNow(contract, { chainId: 31_337 })
        expect(await login(body)).toMatchObject({ status: 200, answer: { is_new_user: true } })
        expect(await login(await signedByNow(contract, { chainId: 31_337 }))).toMatchObject({
          status: 200,
          answer: { is_new_user: false },
        })
      })

      test('is not known on a chain that the operator did not name', async () => {
        const contract = await contracts.present()
        expect(await login(await signedByNow(contract, { chainId: 10 }))).toMatchObject({
          status: 400,
          answer: { code: 'unsupported_chain_id', details: { setting: 'CHAIN_RPC_URLS' } },
        })
      })

      test('can try the same message again when its chain did not answer', async () => {
        const contract = await contracts.present()
        const body = await signedByNow(contract, { chainId: 31_337 })
        chains.put(context.ports, createRpcChains(new Map([[31_337, 'http://127.0.0.1:1']])))
        expect(await login(body, browser, 'tried-again')).toMatchObject({
          status: 503,
          answer: { code: 'unavailable' },
        })
        chains.put(context.ports, createRpcChains(new Map([[31_337, chainUrl]])))
        expect(await login(body, browser, 'tried-again')).toMatchObject({ status: 200 })
      })
    })

    test('an app without wallet login says so to each call', async () => {
      const body = await signedByNow()
      const { token } = await browser.login()
      await setFields(context.db, context.clock, app.id, [['wallet_auth', false]])
      context.clock.advanceSeconds(5)
      const no = { status: 403, answer: { code: 'disallowed_login_method' } }
      expect(await begin()).toMatchObject(no)
      expect(await login(body)).toMatchObject(no)
      expect(await browser.call('linkWallet', { token, body })).toMatchObject(no)
    })

    test('who is not on the list of an app that has one is not let in', async () => {
      await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
      await changeAllowlist(context.db, app.id, 'add', 'wallet', wallet.address)
      context.clock.advanceSeconds(5)
      expect(await login(await signedByNow(keyWallet()))).toMatchObject({
        status: 401,
        answer: { code: 'allowlist_rejected' },
      })
      expect(await login(await signedByNow())).toMatchObject({ status: 200 })
    })

    // spec L5.20
    test('a wallet that is kept here is no way in, and can be linked to nobody', async () => {
      const { token, user } = await browser.login()
      const kept = {
        id: 'wal_1',
        app_id: app.id,
        user_id: user.id,
        kind: 'entropy' as const,
        chain_type: 'ethereum' as const,
        status: 'committed' as const,
        generation: 1,
        address: wallet.address,
        recovery_method: 'latchkey' as const,
        auth_share: null,
        recovery_share: null,
        created_at: 1,
        committed_at: 1,
      }
      await context.db.insertInto('wallets').values(kept).execute()
      const no = { status: 403, answer: { code: 'disallowed_login_method' } }
      expect(await login(await signedByNow())).toMatchObject(no)
      expect(await browser.call('linkWallet', { token, body: await signedByNow() })).toMatchObject(no)
      expect(await browser.call('unlinkWallet', { token, body: { address: wallet.address } })).toMatchObject({
        status: 400,
        answer: { code: 'cannot_unlink_embedded_wallet' },
      })
    })

    describe('linking', () => {
      const link = async (token: string, of = wallet, from = browser) =>
        from.call('linkWallet', { token, body: await signedByNow(of, {}, from) })

      // spec L7.21
      test('adds any number of wallets to the user, who then logs in with each', async () => {
        const { token, user } = await browser.login()
        const second = keyWallet()
        await link(token)
        expect(await link(token, second)).toMatchObject({
          status: 200,
          answer: {
            linked_accounts: expect.arrayContaining([
              expect.objectContaining({ type: 'wallet', address: wallet.address }),
              expect.objectContaining({ type: 'wallet', address: second.address }),
            ]),
          },
        })
        for (const one of [wallet, second]) {
          const { answer } = await login(await signedByNow(one))
          expect(v.parse(sessionAnswer, answer).user.id).toBe(user.id)
        }
      })

      test('of a wallet that another user has is refused, and changes nothing', async () => {
        await login(await signedByNow())
        const { token } = await browser.login()
        expect(await link(token)).toMatchObject({
          status: 400,
          answer: {
            code: 'linked_to_another_user',
            error: 'This account has already been linked to another user.',
          },
        })
        expect(await browser.call('me', { token })).toMatchObject({
          answer: { linked_accounts: [{ type: 'email' }] },
        })
      })

      test('by two users at once: one has it, the other is told, and no row is half made', async () => {
        const racers = []
        for (const name of ['ada', 'bob', 'cy', 'dora', 'eve', 'finn']) {
          const from = testBrowser(server, context, app)
          const { token } = await from.login(`${name}@example.com`)
          racers.push({ from, token, body: await signedByNow(wallet, {}, from) })
        }
        const answers = await Promise.all(
          racers.map(({ from, token, body }) => from.call('linkWallet', { token, body })),
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
        const losers = answers.filter(({ status }) => status === 400)
        for (const loser of losers) expect(loser.answer).toMatchObject({ code: 'linked_to_another_user' })
        const rows = await context.db
          .selectFrom('linked_accounts')
          .select('user_id')
          .where('type', '=', 'wallet')
          .execute()
        expect(rows).toHaveLength(1)
        const linked = await context.db
          .selectFrom('audit_log')
          .select('user_id')
          .where('event', '=', 'user.account_linked')
          .execute()
        expect(linked).toEqual(rows)
      })

      test('needs the session to be alive', async () => {
        const { token, refresh_token } = await browser.login()
        const body = await signedByNow()
        await browser.call('logout', { body: { refresh_token } })
        expect(await browser.call('linkWallet', { token, body })).toMatchObject({ status: 401 })
        expect(
          await browser.call('unlinkWallet', { token, body: { address: wallet.address } }),
        ).toMatchObject({
          status: 401,
        })
      })
    })

    describe('unlinking', () => {
      const unlink = (token: string, address: string = wallet.address) =>
        browser.call('unlinkWallet', { token, body: { address } })

      // spec L7.13
      test('takes the wallet from the user, and somebody else may have it then', async () => {
        const { token, user } = await browser.login()
        await browser.call('linkWallet', { token, body: await signedByNow() })
        expect(await unlink(token, wallet.address.toLowerCase())).toMatchObject({
          status: 200,
          answer: { linked_accounts: [{ type: 'email' }] },
        })
        const { answer } = await login(await signedByNow())
        expect(v.parse(sessionAnswer, answer).user.id).not.toBe(user.id)
      })

      test('of the only account is refused', async () => {
        const { token } = v.parse(sessionAnswer, (await login(await signedByNow())).answer)
        expect(await unlink(token)).toMatchObject({
          status: 400,
          answer: { code: 'cannot_unlink_sole_account' },
        })
        expect(await login(await signedByNow())).toMatchObject({ answer: { is_new_user: false } })
      })

      test('of two at once leaves one', async () => {
        const { token } = v.parse(sessionAnswer, (await login(await signedByNow())).answer)
        const second = keyWallet()
        await browser.call('linkWallet', { token, body: await signedByNow(second) })
        const answers = await Promise.all([unlink(token), unlink(token, second.address)])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      })

      test('of a wallet that is not the user’s is refused', async () => {
        await login(await signedByNow())
        const { token } = await browser.login()
        expect(await unlink(token)).toMatchObject({
          status: 404,
          answer: { code: 'linked_account_not_found' },
        })
        expect(await login(await signedByNow())).toMatchObject({ answer: { is_new_user: false } })
      })
    })
  },
  { tables: ['siwe_nonces'] },
)
