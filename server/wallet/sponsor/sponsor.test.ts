/** Sponsored operations over HTTP and on a chain, with the entry point and the account contract of production. */
import { toWire } from '@latchkey/protocol'
import { sponsorRoutes } from '@latchkey/protocol/api'
import {
  batchAccount,
  type Delegation,
  delegatedCode,
  noDelegate,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { concatHex, createTestClient, type Hex, http, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fields } from '../../identity/apps/manage.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createRelay, sponsors } from '../../integrations/relays/relays.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { startChain } from '../../testing/sandbox.ts'
import { encodeDelegation } from '../confirm/reading/read-delegation.ts'
import { encodeOperation } from '../confirm/reading/read-operation.ts'
import { newHandle } from '../confirm/testing/confirming.ts'
import { confirmFixture } from '../confirm/testing/fixture.ts'
import { sponsorTables } from './tables.ts'
import { createSponsorWorker } from './worker.ts'

const chainUrl = await startChain()
const node = createTestClient({ mode: 'anvil', transport: http(chainUrl), pollingInterval: 10 })
  .extend(publicActions)
  .extend(walletActions)

const chainId = 31_337
const someone = `0x${'a1'.repeat(20)}` as const
/** Reverts every call. */
const reverting = `0x${'fd'.repeat(20)}` as const
/** Stores its caller: CALLER, PUSH0, SSTORE. */
const recorder = `0x${'ec'.repeat(20)}` as const
const noteCall = { to: recorder, value: '0', data: '0x12345678' } as const
const payment = (wei: string) => ({ to: someone, value: wei, data: '0x' }) as const

/** Waits for the blocks that anvil mines by itself, which it does after it has accepted a transaction. */
async function mined() {
  if (!(await node.getAutomine())) return
  await vi.waitFor(async () => expect(await node.getTxpoolStatus()).toMatchObject({ pending: 0 }), 20_000)
}

beforeEach(async () => {
  await node.setCode({ address: reverting, bytecode: '0x5f5ffd' })
  await node.setCode({ address: recorder, bytecode: '0x335f55' })
  await node.setAutomine(true)
})

const operationAnswer = v.object({ operation: v.unknown(), usd: v.nullable(v.string()) })
const sentAnswer = v.object({
  id: v.string(),
  state: v.string(),
  transaction_hash: v.nullable(v.string()),
})

forEachEngine((database) => {
  async function sponsorFixture(...settings: Fields) {
    const fixture = await confirmFixture(database())
    const { context, browser, session, app } = fixture
    const relayKey = generatePrivateKey()
    const relay = privateKeyToAccount(relayKey)
    await node.setBalance({ address: relay.address, value: parseEther('10') })
    chains.set(context.ports, createRpcChains(new Map([[chainId, chainUrl]])))
    sponsors.set(context.ports, {
      chains: new Map([[chainId, createRelay(relayKey)]]),
      clusters: new Map(),
    })
    fixture.dollars.set(String(chainId), 2_000)
    await fixture.set(
      ['sponsored_chains', [chainId]],
      ['sponsor_limits.usd_per_operation', 50],
      ['sponsor_limits.usd_per_user_per_day', 200],
      ['sponsor_limits.usd_per_day', 1000],
      ...settings,
    )
    const useKey = async (userId: string) => {
      const privateKey = generatePrivateKey()
      const { address } = privateKeyToAccount(privateKey)
      await context.db.updateTable('wallets').set({ address }).where('user_id', '=', userId).execute()
      return { privateKey, address }
    }
    const wallet = await useKey(session.user.id)
    const worker = createSponsorWorker(context)

    const quote = (calls: UserOperation['calls'], by = session, { address } = wallet) =>
      browser.call('quoteOperation', { token: by.token, body: { address, chain_id: chainId, calls } })

    async function quoted(calls: UserOperation['calls'], by = session, of = wallet): Promise<UserOperation> {
      const { status, answer } = await quote(calls, by, of)
      expect([status, answer]).toEqual([200, expect.anything()])
      return toCamel(v.parse(operationAnswer, answer).operation)
    }
    async function signed(operation: UserOperation, { privateKey, address } = wallet): Promise<Hex> {
      const { hash, authorizationHash } = encodeOperation(operation, address)
      const signatures = [await sign({ hash, privateKey, to: 'hex' })]
      if (operation.authorizationNonce !== null)
        signatures.push(await sign({ hash: authorizationHash, privateKey, to: 'hex' }))
      return concatHex(signatures)
    }
    async function send(operation: UserOperation, signatures: Hex, by = session, { address } = wallet) {
      const answer = await browser.call('sendOperation', {
        token: by.token,
        body: toWire(sponsorRoutes.sendOperation.body, { address, operation, signatures }) as object,
      })
      await mined()
      return answer
    }
    async function run(calls: UserOperation['calls']) {
      const operation = await quoted(calls)
      const { status, answer } = await send(operation, await signed(operation))
      expect([status, answer]).toEqual([200, expect.anything()])
      return v.parse(sentAnswer, answer)
    }
    const status = async (id: string) =>
      v.parse(
        sentAnswer,
        (await browser.call('operationStatus', { token: session.token, body: { id } })).answer,
      )
    /** Lets the worker look at everything that is due. */
    async function follow(seconds = 3) {
      context.clock.advanceSeconds(seconds)
      await worker.poll()
    }
    const spent = async () => {
      const rows = await sponsorTables(context.db)
        .selectFrom('sponsored_operations')
        .select('cents')
        .execute()
      return rows.reduce((sum, { cents }) => sum + Number(cents), 0)
    }
    return {
      ...fixture,
      app,
      relay,
      wallet,
      useKey,
      worker,
      quote,
      quoted,
      signed,
      send,
      run,
      status,
      follow,
      spent,
    }
  }

  test('a user without coins sends calls at once, and the first of them delegates the wallet', async () => {
    const { wallet, relay, quoted, signed, send, status, follow } = await sponsorFixture()
    const operation = await quoted([noteCall, { ...noteCall, to: someone }])
    expect(operation).toMatchObject({ chainId, nonce: '0', authorizationNonce: 0 })
    const answer = v.parse(sentAnswer, (await send(operation, await signed(operation))).answer)
    expect(answer).toMatchObject({
      id: encodeOperation(operation, wallet.address).hash,
      state: 'pending',
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    await follow()
    expect(await status(answer.id)).toEqual({ ...answer, state: 'succeeded' })

    expect(await node.getCode({ address: wallet.address })).toBe(delegatedCode)
    expect(BigInt((await node.getStorageAt({ address: recorder, slot: '0x0' })) ?? 0)).toBe(
      BigInt(wallet.address),
    )
    expect(await node.getBalance({ address: wallet.address })).toBe(0n)
    const transaction = await node.getTransaction({ hash: answer.transaction_hash as Hex })
    expect(transaction).toMatchObject({ type: 'eip7702', from: relay.address.toLowerCase() })
  })

  test('the next operation needs no authorization', async () => {
    const { wallet, run, quoted, follow, status } = await sponsorFixture()
    await run([noteCall])
    await follow()
    await node.setBalance({ address: wallet.address, value: 5n })
    expect(await quoted([payment('5')])).toMatchObject({ nonce: '1', authorizationNonce: null })
    const before = await node.getBalance({ address: someone })
    const { id } = await run([payment('2'), payment('3')])
    await follow()
    expect(await status(id)).toMatchObject({ state: 'succeeded' })
    expect((await node.getBalance({ address: someone })) - before).toBe(5n)
  })

  test('the user approves an operation like its calls, and only on a chain that the app lists', async () => {
    const { browser, session, wallet, quoted, read, set } = await sponsorFixture()
    const put = (operation: UserOperation, handle = newHandle()) => {
      const { digest } = encodeOperation(operation, wallet.address)
      const params = [wallet.address, JSON.stringify(operation), digest]
      const request = { method: 'eth_signUserOperation', params }
      const body = { handle, address: wallet.address, request, origin: null, place: 'frame' }
      return browser.call('putConfirmation', { token: session.token, body })
    }
    await node.setBalance({ address: wallet.address, value: 10n })
    const payments = await quoted([payment('2'), payment('3')])
    expect((await put(payments)).answer).toMatchObject({
      place: 'frame',
      reason: 'within_allowance',
      usd: '0.02',
    })
    const handle = newHandle()
    expect((await put(await quoted([payment('2'), noteCall]), handle)).answer).toMatchObject({
      place: 'page',
      reason: 'not_understood',
    })
    expect((await read(handle)).answer).toMatchObject({
      state: 'open',
      request: { method: 'eth_signUserOperation' },
    })
    await set(['sponsored_chains', []])
    expect(await put(payments)).toMatchObject({ status: 400, answer: { code: 'not_supported' } })
  })

  test('repeating a call sends no second transaction', async () => {
    const { relay, quoted, signed, send } = await sponsorFixture()
    const operation = await quoted([noteCall])
    const signatures = await signed(operation)
    const [first, second] = await Promise.all([send(operation, signatures), send(operation, signatures)])
    const again = await send(operation, signatures)
    const known = [first, second, again].filter(({ status }) => status === 200)
    expect(known.length).toBeGreaterThanOrEqual(1)
    expect(new Set(known.map(({ answer }) => v.parse(sentAnswer, answer).id)).size).toBe(1)
    expect(await node.getTransactionCount({ address: relay.address })).toBe(1)
  })

  test.each<[string, (operation: UserOperation) => Partial<UserOperation>]>([
    ['other calls', () => ({ calls: [{ ...noteCall, data: '0x' }] })],
    ['another nonce', () => ({ nonce: '1' })],
    ['more gas', ({ callGasLimit }) => ({ callGasLimit: callGasLimit + 1 })],
    ['another authorization', () => ({ authorizationNonce: 1 })],
    ['no authorization', () => ({ authorizationNonce: null })],
  ])('refuses an operation with %s than the wallet signed', async (_name, change) => {
    const { relay, quoted, signed, send } = await sponsorFixture()
    const operation = await quoted([noteCall])
    const answer = await send({ ...operation, ...change(operation) }, await signed(operation))
    expect(answer).toMatchObject({ status: 422, answer: { code: 'invalid_data' } })
    expect(await node.getTransactionCount({ address: relay.address })).toBe(0)
  })

  test('refuses an operation of another key, and one of another user’s wallet', async () => {
    const { relay, quoted, signed, send, wallet, useKey } = await sponsorFixture()
    const operation = await quoted([noteCall])
    const stranger = { address: wallet.address, privateKey: generatePrivateKey() }
    expect(await send(operation, await signed(operation, stranger))).toMatchObject({ status: 422 })
    const other = await useKey('usr_other')
    expect(await send(operation, await signed(operation, other), undefined, other)).toMatchObject({
      answer: { code: 'embedded_wallet_not_found' },
    })
    expect(await node.getTransactionCount({ address: relay.address })).toBe(0)
  })

  test('three failing operations pause the user, and cost nothing', async () => {
    const { relay, quote, quoted, signed, send } = await sponsorFixture()
    expect(await quote([noteCall, { ...noteCall, to: reverting }])).toMatchObject({
      answer: { code: 'transaction_failure' },
    })
    for (let nonce = 1; nonce <= 3; nonce += 1) {
      const operation = { ...(await quoted([noteCall])), nonce: String(nonce) }
      expect(await send(operation, await signed(operation))).toMatchObject({
        answer: { code: 'transaction_failure' },
      })
    }
    expect(await quote([noteCall])).toMatchObject({ answer: { code: 'not_supported' } })
    expect(await node.getTransactionCount({ address: relay.address })).toBe(0)
  })

  test('counts the maximum fee before it sends, and returns the rest from the receipt', async () => {
    const { run, follow, spent } = await sponsorFixture()
    const { transaction_hash: hash } = await run([noteCall])
    const most = await spent()
    await follow()
    const { gasUsed, effectiveGasPrice } = await node.getTransactionReceipt({ hash: hash as Hex })
    const paid = Number((gasUsed * effectiveGasPrice * 2_000n * 100n + 10n ** 18n - 1n) / 10n ** 18n)
    expect(await spent()).toBe(paid)
    expect(most).toBeGreaterThan(paid)
  })

  test.each(['usd_per_day', 'usd_per_user_per_day'])('refuses an operation beyond %s', async (name) => {
    const { run, quoted, signed, send, set, spent, follow, relay } = await sponsorFixture()
    await run([noteCall])
    await follow()
    const operation = await quoted([noteCall])
    await set([`sponsor_limits.${name}`, (await spent()) / 100 + 0.01])
    expect(await send(operation, await signed(operation))).toMatchObject({
      answer: { code: 'not_supported', error: 'The fees exceed what is paid for users' },
    })
    expect(await node.getTransactionCount({ address: relay.address })).toBe(1)
  })

  test.each<[string, Fields]>([
    ['for an app that lists no chain', [['sponsored_chains', []]]],
    ['beyond the limit of an operation', [['sponsor_limits.usd_per_operation', 0]]],
    ['for calls that are not listed', [['sponsor_limits.calls', []]]],
    ['for a new account', [['sponsor_limits.min_account_minutes', 60]]],
  ])('quotes nothing %s', async (_name, settings) => {
    const { quote } = await sponsorFixture(...settings)
    expect(await quote([noteCall])).toMatchObject({ status: 400, answer: { code: 'not_supported' } })
  })

  test('pays for listed calls only, if the app lists any', async () => {
    const calls = [{ chain: chainId, contract: recorder, selector: '0x12345678' }]
    const { quote } = await sponsorFixture(['sponsor_limits.calls', calls])
    expect(await quote([noteCall])).toMatchObject({ status: 200 })
    expect(await quote([noteCall, { ...noteCall, to: someone }])).toMatchObject({ status: 400 })
    expect(await quote([{ ...noteCall, data: '0x12345679' }])).toMatchObject({ status: 400 })
  })

  test('quotes nothing without a price, except on a test network', async () => {
    const { quote, dollars, set } = await sponsorFixture()
    dollars.clear()
    expect(await quote([noteCall])).toMatchObject({ answer: { code: 'not_supported' } })
    await set(['test_networks', [chainId]])
    expect(await quote([noteCall])).toMatchObject({ status: 200, answer: { usd: null } })
  })

  test('leaves a wallet alone that is delegated to another contract', async () => {
    const { quote, wallet } = await sponsorFixture()
    await node.setCode({ address: wallet.address, bytecode: concatHex(['0xef0100', someone]) })
    expect(await quote([noteCall])).toMatchObject({ answer: { code: 'not_supported' } })
  })

  describe('a change of the delegate', () => {
    const foreign = concatHex(['0xef0100', someone])

    async function delegationFixture(code: Hex) {
      const fixture = await sponsorFixture()
      const { browser, session, wallet } = fixture
      await node.setCode({ address: wallet.address, bytecode: code })
      const { token } = session
      const quoteDelegation = (delegate: Hex) =>
        browser.call('quoteDelegation', {
          token,
          body: { address: wallet.address, chain_id: chainId, delegate },
        })
      async function signed(delegation: Delegation, { privateKey } = wallet): Promise<Hex> {
        const { authorizationHash: hash } = encodeDelegation(delegation, wallet.address)
        return sign({ hash, privateKey, to: 'hex' })
      }
      const sendDelegation = (delegation: Delegation, signature: Hex) =>
        browser.call('sendDelegation', {
          token,
          body: toWire(sponsorRoutes.sendDelegation.body, {
            address: wallet.address,
            delegation,
            signature,
          }) as object,
        })
      return { ...fixture, quoteDelegation, signed, sendDelegation }
    }

    test.each([
      ['the account contract', delegatedCode as Hex, noDelegate, '0x'],
      ['another contract', foreign, noDelegate, '0x'],
      ['another contract for the account contract', foreign, batchAccount.address, delegatedCode],
    ] as const)('removes %s, at the cost of the operator', async (_name, code, delegate, expected) => {
      const { wallet, quoteDelegation, signed, sendDelegation, follow, status, spent } =
        await delegationFixture(code)
      const delegation: Delegation = { chainId, delegate, nonce: 0, fees: null }
      expect(await quoteDelegation(delegate)).toMatchObject({
        status: 200,
        answer: { delegation: { chain_id: chainId, delegate, nonce: 0, fees: null } },
      })
      const { answer } = await sendDelegation(delegation, await signed(delegation))
      const { id } = v.parse(sentAnswer, answer)
      expect(await spent()).toBeGreaterThan(0)
      await mined()
      await follow()
      expect(await status(id)).toMatchObject({ state: 'succeeded' })
      expect((await node.getCode({ address: wallet.address })) ?? '0x').toBe(expected)
      expect(await node.getBalance({ address: wallet.address })).toBe(0n)
    })

    test('is not paid for a wallet that runs no contract, or this one already', async () => {
      const { wallet, quoteDelegation } = await delegationFixture('0x')
      const unpaid = { answer: { code: 'not_supported' } }
      expect(await quoteDelegation(noDelegate)).toMatchObject(unpaid)
      await node.setCode({ address: wallet.address, bytecode: delegatedCode as Hex })
      expect(await quoteDelegation(batchAccount.address)).toMatchObject(unpaid)
    })

    test('is refused with another signature, with an old nonce, and to any other contract', async () => {
      const { relay, signed, sendDelegation, quoteDelegation } = await delegationFixture(foreign)
      const delegation: Delegation = { chainId, delegate: noDelegate, nonce: 0, fees: null }
      const signature = await signed(delegation)
      const replacement = { ...delegation, delegate: batchAccount.address }
      expect(await sendDelegation(replacement, signature)).toMatchObject({ answer: { code: 'invalid_data' } })
      const old = { ...delegation, nonce: 1 }
      expect(await sendDelegation(old, await signed(old))).toMatchObject({
        answer: { code: 'transaction_failure' },
      })
      expect(await quoteDelegation(someone)).toMatchObject({ status: 422 })
      expect(await node.getTransactionCount({ address: relay.address })).toBe(0)
    })

    test('to the account contract is approved only on a chain that the app lists, a removal on any', async () => {
      const { browser, session, wallet, set } = await delegationFixture(foreign)
      await set(['sponsored_chains', []])
      const put = (delegate: Delegation['delegate']) => {
        const delegation: Delegation = { chainId, delegate, nonce: 0, fees: null }
        const { digest } = encodeDelegation(delegation, wallet.address)
        const params = [wallet.address, JSON.stringify(delegation), digest]
        const request = { method: 'eth_signAuthorization', params }
        const body = { handle: newHandle(), address: wallet.address, request, origin: null, place: 'frame' }
        return browser.call('putConfirmation', { token: session.token, body })
      }
      expect(await put(batchAccount.address)).toMatchObject({ answer: { code: 'not_supported' } })
      expect(await put(noDelegate)).toMatchObject({ status: 200, answer: { place: 'frame' } })
    })
  })

  test('quotes nothing on a chain with other code at the account contract', async () => {
    const { quote } = await sponsorFixture()
    const code = await node.getCode({ address: batchAccount.address })
    await node.setCode({ address: batchAccount.address, bytecode: '0x00' })
    try {
      expect(await quote([noteCall])).toMatchObject({ answer: { code: 'not_supported' } })
    } finally {
      await node.setCode({ address: batchAccount.address, bytecode: code ?? '0x' })
    }
    expect(await quote([noteCall])).toMatchObject({ status: 200 })
  })

  test('replaces a transaction that no block takes, with an eighth more fees', async () => {
    const { run, follow, status } = await sponsorFixture()
    await node.setAutomine(false)
    const { id, transaction_hash: first } = await run([noteCall])
    await follow(29)
    expect(await status(id)).toMatchObject({ state: 'pending', transaction_hash: first })
    await follow(3)
    const { transaction_hash: second } = await status(id)
    expect(second).not.toBe(first)
    const pending = await node.getTransaction({ hash: second as Hex })
    await node.mine({ blocks: 1 })
    await follow()
    expect(await status(id)).toEqual({ id, state: 'succeeded', transaction_hash: second })
    expect(pending.maxPriorityFeePerGas).toBeGreaterThan(0n)
  })

  test('two processes take different nonces, and a crashed one leaves no gap', async () => {
    const { context, browser, relay, wallet, makeWallet, useKey, quoted, signed, send, follow, status } =
      await sponsorFixture()
    await node.setAutomine(false)
    const operation = await quoted([noteCall])
    const other = await browser.login('grace@example.com')
    await makeWallet(other)
    const theirs = await useKey(other.user.id)
    const second = await quoted([noteCall], other, theirs)
    const answers = await Promise.all([
      send(operation, await signed(operation)),
      send(second, await signed(second, theirs), other, theirs),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const rows = await sponsorTables(context.db)
      .selectFrom('sponsored_operations')
      .select('relay_nonce')
      .orderBy('relay_nonce')
      .execute()
    expect(rows.map(({ relay_nonce: nonce }) => Number(nonce))).toEqual([0, 1])
    // A process that ended before it sent its transaction.
    await sponsorTables(context.db)
      .updateTable('sponsored_operations')
      .set({ transactions: '[]' })
      .where('relay_nonce', '=', 0)
      .execute()
    for (const { answer } of answers) {
      await node.dropTransaction({ hash: v.parse(sentAnswer, answer).transaction_hash as Hex })
    }
    await follow(40)
    await node.mine({ blocks: 1 })
    await follow()
    const { hash } = encodeOperation(operation, wallet.address)
    expect(await status(hash)).toMatchObject({ state: 'succeeded' })
    expect(await node.getTransactionCount({ address: relay.address })).toBe(2)
  })
})

/** The fields of an operation as code names them. */
const toCamel = (operation: unknown): UserOperation =>
  Object.fromEntries(
    Object.entries(Object(operation)).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as UserOperation
