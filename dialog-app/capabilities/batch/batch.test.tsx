import type { ErrorCode } from '@latchkey/protocol'
import { screen } from '@testing-library/dom'
import { keccak256, parseTransaction } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chainUrl, makeFakeChain } from '../../testing/chain.ts'
import {
  confirmedIn,
  type Fixture,
  type FixtureOptions,
  makeFixture,
  refused,
  watch,
} from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { makeFakeStore } from '../../testing/storage.ts'
import { capabilities } from '../index.ts'
import { batchThrough } from './batch.ts'
import { digestOperation } from './lazy/operation.ts'

afterEach(() => void vi.unstubAllGlobals())

const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

const calls = [
  { to: token, data: '0xa9059cbb' },
  { to: someone, value: '0x16345785d8a0000' },
]
const request = (change: object = {}) => ({
  version: '2.0.0',
  chainId: '0x1',
  from: walletAddress,
  atomicRequired: false,
  calls,
  ...change,
})

type Options = FixtureOptions & {
  chain?: ReturnType<typeof makeFakeChain>
  tab?: ReturnType<typeof makeFakeStore>
  user?: typeof walletUser | null
}

const receiptOf = (status: '0x0' | '0x1') => (hash: never) => ({
  status,
  gasUsed: '0x5208',
  effectiveGasPrice: '0x77359400',
  logs: [{ address: token, data: '0x', topics: [], removed: false }],
  blockHash: `0x${'b1'.repeat(32)}`,
  blockNumber: '0x10',
  transactionHash: hash,
})
const chainThat = (status: '0x0' | '0x1' = '0x1') =>
  makeFakeChain({ eth_getTransactionReceipt: receiptOf(status) })

async function fixture({
  chain = chainThat(),
  tab = makeFakeStore(),
  user = walletUser,
  ...change
}: Options = {}) {
  vi.stubGlobal('fetch', chain.fetch)
  const signed: string[] = []
  const made = await makeFixture({
    answers: { logout: () => ({ success: true }) },
    app: { rpcUrls: { 1: [chainUrl], 10: [`${chainUrl}/ten`] }, testNetworks: [1, 10] },
    capabilities: [...capabilities.filter(({ name }) => name !== 'batch'), batchThrough(chain.fetch, tab)],
    wallet: {
      async sign(_, { params }) {
        signed.push(String(params[0]))
        return `0x${String(signed.length).padStart(130, '5')}`
      },
    },
    ...change,
  })
  if (user) made.session.accept(makeAuthAnswer({ user }))
  const transactions = () => signed.map((each) => parseTransaction(each as `0x${string}`))
  return { ...made, chain, transactions, page: renderDialog(made) }
}
type Made = Awaited<ReturnType<typeof fixture>>

const soon = (run: () => unknown) => vi.waitFor(run, { timeout: 15_000 })
const forUser = (made: Pick<Fixture, 'more'>, method: string, ...params: readonly unknown[]) =>
  made.more('ethereumRequestForUser', { method, params: [...params] })
const now = (made: Pick<Fixture, 'more'>, method: string, ...params: readonly unknown[]) =>
  made.more('ethereumRequest', { method, params: [...params] })
const statusOf = async (made: Pick<Fixture, 'more'>, id: string) => {
  const answer = await now(made, 'wallet_getCallsStatus', id)
  return 'result' in answer ? Object(answer.result) : answer
}
const hashOf = (at: number) => keccak256(`0x${String(at).padStart(130, '5')}`)

/** Waits for the review of a transaction of the batch. */
const seeReview = ({ page }: Made, position: number) =>
  soon(() => {
    expect(page.gate()).toBeDefined()
    expect(page.texts().join('')).toContain(calls[position]?.to)
  })
async function approve(made: Made, position: number) {
  await seeReview(made, position)
  await made.page.approve()
}
async function agree(made: Made, change: object = {}): Promise<string> {
  const sending = watch(forUser(made, 'wallet_sendCalls', request(change)))
  await made.page.press('Continue')
  await soon(() => expect(sending.value).toMatchObject({ result: { id: expect.any(String) } }))
  return Object(sending.value).result.id
}

describe('a batch', () => {
  test('is listed with its sum, and resolves with an id once the user continues', async () => {
    const made = await fixture()
    const sending = watch(forUser(made, 'wallet_sendCalls', request({ id: 'herons' })))
    await made.page.see('2 transactions')
    const texts = made.page
      .texts()
      .join(' ')
      .replaceAll(/[\s\u200b]+/g, '')
    expect(texts).toContain(`CallacontractTo${token}CopySend0.1ETHTo${someone}CopySum,withoutfees0.1ETH`)
    expect(texts).toContain('NetworkEthereum')
    expect(document.querySelector(`[title="${walletAddress}"]`)).not.toBeNull()
    expect(sending.value).toBeUndefined()
    await made.page.press('Continue')
    await soon(() => expect(sending.value).toEqual({ result: { id: 'herons' } }))
  })

  test('is approved call by call, each after the one before has succeeded', async () => {
    let isCarriedOut = false
    const chain = chainThat()
    chain.answer('eth_getTransactionReceipt', (hash) => (isCarriedOut ? receiptOf('0x1')(hash) : null))
    const made = await fixture({ chain })
    const id = await agree(made)
    await seeReview(made, 0)
    expect(made.transactions()).toEqual([])
    expect(await statusOf(made, id)).toMatchObject({ status: 100, atomic: false })

    await approve(made, 0)
    await soon(() => expect(made.transactions()).toHaveLength(1))
    await made.page.see('Waiting for confirmation')
    await made.clock.advance(6_000)
    expect(made.page.has('Waiting for confirmation')).toBe(true)
    expect(await statusOf(made, id)).toMatchObject({ status: 100 })

    isCarriedOut = true
    await made.clock.advance(2_000)
    await approve(made, 1)
    await soon(() => expect(made.transactions()).toHaveLength(2))
    expect(made.transactions()).toMatchObject([
      { to: token.toLowerCase(), data: '0xa9059cbb', chainId: 1 },
      { to: someone.toLowerCase(), value: 10n ** 17n, chainId: 1 },
    ])
    await soon(async () =>
      expect(await statusOf(made, id)).toEqual({
        version: '2.0.0',
        id,
        chainId: '0x1',
        status: 200,
        atomic: false,
        receipts: [1, 2].map((at) => ({
          logs: [{ address: token, data: '0x', topics: [] }],
          status: '0x1',
          blockHash: `0x${'b1'.repeat(32)}`,
          blockNumber: '0x10',
          gasUsed: '0x5208',
          transactionHash: hashOf(at),
        })),
      }),
    )
  })

  test('has each transaction placed by the server, also on the wallet page', async () => {
    const placed: unknown[] = []
    const made = await fixture({
      wallet: {
        confirm: async (_, { params }) => {
          placed.push(parseTransaction(String(params[0]) as `0x${string}`).to)
          return confirmedIn('page')
        },
      },
    })
    await agree(made)
    await soon(() => expect(made.page.walletButtonUrl()).toBeDefined())
    expect(placed).toEqual([token.toLowerCase()])
  })

  test('sends nothing after a reverted call', async () => {
    const made = await fixture({ chain: chainThat('0x0') })
    const id = await agree(made)
    await approve(made, 0)
    await soon(async () => expect(await statusOf(made, id)).toMatchObject({ status: 500 }))
    expect(made.transactions()).toHaveLength(1)
    expect((await statusOf(made, id)).receipts).toMatchObject([{ status: '0x0', transactionHash: hashOf(1) }])
  })

  test('sends nothing after a call that the user rejects', async () => {
    const made = await fixture()
    const id = await agree(made)
    await seeReview(made, 0)
    made.stage.close()
    await soon(async () => expect(await statusOf(made, id)).toMatchObject({ status: 400 }))
    expect(await statusOf(made, id)).not.toHaveProperty('receipts')
    expect(made.transactions()).toEqual([])
  })

  test('is partly included if the user stops after a call', async () => {
    const made = await fixture()
    const id = await agree(made)
    await approve(made, 0)
    await seeReview(made, 1)
    made.stage.close()
    await soon(async () => expect(await statusOf(made, id)).toMatchObject({ status: 600 }))
    expect(made.transactions()).toHaveLength(1)
  })

  test('is not stored if the user closes the list', async () => {
    const made = await fixture()
    const sending = watch(forUser(made, 'wallet_sendCalls', request({ id: 'herons' })))
    await made.page.see('2 transactions')
    made.stage.close()
    await soon(() => expect(sending.error).toMatchObject({ code: 'user_rejected_request' }))
    expect(await statusOf(made, 'herons')).toMatchObject({ refused: { code: 5730 } })
    expect(made.transactions()).toEqual([])
  })

  test('is not sent for the next user', async () => {
    const made = await fixture()
    await agree(made)
    await seeReview(made, 0)
    await made.session.logout()
    await soon(() => expect(made.view()?.open).toBe(false))
    made.session.accept(makeAuthAnswer({ user: walletUser }))
    await made.clock.advance(10_000)
    expect(made.transactions()).toEqual([])
    expect(made.view()?.open).toBe(false)
  })
})

describe('the status of a batch', () => {
  test('is known after a reload of the tab, which sends no more calls', async () => {
    const tab = makeFakeStore()
    const before = await fixture({ tab })
    const id = await agree(before)
    await approve(before, 0)
    await seeReview(before, 1)
    const after = await fixture({ tab })
    expect(await statusOf(after, id)).toMatchObject({
      status: 600,
      receipts: [{ transactionHash: hashOf(1) }],
    })
  })

  test('is shown to the user, call by call', async () => {
    const tab = makeFakeStore()
    const before = await fixture({ tab })
    const id = await agree(before)
    await approve(before, 0)
    await seeReview(before, 1)
    const made = await fixture({ tab })
    const showing = watch(forUser(made, 'wallet_showCallsStatus', id))
    await made.page.see('Results')
    expect(made.page.texts().join(' ')).toMatch(/Call a contract Done.*Send 0.1 ETH Not sent/)
    // Below the list, and not in the header.
    screen.getAllByRole('button', { name: 'Close' }).at(-1)?.click()
    await soon(() => expect(showing.value).toEqual({ result: null }))
  })

  test('is not found by another user', async () => {
    const tab = makeFakeStore()
    const made = await fixture({ tab })
    const id = await agree(made)
    const other = {
      ...walletUser,
      linkedAccounts: walletUser.linkedAccounts.map((account) =>
        account.type === 'wallet' ? { ...account, address: someone } : account,
      ),
    }
    const next = await fixture({ tab, user: other })
    expect(await statusOf(next, id)).toMatchObject({ refused: { code: 5730 } })
    const visitor = await fixture({ tab, user: null })
    expect(await statusOf(visitor, id)).toMatchObject({ refused: { code: 4100 } })
  })
})

describe('a batch is refused before a screen is shown', () => {
  test.each([
    ['another account', { from: someone }, 4100],
    ['an unknown capability', { capabilities: { paymasterService: { url: 'https://x.example' } } }, 5700],
    [
      'an unknown capability of a call',
      { calls: [{ to: someone, capabilities: { flow: { optional: false } } }] },
      5700,
    ],
    ['a chain that the app lacks', { chainId: '0x5' }, 5710],
    ['more than twenty calls', { calls: Array(21).fill({ to: someone }) }, 5740],
    ['required atomicity', { atomicRequired: true }, 5760],
  ])('%s', async (_, change, code) => {
    const made = await fixture()
    expect(await forUser(made, 'wallet_sendCalls', request(change))).toMatchObject({
      refused: { code, message: expect.any(String) },
    })
    expect(made.view()?.open ?? false).toBe(false)
  })

  test.each([
    ['another version', { version: '1.0' }],
    ['no calls', { calls: [] }],
    ['a call with an unknown field', { calls: [{ to: someone, gas: '0x1' }] }],
    ['an empty id', { id: '' }],
    ['an id of more than 4096 bytes', { id: 'x'.repeat(4_097) }],
    ['a call without recipient and data', { calls: [{ value: '0x1' }] }],
  ])('%s', async (_, change) => {
    const made = await fixture()
    await expect(forUser(made, 'wallet_sendCalls', request(change))).rejects.toMatchObject({
      code: 'invalid_data',
    })
  })

  test('with the id of another batch', async () => {
    const made = await fixture()
    await agree(made, { id: 'herons' })
    expect(await forUser(made, 'wallet_sendCalls', request({ id: 'herons' }))).toMatchObject({
      refused: { code: 5720 },
    })
  })

  test('with the id of a batch in review, until the user declines that batch', async () => {
    const made = await fixture()
    const first = watch(forUser(made, 'wallet_sendCalls', request({ id: 'herons' })))
    await made.page.see('2 transactions')
    expect(await forUser(made, 'wallet_sendCalls', request({ id: 'herons' }))).toMatchObject({
      refused: { code: 5720 },
    })
    await made.close()
    await soon(() => expect(first.error).toMatchObject({ code: 'user_rejected_request' }))
    await made.clock.advance(1_000)
    expect(await agree(made, { id: 'herons' })).toBe('herons')
  })

  test('with an unknown id', async () => {
    const made = await fixture()
    expect(await now(made, 'wallet_getCallsStatus', 'nothing')).toMatchObject({ refused: { code: 5730 } })
    expect(await forUser(made, 'wallet_showCallsStatus', 'nothing')).toMatchObject({
      refused: { code: 5730 },
    })
  })

  test('for a visitor, and for a user without a wallet', async () => {
    for (const user of [null, visitorUser]) {
      const made = await fixture({ user })
      expect(await forUser(made, 'wallet_sendCalls', request())).toMatchObject({ refused: { code: 4100 } })
    }
  })

  test('but not for an optional capability, and gets an id of its own', async () => {
    const made = await fixture()
    const id = await agree(made, { capabilities: { paymasterService: { optional: true } } })
    expect(id).toMatch(/^0x[0-9a-f]{64}$/)
    await seeReview(made, 0)
    made.stage.close()
    await soon(() => expect(made.view()?.open).toBe(false))
    await made.clock.advance(1_000)
    expect(await agree(made)).not.toBe(id)
  })
})

describe('a batch whose fees the operator pays', () => {
  const id = `0x${'1d'.repeat(32)}` as const
  const sentHash = `0x${'7a'.repeat(32)}` as const
  const quoted = (authorizationNonce: number | null) => ({
    operation: {
      chainId: 1,
      nonce: '4',
      // The dialog signs the calls of the page, and not these.
      calls: [{ to: `0x${'ee'.repeat(20)}` as const, value: '9', data: '0x' as const }],
      verificationGasLimit: 100_000,
      callGasLimit: 200_000,
      authorizationNonce,
    },
    usd: '0.10',
  })
  const operation = (authorizationNonce: number | null) => ({
    ...quoted(authorizationNonce).operation,
    calls: [
      { to: token.toLowerCase(), value: '0', data: '0xa9059cbb' },
      { to: someone.toLowerCase(), value: '100000000000000000', data: '0x' },
    ],
  })

  async function sponsored({
    nonce = null,
    refusal,
    ...change
  }: Options & { nonce?: number | null; refusal?: ErrorCode } = {}) {
    const requests: { method: string; params: readonly unknown[] }[] = []
    let state: 'pending' | 'succeeded' | 'reverted' | 'dropped' = 'pending'
    const made = await fixture({
      app: { rpcUrls: { 1: [chainUrl] }, testNetworks: [1], sponsoredChains: [1] },
      answers: {
        quoteOperation: () => {
          if (refusal) throw refused(refusal, 400)
          return quoted(nonce)
        },
        sendOperation: () => ({ id, state: 'pending', transactionHash: sentHash }),
        operationStatus: () => ({ id, state, transactionHash: sentHash }),
      },
      wallet: {
        async sign(_, request) {
          requests.push(request)
          return `0x${'5'.repeat(nonce === null ? 130 : 260)}`
        },
      },
      ...change,
    })
    return { ...made, requests, setState: (next: typeof state) => (state = next) }
  }

  test('is shown as a whole, approved once, and signed with the calls of the page', async () => {
    const made = await sponsored()
    const sending = watch(forUser(made, 'wallet_sendCalls', request({ id: 'herons', atomicRequired: true })))
    await made.page.see('Review all actions')
    const texts = made.page.texts().join(' ')
    expect(texts).toContain('You pay no fees: the operator of this app pays them.')
    expect(texts).not.toContain('This is the first time on this network')
    expect(texts).toContain('Send 0.1 ETH')
    expect(texts.replaceAll(/[\s\u200b]+/g, '')).toContain('0xa9059cbb')
    await made.page.approve()
    await soon(() => expect(sending.value).toEqual({ result: { id: 'herons' } }))
    expect(made.requests).toEqual([
      {
        method: 'eth_signUserOperation',
        params: [walletAddress, JSON.stringify(operation(null)), expect.stringMatching(/^0x[0-9a-f]{64}$/)],
      },
    ])
    expect(made.transport.calls('sendOperation').map(({ body }) => body)).toEqual([
      { address: walletAddress, operation: operation(null), signatures: `0x${'5'.repeat(130)}` },
    ])
  })

  test('is signed with the payment of the paymaster that the server quotes', async () => {
    const payment = {
      preVerificationGas: 50_000,
      maxFeePerGas: '3000000000',
      maxPriorityFeePerGas: '1000000000',
      paymaster: `0x${'b2'.repeat(20)}` as const,
      paymasterVerificationGasLimit: 40_000,
      paymasterPostOpGasLimit: 1,
      paymasterData: '0x12' as const,
    }
    const quote = quoted(null)
    const made = await sponsored({
      answers: { quoteOperation: () => ({ ...quote, operation: { ...quote.operation, payment } }) },
    })
    void forUser(made, 'wallet_sendCalls', request())
    await made.page.see('Review all actions')
    await made.page.approve()
    await soon(() => expect(made.requests).toHaveLength(1))
    const signed = JSON.parse(String(made.requests[0]?.params[1]))
    expect(signed).toEqual({ ...operation(null), payment })
    // The server computes the same for these fields (`read-request.test.ts`).
    const calls = [{ to: `0x${'a1'.repeat(20)}` as const, value: '5', data: '0x' as const }]
    const known = { ...quote.operation, chainId: 8453, nonce: '7', calls, payment }
    expect(digestOperation(known, '0x71C7656EC7ab88b098defB751B7401B5f6d8976F')).toBe(
      '0xb1f9a598f7351ab6622393504236be90fc8bb8720c188c19bf0e8887a93717b2',
    )
  })

  test.each([
    ['pending', 100, []],
    ['succeeded', 200, [sentHash]],
    ['reverted', 500, [sentHash]],
    ['dropped', 400, [sentHash]],
  ] as const)('that is %s has the status %i', async (state, status, receipts) => {
    const made = await sponsored()
    void forUser(made, 'wallet_sendCalls', request({ id: 'herons' }))
    await made.page.see('Review all actions')
    await made.page.approve()
    await soon(() => expect(made.transport.calls('sendOperation')).toHaveLength(1))
    made.setState(state)
    await soon(async () => {
      const answer = await statusOf(made, 'herons')
      expect(answer).toMatchObject({ status, atomic: true })
      const hashes = (answer.receipts ?? []).map((each: { transactionHash: string }) => each.transactionHash)
      expect(hashes).toEqual(receipts)
    })
  })

  test('explains the first delegation, and rejects with 5750 if the user declines it', async () => {
    const made = await sponsored({ nonce: 0 })
    const sending = watch(forUser(made, 'wallet_sendCalls', request()))
    await made.page.see('Review all actions')
    expect(made.page.texts().join(' ')).toContain('This is the first time on this network')
    made.stage.close()
    await soon(() => expect(sending.value).toMatchObject({ refused: { code: 5750 } }))
    expect(made.requests).toEqual([])
  })

  test('is rejected as usual if the wallet can do it already', async () => {
    const made = await sponsored()
    const sending = watch(forUser(made, 'wallet_sendCalls', request()))
    await made.page.see('Review all actions')
    made.stage.close()
    await soon(() => expect(sending.error).toMatchObject({ code: 'user_rejected_request' }))
  })

  test('is sent call by call if the server does not pay, unless it must be atomic', async () => {
    const made = await sponsored({ refusal: 'not_supported' })
    expect(await forUser(made, 'wallet_sendCalls', request({ atomicRequired: true }))).toMatchObject({
      refused: { code: 5760 },
    })
    void forUser(made, 'wallet_sendCalls', request())
    await made.page.see('2 transactions')
  })

  test('reports that nothing was done if the server refuses to send it', async () => {
    const made = await sponsored({
      answers: {
        quoteOperation: () => quoted(null),
        sendOperation: () => {
          throw refused('transaction_failure', 400)
        },
      },
    })
    const sending = watch(forUser(made, 'wallet_sendCalls', request()))
    await made.page.see('Review all actions')
    await made.page.approve()
    await made.page.see('Nothing was done')
    screen.getAllByRole('button', { name: 'Close' }).at(-1)?.click()
    await soon(() => expect(sending.error).toMatchObject({ code: 'transaction_failure' }))
  })

  test.each([
    ['0x', 'ready'],
    ['0xef0100e6cae83bde06e4c305530e199d7217f42808555b', 'supported'],
    ['0xef01000000000000000000000000000000000000000001', 'unsupported'],
  ])('is announced for a wallet with the code %s as %s', async (code, status) => {
    const chain = makeFakeChain({ eth_getCode: () => code })
    const made = await sponsored({ chain })
    expect(await now(made, 'wallet_getCapabilities', walletAddress)).toEqual({
      result: { '0x1': { atomic: { status } } },
    })
  })
})

test('a page learns that no chain supports atomic batches', async () => {
  const made = await fixture()
  const unsupported = { atomic: { status: 'unsupported' } }
  expect(await now(made, 'wallet_getCapabilities', walletAddress)).toEqual({
    result: { '0x1': unsupported, '0xa': unsupported },
  })
  expect(await now(made, 'wallet_getCapabilities', walletAddress, ['0xa', '0x5'])).toEqual({
    result: { '0xa': unsupported },
  })
  expect(await now(made, 'wallet_getCapabilities', someone)).toMatchObject({ refused: { code: 4100 } })
})
