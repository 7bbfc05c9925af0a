/** Tests transactions that another app requests: completed, checked against the daily limit, signed by the user, and sent. */
import * as v from 'valibot'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseTransaction,
  serializeTransaction,
} from 'viem/utils'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine, runsAllTests } from '../../../kernel/db/test-engines.ts'
import { startChain } from '../../../testing/sandbox.ts'
import { waitForResult } from './requests.ts'
import { requestTables } from './tables.ts'
import { pricedToken, type RequestFixture, requestFixture, type TestRequester } from './testing/fixture.ts'
import { startNode, type TestNode } from './testing/node.ts'

const to = '0x00000000000000000000000000000000000000aa'
const gwei = 10n ** 9n
/** A hundredth of a coin: 20 dollars. */
const cent = `0x${(10n ** 16n).toString(16)}`
const refused = (status: number, error: string, description?: string) => ({
  status,
  answer: { error, ...(description !== undefined && { error_description: description }) },
})
const failed = (status: number, code: string) => ({ status, answer: { code } })
const readAnswer = v.object({
  request: v.object({
    method: v.literal('eth_signTransaction'),
    params: v.tuple([v.custom<Hex>(() => true), v.string()]),
  }),
})

let node: TestNode
let second: TestNode
beforeAll(async () => {
  node = await startNode()
  second = await startNode()
})
afterAll(async () => {
  await node.close()
  await second.close()
})

forEachEngine((database, engine) => {
  let fixture: RequestFixture
  let harbor: TestRequester
  let page: Awaited<ReturnType<RequestFixture['newPage']>>
  beforeEach(async () => {
    for (const each of [node, second]) {
      each.say()
      each.sent.length = 0
      each.calls.length = 0
    }
    fixture = await requestFixture(database(), {
      1: [node.url, second.url],
      137: [node.url],
      84532: [node.url],
    })
    harbor = await fixture.connect()
    page = await fixture.newPage()
  })
  const ask = (change: object = {}, of = harbor) =>
    of.ask('eth_sendTransaction', [{ to, value: cent, chainId: '0x1', ...change }])
  const made = (change: object = {}) =>
    harbor.made('eth_sendTransaction', [{ to, value: cent, chainId: '0x1', ...change }])
  const unsignedOf = async (handle: string) =>
    v.parse(readAnswer, (await page.read(handle)).answer).request.params[0]
  const parsed = async (change: object) => parseTransaction(await unsignedOf(await made(change)))
  const signAs = (unsigned: Hex, change: object = {}, account = fixture.wallet) =>
    account.signTransaction({ ...parseTransaction(unsigned), ...change } as Parameters<
      typeof account.signTransaction
    >[0])
  const answer = (handle: string, data: string, requestId?: string) =>
    page.answer(handle, { type: 'signed', data }, requestId)
  /** Reads and signs the request. */
  async function signed(change: object = {}) {
    const handle = await made(change)
    const data = await signAs(await unsignedOf(handle))
    return { handle, data, hash: keccak256(data) }
  }
  async function sent(change: object = {}) {
    const { handle, data } = await signed(change)
    return answer(handle, data)
  }
  const stateNow = async (handle: string) => {
    const { id: connectionId, client_id: clientId } = await harbor.connection()
    return waitForResult(fixture.context, await fixture.appNow(), { connectionId, clientId }, handle, {
      until: async (_key, _waitMs, look) => (await look()) ?? look(),
      hold: async () => undefined,
    })
  }

  describe('the daily limit', () => {
    test('counts waiting and sent transactions together', async () => {
      // 20 dollars each, with fees of up to 17 cents: of 100 there is room for four.
      expect(await sent()).toMatchObject({ status: 200 })
      for (let count = 0; count < 3; count += 1) await made()
      expect(await ask()).toMatchObject(refused(403, 'daily_limit_exceeded'))
      expect(await ask({ value: '0x1' })).toMatchObject({ status: 200 })
      // An unanswered request is released, and a sent transaction counts for a day.
      fixture.context.clock.advanceSeconds(120)
      await harbor.made('eth_sendTransaction', [{ to, value: cent, chainId: '0x1' }])
      const all = `0x${(38n * 10n ** 15n).toString(16)}`
      expect(await ask({ value: all })).toMatchObject(refused(403, 'daily_limit_exceeded'))
    })

    test('is available again a day later', async () => {
      const most = `0x${(49n * 10n ** 15n).toString(16)}`
      expect(await sent({ value: most })).toMatchObject({ status: 200 })
      expect(await ask()).toMatchObject(refused(403, 'daily_limit_exceeded'))
      // The token has expired by then.
      fixture.context.clock.advanceSeconds(86_400)
      harbor = await fixture.connect()
      expect(await ask()).toMatchObject({ status: 200 })
    })

    test('holds against concurrent requests', async () => {
      const asked = await Promise.all(
        Array.from({ length: 5 }, () => ask({ value: `0x${(3n * 10n ** 16n).toString(16)}` })),
      )
      expect(asked.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403])
    })

    test('counts priced tokens in addition to the fee', async () => {
      const transfer = (amount: bigint) => ({
        to: pricedToken,
        value: '0x0',
        data: encodeFunctionData({
          abi: parseAbi(['function transfer(address,uint256)']),
          args: [to, amount],
        }),
      })
      expect(await ask(transfer(100_000_000n))).toMatchObject(refused(403, 'daily_limit_exceeded'))
      expect(await ask(transfer(99_000_000n))).toMatchObject({ status: 200 })
    })

    test.each<[string, object]>([
      ['a coin without a price', { chainId: 137 }],
      ['a token without a price', { to, data: `0xa9059cbb${'00'.repeat(64)}`, value: '0x0' }],
      [
        'leave for somebody to take tokens',
        { to: pricedToken, data: `0x095ea7b3${'00'.repeat(64)}`, value: '0x0' },
      ],
      ['an unknown call', { data: '0xdeadbeef', value: '0x0' }],
      ['a contract creation', { to: null, data: '0x6001', value: '0x0' }],
    ])('rejects %s', async (_what, change) => {
      expect(await ask(change)).toMatchObject(refused(403, 'daily_limit_exceeded'))
    })

    test('rejects a call that the operator listed for its own pages', async () => {
      const data = '0xdeadbeef'
      await fixture.set(['card_calls', [{ chain: 1, contract: to, selector: data, calls_per_day: 5 }]])
      expect(await ask({ data, value: '0x0' })).toMatchObject(refused(403, 'daily_limit_exceeded'))
    })

    test('does not limit worthless coins of test networks', async () => {
      const much = `0x${(9n * 10n ** 18n).toString(16)}`
      expect(await ask({ chainId: 84_532, value: much })).toMatchObject({ status: 200 })
      expect(await ask({ chainId: 84_532, data: '0xdeadbeef' })).toMatchObject({ status: 200 })
      expect(await ask({ value: much })).toMatchObject(refused(403, 'daily_limit_exceeded'))
    })

    test('of zero allows no sending', async () => {
      const none = await fixture.connect({ clientId: 'none', dailyUsd: 0 })
      expect(await ask({ value: '0x1' }, none)).toMatchObject(refused(403, 'daily_limit_exceeded'))
    })

    test('refunds a transaction that the chain refused or the user rejected', async () => {
      const most = { value: `0x${(49n * 10n ** 15n).toString(16)}` }
      const { handle, data } = await signed(most)
      node.say({ eth_sendRawTransaction: { error: { code: -32_000, message: 'nonce too low' } } })
      second.say({ eth_sendRawTransaction: { error: { code: -32_000, message: 'nonce too low' } } })
      expect(await answer(handle, data)).toMatchObject({ answer: { code: 'transaction_failure' } })
      node.say()
      const again = await made(most)
      await page.read(again)
      await page.answer(again, { type: 'rejected' })
      expect(await ask(most)).toMatchObject({ status: 200 })
    })
  })

  describe('sending', () => {
    const noncePassed = { error: { code: -32_000, message: 'nonce too low' } }

    test('is idempotent if the first response was lost', async () => {
      const { handle, data, hash } = await signed()
      const first = await answer(handle, data, 'the-same-call')
      expect((await answer(handle, data, 'the-same-call')).answer).toEqual(first.answer)
      expect(node.sent).toEqual([data])
      expect(await answer(handle, data)).toMatchObject(failed(400, 'token_already_used'))
      expect(first.answer).toMatchObject({ status: 'completed', result: hash })
    })

    test.each<[string, Parameters<TestNode['say']>[0]]>([
      [
        'says that it knows it',
        { eth_sendRawTransaction: { error: { code: -32_000, message: 'already known' } } },
      ],
      [
        'has it in a block',
        { eth_sendRawTransaction: noncePassed, eth_getTransactionByHash: { result: {} } },
      ],
    ])('succeeds if the chain %s', async (_what, said) => {
      const { handle, data, hash } = await signed()
      node.say(said)
      expect(await answer(handle, data)).toMatchObject({
        status: 200,
        answer: { status: 'completed', result: hash },
      })
    })

    test('is retried at the next node if one refuses', async () => {
      const { handle, data, hash } = await signed()
      node.say({ eth_sendRawTransaction: { error: { code: -32_000, message: 'txpool is full' } } })
      expect(await answer(handle, data)).toMatchObject({ answer: { result: hash } })
      expect(second.sent).toEqual([data])
    })

    test('fails if every node refuses', async () => {
      const { handle, data } = await signed()
      for (const each of [node, second]) each.say({ eth_sendRawTransaction: noncePassed })
      const answered = await answer(handle, data, 'the-same-call')
      expect(answered).toMatchObject({
        status: 400,
        answer: { error: 'nonce too low', code: 'transaction_failure' },
      })
      expect((await answer(handle, data, 'the-same-call')).answer).toEqual(answered.answer)
      expect(await harbor.result(handle)).toMatchObject({ answer: { status: 'failed', error: 'failed' } })
      expect(await answer(handle, data)).toMatchObject(failed(400, 'token_already_used'))
    })

    test('is retried after a silent node, with the same bytes only', async () => {
      const { handle, data, hash } = await signed()
      node.say({ eth_sendRawTransaction: 'nothing' })
      expect(await answer(handle, data)).toMatchObject(failed(503, 'unavailable'))
      expect(await page.read(handle)).toMatchObject(failed(400, 'token_already_used'))
      expect(await page.answer(handle, { type: 'rejected' })).toMatchObject(failed(400, 'token_already_used'))
      // The request has expired, but the chain may have the transaction.
      fixture.context.clock.advanceSeconds(121)
      node.say()
      expect(await answer(handle, data)).toMatchObject({ status: 200, answer: { result: hash } })
      expect(node.sent).toEqual([data, data])
      const rows = await requestTables(fixture.context.db)
        .selectFrom('cross_app_spending')
        .selectAll()
        .execute()
      expect(rows).toHaveLength(1)
    })

    test("the requester's poll finishes a transaction that a process abandoned", async () => {
      const { handle, data, hash } = await signed()
      node.say({ eth_sendRawTransaction: 'nothing' })
      await answer(handle, data)
      node.say()
      expect(await stateNow(handle)).toEqual({ status: 'pending' })
      fixture.context.clock.advanceSeconds(30)
      expect(await stateNow(handle)).toEqual({ status: 'completed', result: hash })
      expect(node.sent).toEqual([data, data])
      expect(await page.used()).toEqual(['Harbor'])
    })

    test("does not begin after the request's deadline", async () => {
      const { handle, data } = await signed()
      fixture.context.clock.advanceSeconds(120)
      expect(await answer(handle, data)).toMatchObject({
        status: 200,
        answer: { status: 'failed', error: 'timeout' },
      })
      expect(node.sent).toEqual([])
    })

    test('happens once for several concurrent answers', async () => {
      const { handle, data } = await signed()
      const answers = await Promise.all([answer(handle, data), page.answer(handle, { type: 'rejected' })])
      const { status } = await stateNow(handle)
      expect(answers.map((each) => each.status).sort()).toEqual([200, 400])
      expect(node.sent.length).toBe(status === 'completed' ? 1 : 0)
    })
  })

  if (!runsAllTests(engine)) return

  test('a transaction is completed with chain data, signed and sent, and the app receives its hash', async () => {
    const handle = await made()
    const unsigned = await unsignedOf(handle)
    expect(parseTransaction(unsigned)).toEqual({
      type: 'eip1559',
      chainId: 1,
      nonce: 7,
      to,
      value: 10n ** 16n,
      gas: 21_000n,
      maxFeePerGas: 4n * gwei,
      maxPriorityFeePerGas: 2n * gwei,
    })
    const data = await signAs(unsigned)
    const completed = { status: 200, answer: { status: 'completed', result: keccak256(data) } }
    expect(await answer(handle, data)).toMatchObject(completed)
    expect(node.sent).toEqual([data])
    expect(await harbor.result(handle)).toMatchObject(completed)
    expect(await page.used()).toEqual(['Harbor'])
  })

  test('a real chain accepts the completed transaction', async () => {
    const chainUrl = await startChain()
    const { createClient, http, publicActions, testActions, parseEther } = await import('viem')
    const client = createClient({ transport: http(chainUrl), pollingInterval: 10 })
      .extend(publicActions)
      .extend(testActions({ mode: 'anvil' }))
    await client.setBalance({ address: fixture.wallet.address, value: parseEther('1') })
    await fixture.set(['rpc_urls', { 31337: [chainUrl] }], ['test_networks', [31_337]])
    const handle = await made({ chainId: 31_337, value: '0x7' })
    const data = await signAs(await unsignedOf(handle))
    const { status, answer: said } = await answer(handle, data)
    expect(status).toBe(200)
    const hash = keccak256(data)
    expect(said).toMatchObject({ result: hash })
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await client.getBalance({ address: to })).toBe(7n)
    // A transaction that would revert is rejected with the reason.
    const data2 = encodeFunctionData({ abi: parseAbi(['function pay()']), functionName: 'pay' })
    // The contract always reverts with Error("Not today").
    const told = encodeAbiParameters([{ type: 'string' }], ['Not today'])
    const returned = `08c379a0${told.slice(2)}`
    const code = `0x${[
      '60',
      (returned.length / 2).toString(16).padStart(2, '0'),
      '600c60003960',
      (returned.length / 2).toString(16).padStart(2, '0'),
      '6000fd',
    ].join('')}${returned}` as const
    await client.setCode({ address: to, bytecode: code })
    const reverted = await ask({ chainId: 31_337, data: data2 })
    expect(reverted).toMatchObject(refused(400, 'invalid_request'))
    expect(JSON.stringify(reverted.answer)).toContain('Not today')
  }, 60_000)

  describe('the values of the app', () => {
    test('are kept', async () => {
      const change = {
        from: fixture.wallet.address.toLowerCase(),
        nonce: '0x2a',
        gas: '0xea60',
        maxFeePerGas: '0x77359400',
        maxPriorityFeePerGas: '0x1',
        input: '0x',
        type: '0x2',
      }
      expect(await parsed(change)).toMatchObject({
        nonce: 42,
        gas: 60_000n,
        maxFeePerGas: 2_000_000_000n,
        maxPriorityFeePerGas: 1n,
      })
    })

    test('a gas price becomes the maximum fee', async () => {
      expect(await parsed({ gasPrice: '0x77359400' })).toMatchObject({
        type: 'eip1559',
        maxFeePerGas: 2_000_000_000n,
        maxPriorityFeePerGas: 2_000_000_000n,
      })
    })

    test('a gas limit is a fifth above the estimate', async () => {
      node.say({ eth_estimateGas: { result: '0x186a0' } })
      const transfer = encodeFunctionData({
        abi: parseAbi(['function transfer(address,uint256)']),
        args: [to, 1_000_000n],
      })
      expect(await parsed({ to: pricedToken, value: '0x0', data: transfer })).toMatchObject({ gas: 120_000n })
    })

    test('make a legacy transaction on a chain without a fee market', async () => {
      node.say({
        eth_getBlockByNumber: { result: {} },
        eth_maxPriorityFeePerGas: { error: { code: -32601, message: 'no' } },
      })
      const handle = await made()
      const unsigned = await unsignedOf(handle)
      expect(parseTransaction(unsigned)).toMatchObject({ type: 'legacy', gasPrice: 3n * gwei, chainId: 1 })
      const data = await signAs(unsigned)
      expect(await answer(handle, data)).toMatchObject({ status: 200, answer: { result: keccak256(data) } })
    })

    test.each<[string, object]>([
      ['no chain', { chainId: undefined }],
      ['a chain id that is not a number', { chainId: 'mainnet' }],
      ['chain 0', { chainId: 0 }],
      ['a value that is not a number', { value: 'ten' }],
      ['a negative value', { value: -1 }],
      ['a value of more than 256 bits', { value: `0x1${'0'.repeat(64)}` }],
      ['half a byte of data', { data: '0xabc' }],
      ['data and a different input', { data: '0x00', input: '0x01' }],
      ['two gas limits', { gas: '0x5208', gasLimit: '0x5209' }],
      ['a gas price and a maximum fee', { gasPrice: '0x1', maxFeePerGas: '0x1' }],
      ['a priority fee above the maximum fee', { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }],
      ['neither a recipient nor data', { to: null }],
      ['an invalid recipient', { to: '0x12' }],
      [
        'a receiver with a wrong checksum',
        { to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5a', '5A') },
      ],
      ['an access list', { accessList: [{ address: to, storageKeys: [] }] }],
      ['an authorization list', { authorizationList: [{}] }],
      ['a blob', { type: '0x3' }],
    ])('with %s are rejected', async (_what, change) => {
      expect(await ask(change)).toMatchObject(refused(400, 'invalid_request'))
    })
  })

  describe('the chain', () => {
    test('needs an RPC URL of the app', async () => {
      expect(await ask({ chainId: '0xa' })).toMatchObject(
        refused(400, 'unsupported_chain', 'Unsupported chain: 10'),
      )
    })

    test('reports that the transaction would fail, and the reason', async () => {
      const returned = `0x08c379a0${encodeAbiParameters([{ type: 'string' }], ['Not today']).slice(2)}`
      node.say({ eth_estimateGas: { error: { code: 3, message: 'execution reverted', data: returned } } })
      expect(await ask()).toMatchObject(
        refused(400, 'invalid_request', 'The transaction would fail: execution reverted: Not today'),
      )
      node.say({
        eth_estimateGas: { error: { code: -32_000, message: 'gas required exceeds allowance "(0)"' } },
      })
      expect(await ask()).toMatchObject(
        refused(400, 'invalid_request', 'The transaction would fail: gas required exceeds allowance  (0) '),
      )
    })

    test('reports that the wallet has insufficient funds', async () => {
      node.say({ eth_getBalance: { result: cent } })
      expect(await ask()).toMatchObject(refused(400, 'invalid_request'))
    })

    test('is called at the next node if one does not respond, or refuses for its own reason', async () => {
      node.say({ eth_getBlockByNumber: 'nothing' })
      expect(await ask()).toMatchObject({ status: 200 })
      node.say({ eth_estimateGas: { error: { code: -32_005, message: 'too many requests' } } })
      expect(await ask()).toMatchObject({ status: 200 })
      second.say({ eth_gasPrice: { result: 'much' } })
      expect(await ask()).toMatchObject(refused(503, 'temporarily_unavailable'))
    })
  })

  describe('a signed result', () => {
    test('accepts only the exact requested transaction of the connected wallet', async () => {
      const handle = await made()
      const unsigned = await unsignedOf(handle)
      const stranger = privateKeyToAccount(generatePrivateKey())
      const right = await signAs(unsigned)
      const wrong = [
        await signAs(unsigned, {}, stranger),
        await signAs(unsigned, { value: 2n * 10n ** 16n }),
        await signAs(unsigned, { nonce: 8 }),
        await signAs(unsigned, { maxFeePerGas: 5n * gwei }),
        await signAs(unsigned, { chainId: 10 }),
        await signAs(unsigned, { to: pricedToken }),
        await signAs(unsigned, { data: '0x00' }),
        await signAs(unsigned, { accessList: [{ address: to, storageKeys: [] }] }),
        unsigned,
        `${right}00`,
        right.slice(0, -2),
        '0x',
        '0x02',
      ]
      for (const data of wrong) {
        expect(await answer(handle, data)).toMatchObject(failed(422, 'invalid_data'))
      }
      expect(node.sent).toEqual([])
      expect(await answer(handle, right)).toMatchObject({ status: 200 })
    })

    test('is not accepted with an additional signature', async () => {
      const handle = await made()
      const unsigned = await unsignedOf(handle)
      const signature = await fixture.wallet.sign({ hash: keccak256(unsigned) })
      expect(await answer(handle, signature)).toMatchObject(failed(422, 'invalid_data'))
      const { r, s, yParity } = parseTransaction(await signAs(unsigned))
      if (r === undefined || s === undefined || yParity === undefined) throw new Error('It is signed')
      const flipped = serializeTransaction(parseTransaction(unsigned), { r, s, yParity: 1 - yParity })
      expect(await answer(handle, flipped)).toMatchObject(failed(422, 'invalid_data'))
      expect(node.sent).toEqual([])
    })
  })
})
