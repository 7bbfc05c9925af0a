/** Tests over HTTP what may be signed on which surface, how often and up to which amount. */

import { sealedShareSchema, type WalletRpcRequest } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { encodeFunctionData, erc20Abi, hashMessage, keccak256 } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { forkInto } from '../../identity/sessions/testing/browser.ts'
import { browserKey } from '../../identity/sessions/testing/browser-key.ts'
import { collectExpiryRules, createForget } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { confirm } from './capability.ts'
import { confirmationTables } from './tables.ts'
import { newHandle } from './testing/confirming.ts'
import { type ConfirmFixture, confirmFixture, oneEther, pricedToken, somebody } from './testing/fixture.ts'
import { cowOrder } from './testing/orders.ts'

const elsewhere = { status: 403, answer: { code: 'approval_required_elsewhere' } }
const used = { status: 400, answer: { code: 'token_already_used' } }
const unknown = { status: 404, answer: { code: 'not_found' } }
const ok = { status: 200 }
const releasedAnswer = v.object({
  wallet: v.object({ wallet_id: v.string() }),
  auth_share: sealedShareSchema,
})
/** Dollars, at 2,000 per coin; the fee of such a transaction is another 0.042. */
const worth = (usd: number) => (oneEther * BigInt(Math.round(usd * 100))) / 200_000n

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    fixture = await confirmFixture(database())
  })

  describe('a request', () => {
    test('is parsed by the server, which returns its digest and its approval surface', async () => {
      const message = await fixture.put(fixture.message('Hello'))
      expect(message.answer).toEqual({
        digest: hashMessage('Hello'),
        place: 'frame',
        reason: 'plain_message',
        usd: null,
        names: null,
        expires_in_seconds: 300,
      })
      const transaction = fixture.transaction()
      expect((await fixture.put(transaction)).answer).toEqual({
        digest: transaction.digest,
        place: 'frame',
        reason: 'within_allowance',
        usd: '20.05',
        names: null,
        expires_in_seconds: 300,
      })
    })

    test('rejects a request that cannot be confirmed, and names the invalid field', async () => {
      const asked = { handle: newHandle(), address: fixture.address, origin: null, place: 'frame' }
      const put = (request: object) =>
        fixture.browser.call('putConfirmation', {
          token: fixture.session.token,
          body: { ...asked, request },
        })
      for (const [request, path] of [
        [{ method: 'eth_sign', params: ['0x00', fixture.address] }, 'request.method'],
        [{ method: 'personal_sign', params: ['Hello'] }, 'request.params.1'],
        [{ method: 'remove-method', params: ['password'] }, 'request.params.0'],
      ] as const) {
        expect(await put(request), path).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data', details: { path } },
        })
      }
      expect(await put({ method: 'personal_sign', params: ['Hello', fixture.address] })).toMatchObject(ok)
    })

    test('gets the same response when it is put again, even if prices have changed', async () => {
      const handle = newHandle()
      const first = await fixture.put(fixture.transaction(), { handle })
      fixture.dollars.set('1', 9_000_000)
      expect(await fixture.put(fixture.transaction(), { handle })).toMatchObject(ok)
      expect((await fixture.put(fixture.transaction(), { handle })).answer).toEqual(first.answer)
      expect(await fixture.put(fixture.message(), { handle })).toMatchObject(used)
    })

    test('is stored under a hash of its handle, which decrypts it', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const rows = await confirmationTables(fixture.context.db)
        .selectFrom('confirmations')
        .selectAll()
        .execute()
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain(handle)
    })

    test('returns the same request to its session while it is undecided', async () => {
      const [handle, decided, late] = [newHandle(), newHandle(), newHandle()]
      for (const each of [handle, decided, late]) await fixture.put(fixture.message(), { handle: each })
      const other = await fixture.browser.login()
      expect(await fixture.put(fixture.message(), { handle }, other)).toMatchObject(used)
      expect(await fixture.put(fixture.message(), { handle })).toMatchObject(ok)
      await fixture.decide(decided, hashMessage('Hello'), 'approve')
      expect(await fixture.put(fixture.message(), { handle: decided })).toMatchObject(used)
      fixture.context.clock.advanceSeconds(300)
      expect(await fixture.put(fixture.message(), { handle: late })).toMatchObject(used)
    })

    test('can only be moved to the page by its own session, and for the same content', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const placeOf = async () => Object((await fixture.put(fixture.message(), { handle })).answer).place
      const other = await fixture.browser.login()
      expect(await fixture.put(fixture.message(), { handle, place: 'page' }, other)).toMatchObject(used)
      expect(await fixture.put(fixture.message('Bye'), { handle, place: 'page' })).toMatchObject(used)
      expect(await placeOf()).toBe('frame')
      expect(await fixture.put(fixture.message(), { handle, place: 'page' })).toMatchObject(ok)
      expect(await placeOf()).toBe('page')
    })

    test('an expired request releases nothing and is reported as not waiting', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const token = await fixture.tokenFor(handle)
      await confirmationTables(fixture.context.db).deleteFrom('confirmations').execute()
      expect(await fixture.release(token)).toMatchObject({ status: 404, answer: { code: 'not_found' } })
    })

    test('needs a wallet of the user, and a page with an allowed origin', async () => {
      const eve = fixture.newBrowser()
      const theirs = await eve.login('eve@example.com')
      expect(await fixture.put(fixture.message(), {}, theirs, eve)).toMatchObject({
        status: 404,
        answer: { code: 'embedded_wallet_not_found' },
      })
      const { db } = fixture.context
      const made = (status: 'pending' | 'committed') =>
        db.updateTable('wallets').set({ status }).where('address', '=', fixture.address).execute()
      await made('pending')
      expect(await fixture.put(fixture.message())).toMatchObject({ status: 404 })
      await made('committed')
      const stranger = 'https://stranger.example'
      expect(await fixture.put(fixture.message(), { origin: stranger })).toMatchObject({
        status: 403,
        answer: { code: 'origin_not_allowed' },
      })
      const origin = 'http://demo.localhost:4010'
      expect(await fixture.put(fixture.message(), { origin })).toMatchObject(ok)
    })

    test('fits into the 8 MiB limit of its session', async () => {
      await fixture.put(fixture.message('the first'))
      const { bytes } = await confirmationTables(fixture.context.db)
        .selectFrom('confirmations')
        .select('bytes')
        .executeTakeFirstOrThrow()
      expect(bytes).toBe(Buffer.byteLength(JSON.stringify(fixture.message('the first'))))
      const leave = (room: number) =>
        confirmationTables(fixture.context.db)
          .updateTable('confirmations')
          .set({ bytes: 8 * 1_048_576 - room })
          .execute()
      await leave(bytes - 1)
      expect(await fixture.put(fixture.message('the other'))).toMatchObject({ status: 429 })
      await leave(bytes)
      expect(await fixture.put(fixture.message('the other'))).toMatchObject(ok)
    })

    test('counts against the limit of fifty even if the others were refused', async () => {
      const handle = newHandle()
      const { answer } = await fixture.put(fixture.message(), { handle })
      await fixture.decide(handle, v.parse(v.object({ digest: v.string() }), answer).digest, 'refuse')
      await fixture.repeatFirst(49)
      expect(await fixture.put(fixture.message('one more'))).toMatchObject({ status: 429 })
      fixture.context.clock.advanceSeconds(300)
      const again = await fixture.browser.login()
      expect(await fixture.put(fixture.message('later'), {}, again)).toMatchObject(ok)
    })

    test('waits with at most forty-nine others of its session', async () => {
      await fixture.put(fixture.message())
      await fixture.repeatFirst(48)
      expect(await fixture.put(fixture.message('the last'))).toMatchObject(ok)
      expect(await fixture.put(fixture.message('one more'))).toMatchObject({ status: 429 })
      const other = await fixture.browser.login()
      expect(await fixture.put(fixture.message('one more'), {}, other)).toMatchObject(ok)
      fixture.context.clock.advanceSeconds(300)
      const again = await fixture.browser.login()
      expect(await fixture.put(fixture.message('later'), {}, again)).toMatchObject(ok)
    })
  })

  describe('a token for a signature', () => {
    test('names the digest, and the released share opens only to sign that digest', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message('Hello'), { handle })
      const token = await fixture.tokenFor(handle)
      const { op, confirmed } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      expect(confirmed).toMatchObject({ digest: hashMessage('Hello') })
      const { auth_share: share, wallet } = v.parse(releasedAnswer, (await fixture.release(token)).answer)
      const about = {
        appId: fixture.app.id,
        userId: fixture.session.user.id,
        walletId: wallet.wallet_id,
        kind: 'entropy',
        chain: 'ethereum',
        generation: 1,
        role: 'auth',
        address: fixture.address,
      } as const
      for (const other of [hashMessage('Hello!'), null]) {
        await expect(fixture.vault.open(share, about, op, other)).rejects.toThrow()
      }
      expect((await fixture.vault.open(share, about, op, hashMessage('Hello'))).length).toBeGreaterThan(16)
    })

    test('needs a confirmation, and no other token accepts one', async () => {
      expect(await fixture.askToken(null)).toMatchObject({ status: 422 })
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const body = {
        public_key: fixture.vault.publicKey,
        operation: { id: 'op_1', step: 1 },
        purpose: 'recover',
        address: fixture.address,
        confirmation: handle,
      }
      const { token } = fixture.session
      expect(await fixture.browser.call('walletToken', { token, body })).toMatchObject({ status: 422 })
      expect(await fixture.askToken(handle)).toMatchObject(ok)
    })

    test('is bound to the session and the wallet of the request', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const other = fixture.newBrowser()
      const second = await other.login()
      expect(await fixture.askToken(handle, second, other)).toMatchObject(unknown)
      expect(await fixture.askToken(newHandle())).toMatchObject(unknown)
      const ofSolana = '11111111111111111111111111111112'
      const wallets = fixture.context.db.selectFrom('wallets').selectAll()
      const row = await wallets.where('address', '=', fixture.address).executeTakeFirstOrThrow()
      await fixture.context.db
        .insertInto('wallets')
        .values({ ...row, id: 'the_other_wallet', chain_type: 'solana', address: ofSolana })
        .execute()
      expect(await fixture.askToken(handle, fixture.session, fixture.browser, ofSolana)).toMatchObject(
        unknown,
      )
      const fork = await forkInto(fixture.newBrowser(), fixture.browser, fixture.session)
      expect(fork).toBeTruthy()
      expect(await fixture.askToken(handle)).toMatchObject(ok)
    })

    test('is not issued for an expired request', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      fixture.context.clock.advanceSeconds(299)
      expect(await fixture.askToken(handle)).toMatchObject(ok)
      fixture.context.clock.advanceSeconds(1)
      expect(await fixture.askToken(handle)).toMatchObject(unknown)
      expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'expired' } })
    })
  })

  describe('a confirmation', () => {
    test('is visible to its own session, and to no other session of the user', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const other = fixture.newBrowser()
      expect(await fixture.status(handle, await other.login(), other)).toMatchObject(unknown)
      expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'open' } })
    })

    test('stays available to a retry of the same request after a lost response, and to no other step', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const [token, other] = [await fixture.tokenFor(handle), await fixture.tokenFor(handle)]
      const call = { token, requestId: 'release-once' }
      expect(await fixture.browser.call('releaseShares', call)).toMatchObject(ok)
      expect(await fixture.browser.call('releaseShares', call)).toMatchObject(ok)
      expect(await fixture.browser.call('releaseShares', { ...call, token: other })).toMatchObject({
        status: 422,
      })
    })

    test('is not consumed if a second factor is missing', async () => {
      const mfa = fixture.inMfa(fixture.session)
      await fixture.beginTotp(mfa)
      await fixture.context.db
        .updateTable('mfa_methods')
        .set({ status: 'enrolled' })
        .where('user_id', '=', fixture.session.user.id)
        .execute()
      const handle = newHandle()
      await fixture.put(fixture.transaction(), { handle })
      const token = await fixture.tokenFor(handle)
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await fixture.release(token)).toMatchObject({ answer: { code: 'missing_or_invalid_mfa' } })
      }
      expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'open' } })
      await fixture.context.db
        .deleteFrom('mfa_methods')
        .where('user_id', '=', fixture.session.user.id)
        .execute()
      expect(await fixture.release(token)).toMatchObject(ok)
    })

    test('is deleted ten minutes after its end, and the spending is deleted with its user', async () => {
      await fixture.sign(fixture.transaction())
      const rows = async () => {
        const db = fixture.context.db.withTables<{
          confirmations: { id: string }
          wallet_spending: { cents: number }
        }>()
        await cleanUp(database(), fixture.context.clock, collectExpiryRules([confirm]))
        return [
          (await db.selectFrom('confirmations').selectAll().execute()).length,
          (await db.selectFrom('wallet_spending').selectAll().execute()).length,
        ]
      }
      expect(await rows()).toEqual([1, 1])
      fixture.context.clock.advanceSeconds(901)
      expect(await rows()).toEqual([0, 1])
      // The confirmation is already deleted, and the spending is deleted with its user. Other users' rows stay.
      const of = (userId: string) => ({ appId: fixture.app.id, userId, identifiers: [], nowSeconds: 0 })
      await fixture.context.transaction((trx) => createForget([confirm])(trx, of('another')))
      expect(await rows()).toEqual([0, 1])
      await fixture.context.transaction((trx) => createForget([confirm])(trx, of(fixture.session.user.id)))
      expect(await rows()).toEqual([0, 0])
    })

    test('the spending stays counted for a day', async () => {
      await fixture.sign(fixture.transaction())
      const rows = async () => {
        await cleanUp(database(), fixture.context.clock, collectExpiryRules([confirm]))
        const tables = confirmationTables(fixture.context.db)
        return [
          (await tables.selectFrom('confirmations').selectAll().execute()).length,
          (await tables.selectFrom('wallet_spending').selectAll().execute()).length,
        ]
      }
      fixture.context.clock.advanceSeconds(86_399)
      expect(await rows()).toEqual([0, 1])
      fixture.context.clock.advanceSeconds(1)
      expect(await rows()).toEqual([0, 0])
    })
  })

  describe('the page', () => {
    const forPage = { to: somebody, data: '0x12345678' } as const

    describe('names the tokens of an order by lists, by chain and address only', () => {
      const orderOn = (chainId: number, sellToken: string) =>
        fixture.typedData(cowOrder(fixture.address, { chainId, sellToken }))
      const named = async (chainId: number, token: string) => {
        const handle = newHandle()
        const placed = await fixture.put(orderOn(chainId, token), { handle })
        return { placed: placed.answer, page: (await fixture.read(handle)).answer }
      }
      const prc = { address: pricedToken, symbol: 'PRC', decimals: 6 }

      test('on the card and on the page', async () => {
        const { placed, page } = await named(1, pricedToken)
        expect(placed).toMatchObject({
          place: 'page',
          reason: 'not_understood',
          names: { coin: { symbol: 'ETH', decimals: 18 }, tokens: [prc] },
        })
        expect(page).toMatchObject({ chain: { symbol: 'ETH' }, token: null, tokens: [prc] })
      })

      test('and shows no token for another chain or another address', async () => {
        expect(await named(10, pricedToken)).toMatchObject({
          placed: { names: { coin: { symbol: 'ETH' }, tokens: [] } },
          page: { tokens: [] },
        })
        expect(await named(1, somebody)).toMatchObject({ page: { tokens: [] } })
      })

      test('also for a permit on the token itself', async () => {
        const permit = fixture.typedData({
          types: {
            EIP712Domain: cowOrder(fixture.address, { sellToken: pricedToken }).types.EIP712Domain ?? [],
            Permit: [
              { name: 'spender', type: 'address' },
              { name: 'value', type: 'uint256' },
            ],
          },
          primaryType: 'Permit',
          domain: { name: 'Anything', version: '1', chainId: 1, verifyingContract: pricedToken },
          message: { spender: somebody, value: 5n },
        })
        expect(await fixture.put(permit)).toMatchObject({
          answer: { reason: 'allowance_or_permit', names: { coin: null, tokens: [prc] } },
        })
      })
    })

    test('returns the request by its handle only, and its approval releases the share', async () => {
      const handle = newHandle()
      const origin = 'http://demo.localhost:4010'
      const request = fixture.transaction(forPage)
      expect(await fixture.put(request, { handle, origin })).toMatchObject({
        answer: { place: 'page', reason: 'not_understood', usd: null },
      })
      expect(await fixture.askToken(handle)).toMatchObject(elsewhere)
      const { method, params, digest } = request
      expect((await fixture.read(handle)).answer).toEqual({
        state: 'open',
        app_name: fixture.app.name,
        request: { method, params },
        address: fixture.address,
        account: null,
        digest,
        reason: 'not_understood',
        usd: null,
        origin,
        chain: { name: 'Ethereum', symbol: 'ETH', decimals: 18 },
        token: null,
        tokens: [],
        l1_fee: null,
        passkey: null,
        expires_in_seconds: 300,
      })
      expect(await fixture.decide(handle, digest, 'approve')).toMatchObject({
        answer: { state: 'approved' },
      })
      expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'approved' } })
      expect((await fixture.read(handle)).answer).toEqual({ state: 'approved' })
      expect(await fixture.release(await fixture.tokenFor(handle))).toMatchObject(ok)
      expect((await fixture.read(handle)).answer).toEqual({ state: 'used' })
    })

    test('approves only the digest that it showed', async () => {
      const handle = newHandle()
      const { digest } = fixture.transaction(forPage)
      await fixture.put(fixture.transaction(forPage), { handle })
      const another = keccak256('0x01')
      expect(await fixture.decide(handle, another, 'approve')).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'digest' } },
      })
      expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'open' } })
      expect(await fixture.decide(handle, digest, 'approve')).toMatchObject({
        answer: { state: 'approved' },
      })
    })

    test("approves only with a statement of the session's device about this request", async () => {
      const [handle, other] = [newHandle(), newHandle()]
      const { digest } = fixture.transaction(forPage)
      await fixture.put(fixture.transaction(forPage), { handle })
      await fixture.put(fixture.transaction(forPage), { handle: other })
      const { device } = fixture.browser
      const right = { aud: fixture.app.id, decision: 'approve', handle, digest }
      const decideBy = (statement?: string) =>
        fixture.decideBy({ handle, digest, decision: 'approve', ...(statement && { statement }) })
      const refused = (reason: string) => ({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'statement', reason } },
      })
      const [head = '', payload = ''] = device.decide(right).split('.')
      const [, , foreignSignature = ''] = browserKey().decide(right).split('.')
      const wrong: readonly (readonly [string | undefined, string])[] = [
        [undefined, 'missing'],
        ['a.b.c', 'malformed'],
        [device.state(right), 'malformed'],
        [device.decide({ ...right, decision: 'refuse' }), 'malformed'],
        [device.decide({ ...right, also: 1 }), 'malformed'],
        [device.decide({ ...right, aud: 'b'.repeat(25) }), 'of_another_app'],
        [device.decide({ ...right, handle: other }), 'of_another_request'],
        [device.decide({ ...right, digest: keccak256('0x01') }), 'of_another_request'],
        [`${head}.${payload}.${foreignSignature}`, 'not_signed'],
      ]
      for (const [statement, reason] of wrong) {
        expect(await decideBy(statement), reason).toMatchObject(refused(reason))
      }
      for (const stranger of [browserKey(), fixture.newBrowser().device]) {
        expect(await decideBy(stranger.decide(right))).toMatchObject({
          answer: { code: 'device_not_bound' },
        })
      }
      expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'open' } })
      expect(await decideBy(device.decide(right))).toMatchObject({ answer: { state: 'approved' } })
      expect(await fixture.status(other)).toMatchObject({ answer: { state: 'open' } })
    })

    test('names the chain and the token of a transaction by the lists, and neither if they are not listed', async () => {
      const handle = newHandle()
      const transfer = `0xa9059cbb${somebody.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`
      await fixture.put(fixture.transaction({ to: pricedToken, data: transfer as `0x${string}` }), {
        handle,
        place: 'page',
      })
      expect((await fixture.read(handle)).answer).toMatchObject({
        chain: { name: 'Ethereum', symbol: 'ETH', decimals: 18 },
        token: { symbol: 'PRC', decimals: 6 },
      })
      const unlisted = newHandle()
      await fixture.put(fixture.transaction({ ...forPage, chainId: 999_999_998 }), { handle: unlisted })
      expect((await fixture.read(unlisted)).answer).toMatchObject({ chain: null, token: null })
    })

    test('approves nothing for an ended session', async () => {
      const handle = newHandle()
      const { digest } = fixture.transaction(forPage)
      await fixture.put(fixture.transaction(forPage), { handle })
      await fixture.browser.call('logout', { token: fixture.session.token })
      expect(await fixture.decide(handle, digest, 'approve')).toMatchObject({
        answer: { code: 'missing_or_invalid_token' },
      })
    })

    test('finds no confirmation for an unknown handle or for another app', async () => {
      const handle = newHandle()
      const { digest } = fixture.transaction(forPage)
      await fixture.put(fixture.transaction(forPage), { handle })
      expect(await fixture.read(newHandle())).toMatchObject(unknown)
      expect(await fixture.decide(newHandle(), digest, 'approve')).toMatchObject(unknown)
      const other = fixture.newBrowser(await fixture.newApp())
      for (const [name, body] of [
        ['readConfirmation', { handle }],
        ['decideConfirmation', { handle, digest, decision: 'refuse' }],
      ] as const) {
        expect(await other.call(name, { body, proof: 'none' })).toMatchObject(unknown)
      }
      expect(await fixture.read(handle)).toMatchObject({ answer: { state: 'open' } })
    })

    test('cannot decide after five minutes; a timely approval is valid for five more', async () => {
      const { digest } = fixture.transaction(forPage)
      const [late, inTime] = [newHandle(), newHandle()]
      for (const handle of [late, inTime]) await fixture.put(fixture.transaction(forPage), { handle })
      fixture.context.clock.advanceSeconds(299)
      await fixture.decide(inTime, digest, 'approve')
      fixture.context.clock.advanceSeconds(1)
      expect(await fixture.decide(late, digest, 'approve')).toMatchObject({ answer: { state: 'expired' } })
      expect((await fixture.read(late)).answer).toEqual({ state: 'expired' })
      fixture.context.clock.advanceSeconds(298)
      expect(await fixture.askToken(inTime)).toMatchObject(ok)
      fixture.context.clock.advanceSeconds(1)
      expect(await fixture.askToken(inTime)).toMatchObject(unknown)
    })

    test('approves on the page without using the allowance, although the card could approve', async () => {
      const handle = newHandle()
      const request = fixture.transaction({ value: worth(99) })
      expect(await fixture.put(request, { handle })).toMatchObject({ answer: { place: 'frame' } })
      await fixture.decide(handle, request.digest, 'approve')
      expect(await fixture.release(await fixture.tokenFor(handle))).toMatchObject(ok)
      expect((await fixture.activity()).answer).toMatchObject({
        activity: expect.arrayContaining([expect.objectContaining({ kind: 'transaction', place: 'page' })]),
      })
      expect(await fixture.sign(fixture.transaction({ value: worth(99) }))).toMatchObject(ok)
    })

    test('accepts calls from first-party pages only', async () => {
      const handle = newHandle()
      await fixture.put(fixture.transaction(forPage), { handle })
      const headers = { origin: 'http://demo.localhost:4010' }
      expect(await fixture.browser.call('readConfirmation', { body: { handle }, headers })).toMatchObject({
        status: 403,
        answer: { code: 'invalid_origin' },
      })
    })
  })

  describe('the daily allowance', () => {
    test('limits the value and fees that one wallet moves by card approvals', async () => {
      expect(await fixture.sign(fixture.transaction({ value: worth(60) }))).toMatchObject(ok)
      const over = fixture.transaction({ value: worth(40) })
      expect(await fixture.put(over)).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance', usd: '40.05' },
      })
      expect(await fixture.sign(fixture.transaction({ value: worth(39.9) }))).toMatchObject(ok)
      expect(await fixture.sign(over)).toMatchObject(elsewhere)
      fixture.context.clock.advanceSeconds(86_399)
      const still = await fixture.browser.login()
      expect(await fixture.put(over, {}, still)).toMatchObject({ answer: { place: 'page' } })
      fixture.context.clock.advanceSeconds(1)
      const later = await fixture.browser.login()
      expect(await fixture.put(over, {}, later)).toMatchObject({ answer: { place: 'frame' } })
    })

    test('is counted for each wallet separately', async () => {
      const expires_at = Math.floor(fixture.context.clock.nowMs() / 1_000) + 86_400
      const spent = {
        confirmation_id: 'another',
        user_id: fixture.session.user.id,
        counted_as: 'allowance',
        cents: 10_000,
        expires_at,
      } as const
      const count = (wallet_id: string) =>
        confirmationTables(fixture.context.db)
          .insertInto('wallet_spending')
          .values({ ...spent, wallet_id, confirmation_id: wallet_id })
          .execute()
      await count('another_wallet')
      expect(await fixture.put(fixture.transaction())).toMatchObject({ answer: { place: 'frame' } })
      const { id } = await fixture.context.db.selectFrom('wallets').select('id').executeTakeFirstOrThrow()
      await count(id)
      expect(await fixture.put(fixture.transaction())).toMatchObject({ answer: { place: 'page' } })
    })

    test.each([
      [0, 'page', 'beyond_allowance'],
      [20.05, 'frame', 'within_allowance'],
      [20.04, 'page', 'beyond_allowance'],
      [null, 'frame', 'within_allowance'],
    ] as const)('is what the operator says: %s dollars', async (usd, place, reason) => {
      await fixture.set(['frame_approvals_usd_per_day', usd])
      expect(await fixture.put(fixture.transaction())).toMatchObject({ answer: { place, reason } })
    })

    test('covers no request without a price, unless there is no limit', async () => {
      fixture.dollars.clear()
      expect(await fixture.put(fixture.transaction())).toMatchObject({
        answer: { place: 'page', reason: 'no_price', usd: null },
      })
      await fixture.set(['frame_approvals_usd_per_day', null])
      expect(await fixture.sign(fixture.transaction())).toMatchObject(ok)
    })

    test('is lower as soon as the operator lowers it', async () => {
      const handle = newHandle()
      await fixture.put(fixture.transaction(), { handle })
      const token = await fixture.tokenFor(handle)
      await fixture.set(['frame_approvals_usd_per_day', 1])
      expect(await fixture.release(token)).toMatchObject(elsewhere)
    })

    test('is not consumed on a test network', async () => {
      await fixture.set(['test_networks', [11_155_111]])
      const rich = fixture.transaction({ chainId: 11_155_111, value: worth(1_000_000) })
      expect(await fixture.put(rich)).toMatchObject({
        answer: { place: 'frame', reason: 'test_network', usd: null },
      })
      expect(await fixture.sign(rich)).toMatchObject(ok)
      expect(await fixture.sign(fixture.transaction({ value: worth(99) }))).toMatchObject(ok)
    })
  })

  // spec W6.2
  describe('without a screen', () => {
    const silent = { place: 'silent' } as const
    const coin = { chain: 1, contract: somebody, selector: '0x', usd_per_day: 25 }
    const limits = { messages: true, usd_per_day: 30, calls: [coin], typed_data: [] }
    const bound = (usd_per_day: number) => ({ ...limits, calls: [{ ...coin, usd_per_day }] })

    test('nothing is signed unless the operator allows it', async () => {
      expect(await fixture.put(fixture.message(), silent)).toMatchObject({ answer: { place: 'frame' } })
      expect(await fixture.put(fixture.transaction(), silent)).toMatchObject({ answer: { place: 'frame' } })
    })

    test('signs listed requests silently, counts them apart from the allowance and lists them in the activity', async () => {
      await fixture.set(['no_prompt', limits])
      expect(await fixture.put(fixture.message(), silent)).toMatchObject({
        answer: { place: 'silent', reason: 'within_limits' },
      })
      expect(await fixture.sign(fixture.transaction(), silent)).toMatchObject(ok)
      expect((await fixture.activity()).answer).toMatchObject({
        activity: [
          { kind: 'transaction', place: 'silent', to: somebody, value: String(oneEther / 100n) },
          { kind: 'created' },
        ],
      })
      // 20.05 of 25 are used: the rest needs an approval, for which the whole allowance is left.
      expect(await fixture.put(fixture.transaction(), silent)).toMatchObject({ answer: { place: 'frame' } })
      expect(await fixture.sign(fixture.transaction({ value: worth(99) }))).toMatchObject(ok)
      expect(await fixture.put(fixture.transaction({ value: worth(4) }), silent)).toMatchObject({
        answer: { place: 'silent' },
      })
    })

    test.each([
      [20.05, 30, 'silent'],
      [20.04, 30, 'frame'],
      [30, 20.05, 'silent'],
      [30, 20.04, 'frame'],
    ])(
      'of a call of 20.05 its own bound of %s and the one of all, %s, decide: %s',
      async (own, all, place) => {
        await fixture.set(['no_prompt', { ...bound(own), usd_per_day: all }])
        expect(await fixture.put(fixture.transaction(), silent)).toMatchObject({ answer: { place } })
      },
    )

    test('a call without coin is signed up to its number of uses', async () => {
      const calls = [{ chain: 1, contract: somebody, selector: '0x12345678', calls_per_day: 2 }]
      await fixture.set(['no_prompt', { ...limits, calls }])
      const listed = fixture.transaction({ value: 0n, data: '0x12345678' })
      expect(await fixture.sign(listed, silent)).toMatchObject(ok)
      expect(await fixture.sign(listed, silent)).toMatchObject(ok)
      expect(await fixture.put(listed, silent)).toMatchObject({
        answer: { place: 'page', reason: 'not_understood' },
      })
    })

    test('typed data is signed if the limits list its contract and type', async () => {
      await fixture.set([
        'no_prompt',
        { ...limits, typed_data: [{ contract: somebody, primary_type: 'Order' }] },
      ])
      expect(await fixture.sign(fixture.typedData(), silent)).toMatchObject(ok)
      await fixture.set([
        'no_prompt',
        { ...limits, typed_data: [{ contract: somebody, primary_type: 'Mail' }] },
      ])
      expect(await fixture.put(fixture.typedData(), silent)).toMatchObject({ answer: { place: 'page' } })
    })

    test('a listed call on a test network costs nothing, and the limit of uses applies', async () => {
      const calls = [
        { ...coin, chain: 11_155_111, usd_per_day: 0 },
        { chain: 11_155_111, contract: somebody, selector: '0x12345678', calls_per_day: 1 },
      ]
      await fixture.set(['test_networks', [11_155_111]], ['no_prompt', { ...limits, usd_per_day: 0, calls }])
      const rich = fixture.transaction({ chainId: 11_155_111, value: worth(1_000_000) })
      const call = fixture.transaction({ chainId: 11_155_111, value: 0n, data: '0x12345678' })
      expect(await fixture.sign(rich, silent)).toMatchObject(ok)
      expect(await fixture.sign(call, silent)).toMatchObject(ok)
      expect(await fixture.put(call, silent)).toMatchObject({ answer: { place: 'frame' } })
      expect(await fixture.put(rich, silent)).toMatchObject({ answer: { place: 'silent', usd: null } })
    })

    test('signs nothing silently if the app shows every request', async () => {
      await fixture.set(['no_prompt', limits])
      expect(await fixture.put(fixture.message())).toMatchObject({ answer: { place: 'frame' } })
      expect(await fixture.put(fixture.message(), silent)).toMatchObject({ answer: { place: 'silent' } })
    })

    test('asks the user for a request beyond the limits', async () => {
      await fixture.set(['no_prompt', { ...limits, calls: [] }])
      expect(await fixture.put(fixture.transaction(), silent)).toMatchObject({ answer: { place: 'frame' } })
      await fixture.set(['no_prompt', { ...limits, messages: false }])
      expect(await fixture.put(fixture.message(), silent)).toMatchObject({ answer: { place: 'frame' } })
      expect(await fixture.put(fixture.transaction(), silent)).toMatchObject({
        answer: { place: 'silent' },
      })
    })

    test('does not release a request put before the limits changed', async () => {
      const typed = [{ contract: somebody, primary_type: 'Order' }]
      await fixture.set(['no_prompt', { ...limits, typed_data: typed }])
      const tokens: string[] = []
      for (const request of [fixture.transaction(), fixture.message(), fixture.typedData()]) {
        const handle = newHandle()
        await fixture.put(request, { ...silent, handle })
        tokens.push(await fixture.tokenFor(handle))
      }
      await fixture.set(['no_prompt', { messages: false, usd_per_day: null, calls: [], typed_data: [] }])
      for (const token of tokens) expect(await fixture.release(token)).toMatchObject(elsewhere)
      await fixture.set(['no_prompt', null])
      for (const token of tokens) expect(await fixture.release(token)).toMatchObject(elsewhere)
      await fixture.set(['no_prompt', { ...limits, typed_data: typed }])
      for (const token of tokens) expect(await fixture.release(token)).toMatchObject(ok)
    })
  })

  describe('tokens', () => {
    const transferOf = (dollars: number, change: object = {}) =>
      fixture.transaction({
        to: pricedToken,
        value: 0n,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [somebody, BigInt(dollars * 1_000_000)],
        }),
        ...change,
      })

    test('with a price count against the allowance like coin, together with the fee', async () => {
      expect(await fixture.put(transferOf(60))).toMatchObject({
        answer: { place: 'frame', reason: 'within_allowance', usd: '60.05' },
      })
      expect(await fixture.sign(transferOf(60))).toMatchObject(ok)
      expect(await fixture.put(transferOf(40))).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance', usd: '40.05' },
      })
      expect(await fixture.put(fixture.transaction({ value: worth(40) }))).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance' },
      })
      expect(await fixture.sign(transferOf(39.9))).toMatchObject(ok)
    })

    test('without a price go to the page, even without a limit', async () => {
      const noPrice = { answer: { place: 'page', reason: 'no_price', usd: null } }
      expect(await fixture.put(transferOf(1, { to: somebody }))).toMatchObject(noPrice)
      await fixture.set(['frame_approvals_usd_per_day', null])
      expect(await fixture.put(transferOf(1, { to: somebody }))).toMatchObject(noPrice)
      expect(await fixture.put(transferOf(1))).toMatchObject({ answer: { place: 'frame' } })
      fixture.tokenDollars.clear()
      expect(await fixture.put(transferOf(1))).toMatchObject(noPrice)
    })

    test('count nothing if the fee has no price', async () => {
      fixture.dollars.clear()
      expect(await fixture.put(transferOf(1))).toMatchObject({
        answer: { place: 'page', reason: 'no_price' },
      })
    })
  })

  describe('a call or typed data that the operator listed for cards', () => {
    const listed = { chain: 1, contract: somebody, selector: '0x12345678' }
    const call = (change: object = {}) => fixture.transaction({ data: '0x12345678', value: 0n, ...change })
    const forPage = { answer: { place: 'page', reason: 'not_understood' } }
    const onCard = { answer: { place: 'frame', reason: 'within_limits' } }

    test('is approved there: a call without coin up to its number of uses per day', async () => {
      expect(await fixture.put(call())).toMatchObject(forPage)
      await fixture.set(['card_calls', [{ ...listed, calls_per_day: 2 }]])
      expect(await fixture.put(call())).toMatchObject(onCard)
      expect(await fixture.put(call({ value: 1n }))).toMatchObject(forPage)
      expect(await fixture.sign(call())).toMatchObject(ok)
      expect(await fixture.sign(call())).toMatchObject(ok)
      expect(await fixture.put(call())).toMatchObject({ answer: { place: 'page', reason: 'too_often' } })
      fixture.context.clock.advanceSeconds(86_400)
      const later = await fixture.browser.login()
      expect(await fixture.put(call(), {}, later)).toMatchObject(onCard)
    })

    test('counts its fee against the allowance if it is limited by uses', async () => {
      await fixture.set(
        ['card_calls', [{ ...listed, calls_per_day: 9 }]],
        ['frame_approvals_usd_per_day', 0.09],
      )
      expect(await fixture.sign(call())).toMatchObject(ok)
      expect(await fixture.put(call())).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance', usd: '0.05' },
      })
    })

    test('has its own dollar limit, apart from the allowance, if it carries coin', async () => {
      await fixture.set(['card_calls', [{ ...listed, usd_per_day: 50 }]], ['frame_approvals_usd_per_day', 0])
      expect(await fixture.put(call({ value: worth(50) }))).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance' },
      })
      expect(await fixture.sign(call({ value: worth(49) }))).toMatchObject(ok)
      expect(await fixture.put(call({ value: worth(1) }))).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance' },
      })
      expect(await fixture.put(call())).toMatchObject(forPage)
    })

    test('is approved there by contract and primary type if it is typed data', async () => {
      expect(await fixture.put(fixture.typedData())).toMatchObject(forPage)
      await fixture.set(['card_typed_data', [{ contract: somebody, primary_type: 'Order' }]])
      expect(await fixture.put(fixture.typedData())).toMatchObject(onCard)
      expect(await fixture.sign(fixture.typedData())).toMatchObject(ok)
      const another = { name: 'Fieldnotes', chainId: 1, verifyingContract: pricedToken } as const
      expect(await fixture.put(fixture.typedData({ domain: another }))).toMatchObject(forPage)
    })

    test('is the only typed data that the card approves, on any network', async () => {
      await fixture.set(['test_networks', [11_155_111]])
      const domain = { name: 'Fieldnotes', chainId: 11_155_111, verifyingContract: somebody } as const
      expect(await fixture.put(fixture.typedData({ domain }))).toMatchObject(forPage)
      await fixture.set(['card_typed_data', [{ contract: somebody, primary_type: 'Order' }]])
      expect(await fixture.put(fixture.typedData({ domain }))).toMatchObject(onCard)
    })

    test('is not released after it was removed from the list', async () => {
      const typed = ['card_typed_data', [{ contract: somebody, primary_type: 'Order' }]] as const
      const calls = ['card_calls', [{ ...listed, calls_per_day: 2 }]] as const
      await fixture.set(typed, calls)
      const handles = [newHandle(), newHandle()] as const
      await fixture.put(fixture.typedData(), { handle: handles[0] })
      await fixture.put(call(), { handle: handles[1] })
      const tokens = [await fixture.tokenFor(handles[0]), await fixture.tokenFor(handles[1])]
      await fixture.set(['card_typed_data', []], ['card_calls', []])
      for (const token of tokens) expect(await fixture.release(token)).toMatchObject(elsewhere)
      await fixture.set(typed, calls)
      for (const token of tokens) expect(await fixture.release(token)).toMatchObject(ok)
    })
  })

  describe('in a browser that cannot detect covers', () => {
    const unseen = { place: 'unseen' } as const
    const forPage = { answer: { place: 'page', reason: 'browser' } }

    test('coin up to 20 dollars a day is approved on the card', async () => {
      expect(await fixture.put(fixture.transaction(), unseen)).toMatchObject(forPage)
      const small = fixture.transaction({ value: worth(12) })
      expect(await fixture.put(small, unseen)).toMatchObject({
        answer: { place: 'unseen', reason: 'within_allowance', usd: '12.05' },
      })
      expect(await fixture.sign(small, unseen)).toMatchObject(ok)
      expect(await fixture.put(small, unseen)).toMatchObject(forPage)
      expect(await fixture.put(small)).toMatchObject({ answer: { place: 'frame' } })
      expect((await fixture.activity()).answer).toMatchObject({
        activity: expect.arrayContaining([expect.objectContaining({ kind: 'transaction', place: 'unseen' })]),
      })
    })

    test('an unseen approval counts against both limits, and a seen one against the allowance only', async () => {
      expect(await fixture.sign(fixture.transaction({ value: worth(85) }))).toMatchObject(ok)
      const small = fixture.transaction({ value: worth(14) })
      expect(await fixture.sign(small, unseen)).toMatchObject(ok)
      // 99.10 of 100, and 14.05 of 20.
      expect(await fixture.put(fixture.transaction({ value: worth(2) }))).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance' },
      })
      expect(await fixture.put(fixture.transaction({ value: worth(2) }), unseen)).toMatchObject({
        answer: { place: 'page', reason: 'beyond_allowance' },
      })
      expect(await fixture.put(fixture.transaction({ value: worth(0.5) }), unseen)).toMatchObject({
        answer: { place: 'unseen' },
      })
    })

    test('the operator configures the limit', async () => {
      await fixture.set(['frame_approvals_usd_per_day_unseen', 20.05])
      expect(await fixture.put(fixture.transaction(), unseen)).toMatchObject({
        answer: { place: 'unseen' },
      })
      await fixture.set(['frame_approvals_usd_per_day_unseen', 0])
      expect(await fixture.put(fixture.transaction(), unseen)).toMatchObject(forPage)
    })

    test('messages stay on the card, and other listed requests go to the page', async () => {
      await fixture.set(
        ['card_typed_data', [{ contract: somebody, primary_type: 'Order' }]],
        ['test_networks', [11_155_111]],
      )
      expect(await fixture.put(fixture.message(), unseen)).toMatchObject({ answer: { place: 'unseen' } })
      const call = fixture.transaction({ chainId: 11_155_111, data: '0x12345678' })
      for (const request of [fixture.typedData(), call]) {
        expect(await fixture.put(request)).toMatchObject({ answer: { place: 'frame' } })
        expect(await fixture.put(request, unseen)).toMatchObject(forPage)
      }
    })

    test('a request put for the card moves to the unseen surface, counts there and never moves back', async () => {
      const handle = newHandle()
      const request = fixture.transaction({ value: worth(12) })
      expect(await fixture.put(request, { handle })).toMatchObject({ answer: { place: 'frame' } })
      expect(await fixture.put(request, { handle, ...unseen })).toMatchObject({
        answer: { place: 'unseen' },
      })
      expect(await fixture.put(request, { handle })).toMatchObject({ answer: { place: 'unseen' } })
      expect(await fixture.release(await fixture.tokenFor(handle))).toMatchObject(ok)
      expect(await fixture.put(request, unseen)).toMatchObject(forPage)
    })

    test('a request beyond the limit moves to the page, even for a token issued before', async () => {
      const handle = newHandle()
      await fixture.put(fixture.transaction(), { handle })
      const token = await fixture.tokenFor(handle)
      expect(await fixture.put(fixture.transaction(), { handle, ...unseen })).toMatchObject(forPage)
      expect(await fixture.release(token)).toMatchObject(elsewhere)
    })
  })

  describe('plain messages', () => {
    test('are approved on the card 200 times a day, with or without a screen, and then on the page', async () => {
      const message = fixture.message()
      await fixture.set(['no_prompt', { messages: true, usd_per_day: null, calls: [], typed_data: [] }])
      const { id } = await fixture.context.db.selectFrom('wallets').select('id').executeTakeFirstOrThrow()
      const expires_at = Math.floor(fixture.context.clock.nowMs() / 1_000) + 86_400
      const row = {
        user_id: fixture.session.user.id,
        wallet_id: id,
        counted_as: 'messages',
        cents: 1,
        expires_at,
      }
      await confirmationTables(fixture.context.db)
        .insertInto('wallet_spending')
        .values(Array.from({ length: 198 }, (_, at) => ({ ...row, confirmation_id: `earlier_${at}` })))
        .execute()
      expect(await fixture.sign(message)).toMatchObject(ok)
      expect(await fixture.sign(message, { place: 'silent' })).toMatchObject(ok)
      for (const place of ['silent', 'frame', 'unseen'] as const) {
        expect(await fixture.put(message, { place })).toMatchObject({
          answer: { place: 'page', reason: 'too_often', usd: null },
        })
      }
    })

    test('are not counted if they are confirmed on the page', async () => {
      await fixture.set(['frame_messages_per_day', 0])
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      await fixture.decide(handle, hashMessage('Hello'), 'approve')
      expect(await fixture.release(await fixture.tokenFor(handle))).toMatchObject(ok)
      await fixture.set(['frame_messages_per_day', 1])
      expect(await fixture.sign(fixture.message())).toMatchObject(ok)
    })
  })

  describe('a login message', () => {
    const signIn = (domain: string) =>
      `${domain} wants you to sign in with your Ethereum account:\n${fixture.address}\n\nHello`
    const raw = (...parts: readonly (string | number)[]): WalletRpcRequest => ({
      method: 'personal_sign',
      params: [
        `0x${Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))).toString('hex')}`,
        fixture.address,
      ],
    })
    const onPage = { status: 200, answer: { place: 'page', reason: 'sign_in_elsewhere' } }

    test('for a site of the app is a plain message, and for any other goes to the page', async () => {
      const plain = { status: 200, answer: { place: 'frame', reason: 'plain_message' } }
      expect(await fixture.put(fixture.message(signIn('demo.localhost:4010')))).toMatchObject(plain)
      for (const domain of ['demo.localhost', 'bank.example', 'demo.localhost:4010.bank.example']) {
        for (const origin of [null, 'http://demo.localhost:4010']) {
          expect(await fixture.put(fixture.message(signIn(domain)), { origin }), domain).toMatchObject(onPage)
        }
      }
      const handle = newHandle()
      await fixture.put(fixture.message(signIn('bank.example')), { handle })
      expect(await fixture.askToken(handle)).toMatchObject(elsewhere)
    })

    test('for another site goes to the page, even if the operator allows silent messages', async () => {
      await fixture.set(['no_prompt', { messages: true, usd_per_day: null, calls: [], typed_data: [] }])
      const silent = { place: 'silent' } as const
      expect(await fixture.put(fixture.message('Hello'), silent)).toMatchObject({
        answer: { place: 'silent' },
      })
      expect(await fixture.put(fixture.message(signIn('bank.example')), silent)).toMatchObject(onPage)
    })

    test('goes to the page, even if invisible characters or invalid bytes surround it', async () => {
      const text = signIn('bank.example')
      for (const request of [
        raw('\u200b', text),
        raw(text.replace('wants', 'wan\u200bts')),
        raw(0xff, '\n', text),
        raw(text, 0xff),
      ]) {
        expect(await fixture.put(request)).toMatchObject({ status: 200, answer: { place: 'page' } })
      }
    })

    test('is released with the information that the page approved it', async () => {
      const [handle, onCard] = [newHandle(), newHandle()]
      const text = signIn('demo.localhost:4010')
      await fixture.put(fixture.message(text), { handle, place: 'page' })
      await fixture.decide(handle, hashMessage(text), 'approve')
      const release = async (of: string) => (await fixture.release(await fixture.tokenFor(of))).answer
      expect(await release(handle)).toMatchObject({ approved_on_page: true })
      await fixture.put(fixture.message(text), { handle: onCard })
      expect(await release(onCard)).not.toHaveProperty('approved_on_page')
    })
  })

  describe('the activity of a user', () => {
    test('lists other wallet actions by kind, and no account actions', async () => {
      const kinds = {
        'wallet.created': 'created',
        'wallet.imported': 'imported',
        'wallet.recovered': 'recovered',
        'wallet.recovery_set': 'recovery_set',
        'wallet.key_exported': 'exported',
        'farcaster.message_signed': 'farcaster_message',
        'connected_app.allowed': 'app_connected',
        'connected_app.ended': 'app_ended',
      }
      const { db } = fixture.context
      await db.deleteFrom('audit_log').execute()
      const entry = {
        app_id: fixture.app.id,
        user_id: fixture.session.user.id,
        session_id: null,
        details: '{}',
      }
      await db
        .insertInto('audit_log')
        .values(
          [...Object.keys(kinds), 'session.started', 'mfa.enrolled'].map((event, at) => ({
            ...entry,
            id: `entry_${at}`,
            event,
            created_at: 1_000 - at,
          })),
        )
        .execute()
      expect((await fixture.activity()).answer).toEqual({
        activity: Object.values(kinds).map((kind, at) => ({ id: `entry_${at}`, at: 1_000 - at, kind })),
        next: null,
      })
    })

    test('names connected apps, and lists one whose name is no longer known', async () => {
      const { db } = fixture.context
      await db.deleteFrom('audit_log').execute()
      const entry = { app_id: fixture.app.id, user_id: fixture.session.user.id, session_id: null }
      const details = JSON.stringify({ client: 'client-1', app: 'Harbour' })
      const events = ['connected_app.used', 'connected_app.ended', 'connected_app.allowed'] as const
      await db
        .insertInto('audit_log')
        .values([
          ...events.map((event, at) => ({
            ...entry,
            id: `entry_${at}`,
            event,
            details,
            created_at: 9 - at,
          })),
          {
            ...entry,
            id: 'nameless',
            event: 'connected_app.ended',
            details: '{"app":null}',
            created_at: 1,
          },
        ])
        .execute()
      expect((await fixture.activity()).answer).toEqual({
        activity: [
          { id: 'entry_0', at: 9, kind: 'app_request', app: 'Harbour' },
          { id: 'entry_1', at: 8, kind: 'app_ended', app: 'Harbour' },
          { id: 'entry_2', at: 7, kind: 'app_connected', app: 'Harbour' },
          { id: 'nameless', at: 1, kind: 'app_ended' },
        ],
        next: null,
      })
    })

    test('lists the signatures of this user only, newest first, fifty per page', async () => {
      for (const text of ['0', '1', '2']) {
        fixture.context.clock.advanceSeconds(2)
        expect(await fixture.sign(fixture.message(text))).toMatchObject(ok)
      }
      await fixture.repeatLastSignature(49)
      const first = (await fixture.activity()).answer as {
        activity: { id: string; at: number; digest?: string }[]
        next: string
      }
      expect(first.activity).toHaveLength(50)
      expect(first.activity[0]).toEqual({
        id: expect.any(String),
        at: expect.any(Number),
        kind: 'message',
        method: 'personal_sign',
        place: 'frame',
        digest: hashMessage('2'),
      })
      const second = (await fixture.activity(first.next)).answer as typeof first
      expect(second.activity.map(({ digest }) => digest)).toEqual([
        hashMessage('1'),
        hashMessage('0'),
        undefined,
      ])
      expect(second.next).toBeNull()
      const eve = fixture.newBrowser()
      const { token } = await eve.login('eve@example.com')
      expect(await eve.call('activity', { token })).toMatchObject({ answer: { activity: [], next: null } })
    })
  })
})
