import type { WalletAccount } from '@latchkey/protocol'
import type { Chain } from '@latchkey/protocol/chains'
import { decodeFunctionData, parseAbi, parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { createRpc, type Fetch } from '../../chains/rpc.ts'
import { chainUrl, makeFakeChain, Refused } from '../../testing/chain.ts'
import { makeFakeClock, settle } from '../../testing/clock.ts'
import { watch } from '../../testing/fixture.ts'
import { walletAddress } from '../../testing/fixtures.ts'
import { createAttempts } from './attempts.ts'
import { SendFailure, type SendProblem, waitForReceipt } from './confirmation.ts'
import { createNonces } from './nonces.ts'
import { createSendSteps, type SendPorts } from './send-steps.ts'
import type { Sent, Transaction } from './transaction.ts'

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const transaction = { to, value: 10n ** 17n, data: '0x' } as unknown as Transaction

/** Makes the steps of a transfer, by default on an OP stack chain. */
function makeSteps(fetch: Fetch, { isOpStack = true, clock = makeFakeClock() } = {}) {
  const ports = {
    clock,
    nonces: createNonces(clock),
    load: (code: () => unknown) => code(),
    remedies: async () => [],
  }
  const chainId = isOpStack ? 10 : 1
  const checked = {
    account: { address: walletAddress } as WalletAccount,
    transaction: { ...transaction, chainId },
    chain: { id: chainId, isOpStack } as Chain,
    rpc: createRpc([chainUrl], { clock, fetch }),
  }
  const card = {
    signal: new AbortController().signal,
    after: clock.after,
    interrupt: async () => undefined as never,
  }
  const attempts = createAttempts(checked.transaction)
  return { attempts, steps: createSendSteps(ports as unknown as SendPorts, checked, attempts, card) }
}
const prepare = (...options: Parameters<typeof makeSteps>) => makeSteps(...options).steps.prepare()

describe('the fees on a chain of the OP stack', () => {
  const oracle = '0x420000000000000000000000000000000000000F'
  type Call = { to?: string; data?: `0x${string}` }
  const chainWithFee = (fee: () => unknown, change = {}) =>
    makeFakeChain({ eth_call: ({ to }: Call) => (to === oracle ? fee() : '0x'), ...change })
  const oracleCalls = (chain: ReturnType<typeof makeFakeChain>): readonly unknown[] =>
    chain.asked.map(({ params: [call] }) => call).filter((call) => Object(call).to === oracle)
  const l1Fee = 5n * 10n ** 14n

  test('include the fee of the chain for the data', async () => {
    const chain = chainWithFee(() => `0x${l1Fee.toString(16).padStart(64, '0')}`)
    expect(await prepare(chain.fetch)).toMatchObject({
      prepared: {
        // 21,000 gas at two gwei now, at three at most.
        estimatedFee: 42_000n * 10n ** 9n + l1Fee,
        mostFee: 63_000n * 10n ** 9n + l1Fee,
        mayCostMore: false,
      },
    })
    const [call] = oracleCalls(chain)
    const { data }: { data: `0x${string}` } = Object(call)
    const abi = parseAbi(['function getL1Fee(bytes unsigned) view returns (uint256)'])
    const [unsigned] = decodeFunctionData({ abi, data }).args
    expect(parseTransaction(unsigned)).toMatchObject({
      chainId: 10,
      to: to.toLowerCase(),
      value: 10n ** 17n,
    })
  })

  test('are not read on other chains', async () => {
    const chain = chainWithFee(() => `0x${l1Fee.toString(16)}`)
    expect(await prepare(chain.fetch, { isOpStack: false })).toMatchObject({
      prepared: { mostFee: 63_000n * 10n ** 9n, mayCostMore: false },
    })
    expect(oracleCalls(chain)).toEqual([])
  })

  test('must be covered by the balance', async () => {
    const needed = 10n ** 17n + 63_000n * 10n ** 9n + l1Fee
    const chainWithBalance = (balance: bigint) =>
      chainWithFee(() => `0x${l1Fee.toString(16)}`, { eth_getBalance: () => `0x${balance.toString(16)}` })
    expect(await prepare(chainWithBalance(needed - 1n).fetch)).toMatchObject({
      prepared: { hasEnough: false },
    })
    expect(await prepare(chainWithBalance(needed).fetch)).toMatchObject({ prepared: { hasEnough: true } })
  })

  test.each([
    ['reverts', () => new Refused('execution reverted')],
    ['returns no number', () => '0x'],
  ])('may be higher if the oracle %s', async (_name, fee) => {
    expect(await prepare(chainWithFee(fee).fetch)).toMatchObject({
      prepared: { mostFee: 63_000n * 10n ** 9n, mayCostMore: true },
    })
  })

  test('may be higher if the oracle does not answer within 3 s', async () => {
    const clock = makeFakeClock()
    const silent = chainWithFee(() => new Promise(() => {}))
    /** Rejects on abort, like a browser. */
    const fetch: Fetch = (url, init) =>
      Promise.race([
        silent.fetch(url, init),
        new Promise<never>((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
      ])
    const preparation = watch(prepare(fetch, { clock }))
    await settle()
    await clock.advance(2_999)
    expect(preparation.settled).toBe(false)
    await clock.advance(1)
    expect(preparation.value).toMatchObject({ prepared: { mayCostMore: true } })
  })
})

describe('a retry', () => {
  const sent = { receipt: { transactionHash: '0xabc' }, signedTransaction: '0x5e' } as unknown as Sent
  const pendingChain = () => makeFakeChain({ eth_getTransactionReceipt: () => null })
  const resumeAfter = async (problem: SendProblem) => {
    const { attempts, steps } = makeSteps(pendingChain().fetch)
    attempts.add({ sent, nonce: 7 })
    attempts.fail(new SendFailure(problem, '0xabc'))
    const followed: string[] = []
    const resumed = watch(steps.resume((hash) => void followed.push(hash)))
    await settle()
    return { resumed, followed }
  }

  test('follows a pending attempt', async () => {
    const { resumed, followed } = await resumeAfter('NETWORK_ERROR')
    expect(followed).toEqual(['0xabc'])
    expect(resumed.settled).toBe(false)
  })

  test('may replace a pending attempt that was not confirmed in time', async () => {
    const { resumed, followed } = await resumeAfter('TIMEOUT')
    expect(followed).toEqual([])
    expect(resumed).toMatchObject({ settled: true, value: undefined })
  })
})

test('a pending transaction is followed for 10 minutes', async () => {
  const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
  const rpc = createRpc([chainUrl], { clock: makeFakeClock(), fetch: chain.fetch })
  let waitedMs = 0
  const { signal } = new AbortController()
  const following = waitForReceipt(
    { hash: '0xabc', from: walletAddress, nonce: 7 },
    {
      rpc,
      signal,
      async pause(ms) {
        waitedMs += ms
      },
    },
  )
  await expect(following).rejects.toMatchObject({ problem: 'TIMEOUT', hash: '0xabc' })
  expect(waitedMs).toBe(602_000)
})
