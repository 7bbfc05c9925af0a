import { type ErrorCode, LatchkeyError, type TransactionRequest } from '@latchkey/protocol'
import type { GateEvent } from '@latchkey/protocol/browser'
import { looked, seenFrom, tapped } from '@latchkey/protocol/browser/testing'
import {
  decodeFunctionData,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseTransaction,
  parseUnits,
} from 'viem'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { chainUrl, makeFakeChain, Refused } from '../../testing/chain.ts'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, type Fixture, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { capabilities } from '../index.ts'
import { sendThrough } from './send.ts'

// What a flow asks for is there, so that its turns are those of the flow alone.
beforeAll(() => import('./lazy/ethereum.ts'))

const screen = 'EMBEDDED_WALLET_SEND_TRANSACTION_SCREEN'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const plain: TransactionRequest = { to, value: 10n ** 17n, chainId: 1 }
const signed = `0x${'5e'.repeat(65)}` as const
const hash = keccak256(signed)
const carriedOut = { status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x77359400' }

async function fixture(chain = makeFakeChain(), change: FixtureOptions = {}, user = walletUser) {
  const made = await makeFixture({
    answers: { logout: () => ({ success: true }) },
    app: { rpcUrls: { 1: [chainUrl], 10: [chainUrl] }, testNetworks: [1] },
    capabilities: [...capabilities.filter(({ name }) => name !== 'send'), sendThrough(chain.fetch)],
    ...change,
  })
  made.session.accept(makeAuthAnswer({ user }))
  return made
}
async function ask(made: Fixture, transaction: TransactionRequest = plain, ui = {}) {
  const sending = watch(made.more('sendTransaction', { transaction, ui }))
  await come()
  return sending
}
/** What asks a chain, or brings code, takes more turns than a flow of its own. */
async function come() {
  for (let turn = 0; turn < 10; turn += 1) await settle()
}
async function notice(made: Fixture, all: readonly GateEvent[]) {
  for (const noticed of all) {
    // The card may be gone with the one before.
    if (made.screen() === screen) await made.press(screen, 'notice', noticed)
  }
  await come()
}
async function approve(made: Fixture) {
  await notice(made, seenFrom(0))
  await notice(made, tapped(710))
}
const state = (made: Fixture) => made.state(screen)

describe('a transaction', () => {
  // spec W4.18, W2.24, W3.8, W7.41
  test('is prepared, reviewed, sent and confirmed, and says so until the user leaves', async () => {
    const chain = makeFakeChain()
    const made = await fixture(chain)
    const sending = await ask(made)
    expect(state(made)).toMatchObject({ status: 'review', from: walletAddress, to })
    await approve(made)
    expect(sending.value).toEqual({
      receipt: {
        transactionHash: hash,
        status: 'success',
        gasUsed: '21000',
        effectiveGasPrice: '2000000000',
      },
    })
    expect(state(made)).toMatchObject({ status: 'success', hash })
    await made.press(screen, 'leave')
    expect(made.view()?.open).toBe(false)
    expect(chain.asked.find(({ method }) => method === 'eth_sendRawTransaction')?.params).toEqual([signed])
  })

  // spec W7.41
  test('is signed by eth_signTransaction as it was shown', async () => {
    const requests: unknown[] = []
    const made = await fixture(makeFakeChain(), {
      wallet: {
        sign: async (address, request) => {
          requests.push([address, request])
          return signed
        },
      },
    })
    await ask(made)
    await approve(made)
    const [[address, request]] = requests as [[string, { method: string; params: [`0x02${string}`, string] }]]
    expect(address).toBe(walletAddress)
    expect(request).toMatchObject({
      method: 'eth_signTransaction',
      params: [expect.any(String), walletAddress],
    })
    expect(parseTransaction(request.params[0])).toEqual({
      type: 'eip1559',
      chainId: 1,
      nonce: 7,
      to: to.toLowerCase(),
      value: 10n ** 17n,
      gas: 21_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
  })

  test('takes the next number within a minute of another one, also where the node has not heard of that', async () => {
    const requests: { params: readonly unknown[] }[] = []
    const made = await fixture(makeFakeChain(), {
      wallet: {
        sign: async (_address, request) => {
          requests.push(request)
          return signed
        },
      },
    })
    const sendOne = async (transaction: TransactionRequest = plain) => {
      await ask(made, transaction)
      await approve(made)
      await made.press(screen, 'leave')
      await made.clock.advance(1_000)
      await come()
    }
    await sendOne()
    await sendOne()
    await made.clock.advance(60_000)
    await come()
    await sendOne()
    // Its host wants that one.
    await sendOne({ ...plain, nonce: 3 })
    const numbers = requests.map(({ params }) => parseTransaction(params[0] as `0x${string}`).nonce)
    expect(numbers).toEqual([7, 8, 7, 3])
  })

  test('of a chain without a fee market is a legacy one', async () => {
    const requests: { params: readonly unknown[] }[] = []
    const chain = makeFakeChain({
      eth_getBlockByNumber: () => ({}),
      eth_maxPriorityFeePerGas: () => new Refused('no such method'),
    })
    const made = await fixture(chain, {
      wallet: {
        sign: async (_address, request) => {
          requests.push(request)
          return signed
        },
      },
    })
    await ask(made)
    await approve(made)
    expect(parseTransaction(requests[0]?.params[0] as `0x${string}`)).toMatchObject({
      type: 'legacy',
      chainId: 1,
      gasPrice: 2_000_000_000n,
    })
  })

  // spec W3.14
  test('is told once it is sent where the host does not wait for its confirmation', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain, {
      config: { embeddedWallets: { waitForTransactionConfirmation: false } },
    })
    const sending = await ask(made)
    await approve(made)
    expect(sending.value).toEqual({
      receipt: { transactionHash: hash, status: null, gasUsed: null, effectiveGasPrice: null },
    })
    expect(chain.count('eth_getTransactionReceipt')).toBe(0)
  })

  test('waits for its receipt by looks of 2 s', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain)
    const sending = await ask(made)
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'waiting', hash })
    await made.clock.advance(1_999)
    await come()
    expect(chain.count('eth_getTransactionReceipt')).toBe(1)
    await made.clock.advance(1)
    await come()
    expect(chain.count('eth_getTransactionReceipt')).toBe(2)
    expect(sending.settled).toBe(false)
  })

  test('that was sent stays sent where the user closes the card meanwhile', async () => {
    const made = await fixture(makeFakeChain({ eth_getTransactionReceipt: () => null }))
    const sending = await ask(made)
    await approve(made)
    await made.close()
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: null } })
  })
})

describe('a review', () => {
  test('that is closed is the refusal of the user', async () => {
    const made = await fixture()
    const sending = await ask(made)
    await made.close()
    expect(sending.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
    expect(made.wallet.log).not.toContain('eth_signTransaction')
  })

  test('in a browser that can not tell what is visible goes to its page', async () => {
    const made = await fixture()
    await ask(made)
    await notice(made, [looked(0, { method: 'intersecting' })])
    expect(state(made)).toMatchObject({ approval: { by: 'page', reason: 'browser', way: { at: 'ready' } } })
  })

  // spec L9.17
  test('says what it is worth, as far as the server knows', async () => {
    const made = await fixture(makeFakeChain(), {
      wallet: { confirm: async () => confirmedIn('frame', { usd: '12.34' }) },
      config: { embeddedWallets: { priceDisplay: { primary: 'fiat-currency' } } },
    })
    await ask(made)
    expect(state(made)).toMatchObject({ usd: '12.34', priceDisplay: { primary: 'fiat-currency' } })
  })

  // spec W4.20, W5.12
  test('without enough for value and fees can not be approved', async () => {
    // The value, and 21,000 of gas at most 3 gwei.
    const needed = 10n ** 17n + 21_000n * 3_000_000_000n
    const chain = makeFakeChain({ eth_getBalance: () => `0x${(needed - 1n).toString(16)}` })
    const made = await fixture(chain)
    const sending = await ask(made)
    expect(state(made)).toMatchObject({ status: 'review', prepared: { hasEnough: false, willFail: false } })
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'review' })
    expect(made.wallet.log).not.toContain('eth_signTransaction')
    await made.close()
    // An app can tell it from a refusal.
    expect(sending.error).toMatchObject({
      code: 'insufficient_funds',
      message: 'Wallet has insufficient funds on this network for this transaction.',
      details: { code: 'INSUFFICIENT_FUNDS' },
    })
    const enough = await fixture(makeFakeChain({ eth_getBalance: () => `0x${needed.toString(16)}` }))
    await ask(enough)
    expect(state(enough)).toMatchObject({ prepared: { hasEnough: true } })
  })

  describe('on a chain of the OP stack', () => {
    const oracle = '0x420000000000000000000000000000000000000F'
    const onOptimism = { ...plain, chainId: 10 }
    type Call = { to?: string; data?: `0x${string}` }
    const charging = (fee: () => unknown) =>
      makeFakeChain({ eth_call: ({ to }: Call) => (to === oracle ? fee() : '0x') })
    const questionsOf = (chain: ReturnType<typeof makeFakeChain>): readonly unknown[] =>
      chain.asked.map(({ params: [call] }) => call).filter((call) => Object(call).to === oracle)
    const l1Fee = 5n * 10n ** 14n

    test('has what the chain charges for the data in its fees', async () => {
      const chain = charging(() => `0x${l1Fee.toString(16).padStart(64, '0')}`)
      const made = await fixture(chain)
      await ask(made, onOptimism)
      expect(state(made)).toMatchObject({
        status: 'review',
        prepared: {
          // 21,000 gas at two gwei now, at three at most.
          estimatedFee: 42_000n * 10n ** 9n + l1Fee,
          mostFee: 63_000n * 10n ** 9n + l1Fee,
          mayCostMore: false,
        },
      })
      const [question] = questionsOf(chain)
      const { data }: { data: `0x${string}` } = Object(question)
      const abi = parseAbi(['function getL1Fee(bytes unsigned) view returns (uint256)'])
      const [unsigned] = decodeFunctionData({ abi, data }).args
      expect(parseTransaction(unsigned)).toMatchObject({
        chainId: 10,
        to: to.toLowerCase(),
        value: 10n ** 17n,
      })
    })

    test('and what another chain says at that address is not asked for', async () => {
      const chain = charging(() => `0x${l1Fee.toString(16)}`)
      const made = await fixture(chain)
      await ask(made)
      expect(state(made)).toMatchObject({ prepared: { mostFee: 63_000n * 10n ** 9n, mayCostMore: false } })
      expect(questionsOf(chain)).toEqual([])
    })

    test('needs a balance for that too', async () => {
      const needed = 10n ** 17n + 63_000n * 10n ** 9n + l1Fee
      const chain = (balance: bigint) => ({
        eth_getBalance: () => `0x${balance.toString(16)}`,
        eth_call: ({ to }: Call) => (to === oracle ? `0x${l1Fee.toString(16)}` : '0x'),
      })
      const less = await fixture(makeFakeChain(chain(needed - 1n)))
      await ask(less, onOptimism)
      expect(state(less)).toMatchObject({ prepared: { hasEnough: false } })
      const enough = await fixture(makeFakeChain(chain(needed)))
      await ask(enough, onOptimism)
      expect(state(enough)).toMatchObject({ prepared: { hasEnough: true } })
    })

    test.each([
      ['refuses to say it', () => new Refused('execution reverted')],
      ['says nothing that is a number', () => '0x'],
    ])('that %s has fees that may be higher', async (_name, fee) => {
      const made = await fixture(charging(fee))
      await ask(made, onOptimism)
      expect(state(made)).toMatchObject({
        status: 'review',
        prepared: { mostFee: 63_000n * 10n ** 9n, mayCostMore: true },
      })
    })

    test('that does not say it within 3 s is waited for no longer', async () => {
      const silent = charging(() => new Promise(() => {}))
      const made = await fixture({
        ...silent,
        // As a browser does.
        fetch: (url, init) =>
          Promise.race([
            silent.fetch(url, init),
            new Promise<never>((_resolve, reject) => {
              init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
            }),
          ]),
      })
      const sending = ask(made, onOptimism)
      await come()
      expect(state(made)).toMatchObject({ status: 'loading' })
      await made.clock.advance(2_999)
      await come()
      expect(state(made)).toMatchObject({ status: 'loading' })
      await made.clock.advance(1)
      await come()
      expect(state(made)).toMatchObject({ status: 'review', prepared: { mayCostMore: true } })
      await sending
    })
  })

  describe('on a chain of the operator that no table has', () => {
    const feldnetz = { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 }
    const onFeldnetz = { ...plain, chainId: 9_119 }
    const app = { rpcUrls: { 9119: [chainUrl] }, testNetworks: [9_119] }

    test('says what the operator calls it, and is sent', async () => {
      const made = await fixture(makeFakeChain(), { app: { ...app, chains: [feldnetz] } })
      const sending = await ask(made, onFeldnetz)
      expect(state(made)).toMatchObject({ status: 'review', chain: feldnetz })
      await approve(made)
      expect(sending.value).toMatchObject({ receipt: { status: 'success' } })
    })

    test('that the operator gave no name is said by its number, and is sent', async () => {
      const made = await fixture(makeFakeChain(), { app })
      const sending = await ask(made, onFeldnetz)
      expect(state(made)).toMatchObject({ status: 'review', chain: { id: 9_119, name: undefined } })
      await approve(made)
      expect(sending.value).toMatchObject({ receipt: { status: 'success' } })
    })
  })

  // spec W8.14
  test('of what the chain refuses to try says that it will likely fail', async () => {
    const chain = makeFakeChain({ eth_call: () => new Refused('execution reverted') })
    const made = await fixture(chain)
    await ask(made, { to: token, data: '0x12345678', chainId: 1 })
    expect(state(made)).toMatchObject({ prepared: { willFail: true }, action: { kind: 'unknown' } })
    const sentence =
      'There was an error preparing your transaction. Your transaction request will likely fail.'
    expect(await made.texts()).toContain(sentence)
    const fine = await fixture()
    await ask(fine)
    expect(await fine.texts()).not.toContain(sentence)
  })

  const abi = parseAbi([
    'function transfer(address to, uint256 amount)',
    'function transferFrom(address from, address to, uint256 amount)',
    'function approve(address spender, uint256 amount)',
    'function setApprovalForAll(address operator, bool approved)',
    'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
    'function safeTransferFrom(address from, address to, uint256 id, uint256 count, bytes data)',
  ])
  /** A token that says that it is USDC with 6 decimals, or none that counts single things. */
  const tokenChain = (isThing = false, noDecimals: unknown = new Refused('reverted')) =>
    makeFakeChain({
      eth_getCode: () => '0x60',
      eth_estimateGas: () => '0xea60',
      eth_call: (({ data }: { data: string }) => {
        if (data === '0x313ce567') return isThing ? noDecimals : `0x${'6'.padStart(64, '0')}`
        if (data !== '0x95d89b41') return '0x'
        const word = (value: number) => value.toString(16).padStart(64, '0')
        return `0x${word(32)}${word(4)}${Buffer.from('USDC').toString('hex').padEnd(64, '0')}`
      }) as never,
    })
  const usdc = { address: token, symbol: 'USDC', decimals: 6 }
  const thing = { address: token, symbol: 'USDC', decimals: undefined }

  test.each([
    [
      'a transfer',
      encodeFunctionData({ abi, functionName: 'transfer', args: [to, parseUnits('5', 6)] }),
      false,
      { kind: 'token-transfer', token: usdc, to, amount: 5_000_000n },
    ],
    [
      'an approval',
      encodeFunctionData({ abi, functionName: 'approve', args: [to, 5n] }),
      false,
      { kind: 'approval', token: usdc, spender: to, amount: 5n },
    ],
    [
      'an approval without limit',
      encodeFunctionData({ abi, functionName: 'approve', args: [to, 2n ** 256n - 1n] }),
      false,
      { kind: 'approval', token: usdc, spender: to, amount: null },
    ],
    [
      'an approval of a single thing',
      encodeFunctionData({ abi, functionName: 'approve', args: [to, 9n] }),
      true,
      { kind: 'nft-approval', token: thing, spender: to, id: 9n, isUnlimited: false },
    ],
    [
      'an approval of a single thing that would be one without limit',
      encodeFunctionData({ abi, functionName: 'approve', args: [to, 2n ** 128n] }),
      true,
      { kind: 'nft-approval', token: thing, spender: to, id: 2n ** 128n, isUnlimited: true },
    ],
    [
      'a transfer of a single thing',
      encodeFunctionData({ abi, functionName: 'transferFrom', args: [walletAddress, to, 9n] }),
      true,
      { kind: 'nft-transfer', token: thing, from: walletAddress, to, id: 9n, count: 1n },
    ],
    [
      'a transfer of several of a kind',
      encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [walletAddress, to, 9n, 3n, '0x'] }),
      true,
      { kind: 'nft-transfer', token: thing, from: walletAddress, to, id: 9n, count: 3n },
    ],
    [
      'a transfer of a single thing with no bytes',
      encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [walletAddress, to, 9n, '0x'] }),
      true,
      { kind: 'nft-transfer', token: thing, from: walletAddress, to, id: 9n, count: 1n },
    ],
    [
      'an approval of a whole collection',
      encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [to, true] }),
      true,
      { kind: 'approval-for-all', token: thing, spender: to, isGiven: true },
    ],
  ] as const)('says %s in words', async (_name, data, isThing, action) => {
    const made = await fixture(tokenChain(isThing))
    await ask(made, { to: token, data, chainId: 1 })
    expect(state(made)).toMatchObject({ status: 'review', action })
  })

  const allowance = {
    to: token,
    chainId: 1,
    data: encodeFunctionData({ abi, functionName: 'approve', args: [to, 5n] }),
  }

  test.each([
    ['reverts', new Refused('execution reverted')],
    ['reverts on a node with a code of its own', new Refused('VM execution error.', -32_015)],
    ['reverts on a node without a code for it', new Refused('VM Exception: revert', -32_000)],
    ['runs into an invalid instruction', new Refused('invalid opcode: INVALID', -32_000)],
    ['answers nothing', '0x'],
    ['answers too little', '0x06'],
  ])(
    'takes a token that %s when it is asked for its decimals for one of single things',
    async (_name, answer) => {
      const made = await fixture(tokenChain(true, answer))
      await ask(made, allowance)
      expect(state(made)).toMatchObject({
        status: 'review',
        action: { kind: 'nft-approval', token: thing },
      })
    },
  )

  test.each([
    ['takes no more calls', new Refused('daily request count exceeded', -32_005)],
    ['limits the rate of calls', new Refused('Too Many Requests', 429)],
    ['has an error of its own', new Refused('header not found', -32_000)],
    ['answers something else', null],
  ])('is not shown where a node that is asked for the decimals %s', async (_name, answer) => {
    const chain = tokenChain(true, answer)
    const made = await fixture(chain)
    await ask(made, allowance)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'UNPREPARED' })
    const again = await fixture(tokenChain())
    await ask(again, allowance)
    expect(state(again)).toMatchObject({
      status: 'review',
      action: { kind: 'approval', token: usdc, amount: 5n },
    })
  })

  const saysDecimals = (decimals: bigint) => tokenChain(true, `0x${decimals.toString(16).padStart(64, '0')}`)

  test('says of a token whose decimals are more than a token can have that it can not be said', async () => {
    const most = await fixture(saysDecimals(255n))
    await ask(most, allowance)
    expect(state(most)).toMatchObject({ action: { kind: 'approval', token: { decimals: 255 } } })
    for (const decimals of [256n, 2n ** 40n, 2n ** 256n - 1n]) {
      const made = await fixture(saysDecimals(decimals))
      await ask(made, allowance)
      expect(state(made)).toMatchObject({
        status: 'review',
        action: { kind: 'unknown', data: allowance.data },
      })
    }
  })

  test.each([
    [
      'with something after its arguments',
      { data: `${encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] })}00` },
    ],
    [
      'with money for a token that takes none',
      { data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] }), value: 1n },
    ],
    [
      'that hands over bytes with a single thing',
      {
        data: encodeFunctionData({
          abi,
          functionName: 'safeTransferFrom',
          args: [walletAddress, to, 9n, '0x01'],
        }),
      },
    ],
    [
      'that hands over bytes with several of a kind',
      {
        data: encodeFunctionData({
          abi,
          functionName: 'safeTransferFrom',
          args: [walletAddress, to, 9n, 3n, '0x01'],
        }),
      },
    ],
    ['of no standard', { data: '0xdeadbeef' }],
  ])('says of a call %s that it can not be said', async (_name, change) => {
    const made = await fixture(tokenChain())
    await ask(made, { to: token, chainId: 1, ...change })
    expect(state(made)).toMatchObject({ action: { kind: 'unknown', data: change.data } })
  })

  test('of a token call to an address where no contract is says the same', async () => {
    const made = await fixture()
    await ask(made, {
      to: token,
      chainId: 1,
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] }),
    })
    expect(state(made)).toMatchObject({ action: { kind: 'unknown' } })
  })

  test('of a contract that is made names nobody', async () => {
    const made = await fixture()
    await ask(made, { data: '0x6001', chainId: 1 })
    expect(state(made)).toMatchObject({ to: null, action: { kind: 'contract-creation', data: '0x6001' } })
  })
})

// spec W6.2
describe('a host that wants no prompts', () => {
  const config = { embeddedWallets: { noPromptOnSignature: true } }
  const placed = (place: 'silent' | 'frame') => ({ confirm: async () => confirmedIn(place) })

  test('has a transaction sent without a screen where the server allows it', async () => {
    const made = await fixture(makeFakeChain(), { config, wallet: placed('silent') })
    const sending = await ask(made)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(made.frame).toEqual([])
  })

  test('and takes its call back after the transaction was given to a node is told its hash', async () => {
    const node = Promise.withResolvers<string>()
    const chain = makeFakeChain({ eth_sendRawTransaction: () => node.promise })
    const made = await fixture(chain, { config, wallet: placed('silent') })
    const page = new AbortController()
    const sending = watch(made.more('sendTransaction', { transaction: plain, ui: {} }, page))
    await come()
    await come()
    expect(sending.settled).toBe(false)
    page.abort()
    await come()
    expect(sending.value).toEqual({
      receipt: { transactionHash: hash, status: null, gasUsed: null, effectiveGasPrice: null },
    })
  })

  test('and takes its call back while it is signed has nothing sent, and hears so', async () => {
    const key = Promise.withResolvers<string>()
    const given = vi.fn(() => hash)
    const made = await fixture(makeFakeChain({ eth_sendRawTransaction: given }), {
      config,
      wallet: { ...placed('silent'), sign: () => key.promise as never },
    })
    const page = new AbortController()
    const sending = watch(made.more('sendTransaction', { transaction: plain, ui: {} }, page))
    await come()
    page.abort()
    key.resolve(signed)
    await come()
    expect(sending.error).toMatchObject({ code: 'call_cancelled' })
    expect(given).not.toHaveBeenCalled()
  })

  test('hears of a failure without a screen, too', async () => {
    const chain = makeFakeChain({ eth_sendRawTransaction: () => new Refused('nonce too low') })
    chain.answer('eth_getTransactionReceipt', () => null)
    const made = await fixture(chain, { config, wallet: placed('silent') })
    expect((await ask(made)).error).toMatchObject({ details: { code: 'NONCE_EXPIRED' } })
    expect(made.frame).toEqual([])
  })

  test('has its user asked where what the server allowed was used up before it was signed', async () => {
    let tries = 0
    const made = await fixture(makeFakeChain(), {
      config,
      wallet: {
        confirm: async (_address, _request, { place } = {}) =>
          confirmedIn(place === 'silent' ? 'silent' : 'frame'),
        async sign() {
          tries += 1
          if (tries === 1) throw new LatchkeyError('approval_required_elsewhere', 'Not without being asked')
          return signed
        },
      },
    })
    const sending = await ask(made)
    expect(state(made)).toMatchObject({ status: 'review', approval: { by: 'press' } })
    expect(sending.settled).toBe(false)
    await approve(made)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
  })

  test('has its user asked where the server does not, and of what will likely fail', async () => {
    const asked = await fixture(makeFakeChain(), { config, wallet: placed('frame') })
    await ask(asked)
    expect(state(asked)).toMatchObject({ status: 'review', approval: { by: 'press' } })
    const chain = makeFakeChain({ eth_estimateGas: () => new Refused('execution reverted') })
    const failing = await fixture(chain, { config, wallet: placed('silent') })
    await ask(failing)
    expect(state(failing)).toMatchObject({ status: 'review', prepared: { willFail: true } })
  })
})

describe('a failure', () => {
  // spec W8.16, W8.17, W4.19
  test.each([
    ['nonce too low', 'NONCE_EXPIRED', true],
    ['replacement transaction underpriced', 'REPLACEMENT_UNDERPRICED', true],
    ['insufficient funds for gas * price + value', 'INSUFFICIENT_FUNDS', false],
    ['the moon is full', 'UNKNOWN_ERROR', false],
  ])('of a chain that says %j is %s, with a hash: %s', async (message, code, hasHash) => {
    const chain = makeFakeChain({
      eth_sendRawTransaction: () => new Refused(message),
      eth_getTransactionReceipt: () => null,
    })
    const made = await fixture(chain)
    const sending = await ask(made)
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', code, hash: hasHash ? hash : undefined })
    await made.close()
    expect(sending.error).toMatchObject({
      code: code === 'INSUFFICIENT_FUNDS' ? 'insufficient_funds' : 'transaction_failure',
      details: { code, ...(hasHash && { transactionHash: hash }) },
    })
  })

  test('by its contract is told with its hash', async () => {
    const chain = makeFakeChain({
      eth_getTransactionReceipt: () => ({ status: '0x0', gasUsed: '0x1', effectiveGasPrice: '0x1' }),
    })
    const made = await fixture(chain)
    await ask(made)
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'CALL_EXCEPTION', hash })
  })

  test('by another transaction of the same number is noticed at the fifth look that finds its number used up', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain)
    await ask(made)
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x8')
    for (let looks = 1; looks < 5; looks += 1) {
      await made.clock.advance(2_000)
      await come()
    }
    expect(state(made)).toMatchObject({ status: 'waiting' })
    await made.clock.advance(2_000)
    await come()
    expect(state(made)).toMatchObject({ status: 'failed', code: 'TRANSACTION_REPLACED', hash })
  })

  test('is none where one node has counted the transaction and another has no receipt yet', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain)
    const sending = await ask(made)
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x8')
    await made.clock.advance(2_000)
    await come()
    expect(state(made)).toMatchObject({ status: 'waiting' })
    chain.answer('eth_getTransactionReceipt', () => carriedOut)
    await made.clock.advance(2_000)
    await come()
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
  })

  test('because no node knows it any more is noticed at the fifth look, and has no hash', async () => {
    const chain = makeFakeChain({
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
    })
    const made = await fixture(chain)
    await ask(made)
    await approve(made)
    for (let looks = 1; looks < 4; looks += 1) {
      await made.clock.advance(2_000)
      await come()
    }
    expect(state(made)).toMatchObject({ status: 'waiting' })
    await made.clock.advance(2_000)
    await come()
    expect(state(made)).toMatchObject({ status: 'failed', code: 'TRANSACTION_DROPPED', hash: undefined })
  })

  test('of a preparation can be tried again, and of none is anything signed', async () => {
    const chain = makeFakeChain({ eth_getBalance: () => Promise.reject(new TypeError('Failed to fetch')) })
    const made = await fixture(chain)
    const sending = await ask(made)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'UNPREPARED' })
    chain.answer('eth_getBalance', () => `0x${(10n ** 18n).toString(16)}`)
    await made.press(screen, 'retry')
    await come()
    expect(state(made)).toMatchObject({ status: 'review' })
    await made.close()
    expect(sending.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('of the wallet says that nothing was sent', async () => {
    const chain = makeFakeChain()
    const made = await fixture(chain, {
      wallet: { sign: () => Promise.reject(new LatchkeyError('share_mismatch', 'Not the share')) },
    })
    await ask(made)
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'UNSIGNED' })
    expect(chain.count('eth_sendRawTransaction')).toBe(0)
  })

  test('of a recovery says that the wallet could not be recovered (spec W8.13)', async () => {
    const chain = makeFakeChain()
    const rejects = (code: ErrorCode) => () => Promise.reject(new LatchkeyError(code, 'No'))
    const made = await fixture(chain, {
      wallet: { sign: rejects('wallet_not_on_device'), recover: rejects('server_unreachable') },
    })
    const sending = await ask(made)
    await approve(made)
    expect(await made.texts()).toContain('Unable to recover wallet')
    await made.close()
    expect(sending.error).toMatchObject({ message: 'Unable to recover wallet' })
  })
})

describe('a retry', () => {
  const nonces = (requests: readonly { params: readonly unknown[] }[]) =>
    requests.map(({ params }) => parseTransaction(params[0] as `0x${string}`).nonce)

  async function failingWith(message: string | undefined, transaction: TransactionRequest = plain) {
    const requests: { params: readonly unknown[] }[] = []
    const chain = makeFakeChain({
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
    })
    chain.answer('eth_sendRawTransaction', () =>
      message === undefined ? Promise.reject(new TypeError('Failed to fetch')) : new Refused(message),
    )
    const made = await fixture(chain, {
      wallet: {
        sign: async (_address, request) => {
          requests.push(request)
          return signed
        },
      },
    })
    await ask(made, transaction)
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x9')
    await made.press(screen, 'retry')
    await come()
    await approve(made)
    return nonces(requests)
  }

  // spec W4.19
  test('of a number that is used up takes a fresh one, whatever the host had named', async () => {
    expect(await failingWith('nonce too low')).toEqual([7, 9])
    expect(await failingWith('nonce too low', { ...plain, nonce: 3 })).toEqual([3, 9])
  })

  test('of a try of which nobody knows what became keeps its number, so that one of both is carried out', async () => {
    expect(await failingWith(undefined)).toEqual([7, 7])
    expect(await failingWith('context deadline exceeded')).toEqual([7, 7])
  })

  const lost = () => Promise.reject(new TypeError('Failed to fetch'))
  /** A wallet that signs each anew, and a chain that knows what the test names. */
  async function tries(change: Record<string, () => unknown>, transaction: TransactionRequest = plain) {
    const requests: { params: readonly unknown[] }[] = []
    const signatures = [signed, `0x${'5f'.repeat(65)}`, `0x${'60'.repeat(65)}`] as const
    const carried = new Set<string>()
    const waiting = new Set<string>()
    const chain = makeFakeChain({
      eth_getTransactionReceipt: ((asked: string) => (carried.has(asked) ? carriedOut : null)) as never,
      eth_getTransactionByHash: ((asked: string) => (waiting.has(asked) ? {} : null)) as never,
      ...change,
    })
    let unsigned = 0
    const made = await fixture(chain, {
      wallet: {
        sign: async (_address, request) => {
          requests.push(request)
          if (unsigned-- > 0) throw new LatchkeyError('share_mismatch', 'Not the share')
          return signatures[requests.length - 1] ?? signed
        },
      },
    })
    const sending = await ask(made, transaction)
    async function retry() {
      await made.press(screen, 'retry')
      await come()
    }
    const failToSign = (times: number) => {
      unsigned = times
    }
    return { made, chain, sending, carried, waiting, retry, failToSign, nonces: () => nonces(requests) }
  }

  test('follows the one whose answer was lost, where that one waits and another can not replace it', async () => {
    const { made, chain, sending, carried, waiting, retry, nonces } = await tries({
      eth_sendRawTransaction: lost,
    })
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'NETWORK_ERROR' })
    chain.answer('eth_sendRawTransaction', () => new Refused('replacement transaction underpriced'))
    await retry()
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'REPLACEMENT_UNDERPRICED' })
    waiting.add(hash)
    await retry()
    expect(state(made)).toMatchObject({ status: 'waiting', hash })
    carried.add(hash)
    await made.clock.advance(2_000)
    await come()
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(nonces()).toEqual([7, 7])
  })

  test('keeps the number of one that may be what waits, though no node that is asked knows it', async () => {
    const { made, chain, retry, nonces } = await tries({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => new Refused('replacement transaction underpriced'))
    await retry()
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x8')
    await retry()
    await approve(made)
    expect(nonces()).toEqual([7, 7, 7])
  })

  test('signs nothing where the one whose answer was lost is carried out', async () => {
    const { made, sending, carried, retry, nonces } = await tries({ eth_sendRawTransaction: lost })
    await approve(made)
    carried.add(hash)
    await retry()
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(nonces()).toEqual([7])
  })

  test('of a number that one of two tries used up looks five times for which it was', async () => {
    const { made, chain, sending, carried, retry, nonces } = await tries({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => new Refused('nonce too low'))
    await retry()
    await approve(made)
    for (let looks = 1; looks < 4; looks += 1) {
      await made.clock.advance(2_000)
      await come()
    }
    expect(state(made)).toMatchObject({ status: 'submitting' })
    carried.add(hash)
    await made.clock.advance(2_000)
    await come()
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(nonces()).toEqual([7, 7])
  })

  test('of a number that another transaction used up says so after five looks, and takes a fresh one', async () => {
    const { made, chain, retry, nonces } = await tries({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => new Refused('nonce too low'))
    await retry()
    await approve(made)
    for (let looks = 1; looks < 5; looks += 1) {
      await made.clock.advance(2_000)
      await come()
    }
    expect(state(made)).toMatchObject({ status: 'failed', code: 'NONCE_EXPIRED' })
    chain.answer('eth_getTransactionCount', () => '0x8')
    await retry()
    await approve(made)
    expect(nonces()).toEqual([7, 7, 8])
  })

  test('that is overtaken by the one before it ends as that one does', async () => {
    const { made, chain, sending, carried, retry } = await tries({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => '0x')
    await retry()
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'waiting' })
    chain.answer('eth_getTransactionCount', () => '0x8')
    carried.add(hash)
    for (let looks = 1; looks <= 5; looks += 1) {
      await made.clock.advance(2_000)
      await come()
    }
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
  })

  test('signs nothing as long as the chain can not say what became of the one before', async () => {
    const { made, chain, sending, retry, nonces } = await tries({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_getTransactionReceipt', lost)
    await retry()
    expect(state(made)).toMatchObject({ status: 'failed', code: 'UNPREPARED' })
    await made.close()
    expect(sending.error).toMatchObject({ code: 'transaction_failure', details: { code: 'NETWORK_ERROR' } })
    expect(nonces()).toEqual([7])
  })

  test('that is closed is no refusal, as long as the one before may be carried out', async () => {
    const { made, sending, retry } = await tries({ eth_sendRawTransaction: lost })
    await approve(made)
    await retry()
    expect(state(made)).toMatchObject({ status: 'review' })
    await made.close()
    expect(sending.error).toMatchObject({ code: 'transaction_failure', details: { code: 'NETWORK_ERROR' } })
  })

  test('of what is not confirmed in time keeps its number, and may pay more than the one that waits', async () => {
    const { made, waiting, retry, nonces } = await tries({})
    waiting.add(hash)
    await approve(made)
    for (let looks = 0; looks <= 300; looks += 1) {
      await made.clock.advance(2_000)
      await settle()
    }
    expect(state(made)).toMatchObject({ status: 'failed', code: 'TIMEOUT' })
    await retry()
    await approve(made)
    expect(nonces()).toEqual([7, 7])
  })

  test('of what could not be signed is of the number that the host named', async () => {
    const { made, failToSign, retry, nonces } = await tries({}, { ...plain, nonce: 3 })
    failToSign(1)
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'UNSIGNED' })
    await retry()
    await approve(made)
    expect(nonces()).toEqual([3, 3])
  })

  // spec W4.19
  test('of what its contract refused takes a fresh number', async () => {
    const { made, chain, retry, nonces } = await tries({
      eth_getTransactionReceipt: () => ({ ...carriedOut, status: '0x0' }),
    })
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', code: 'CALL_EXCEPTION' })
    chain.answer('eth_getTransactionCount', () => '0x8')
    await retry()
    await approve(made)
    expect(nonces()).toEqual([7, 8])
  })
})

describe('what is refused before anything is shown', () => {
  // spec W8.19
  test.each([
    [
      'a chain that the operator did not name',
      { ...plain, chainId: 137 },
      'unsupported_chain_id',
      'Unsupported chain: 137',
    ],
    ['another sender', { ...plain, from: to }, 'invalid_data', 'another address'],
    ['nobody and nothing', { chainId: 1 }, 'invalid_data', 'goes to nobody'],
    ['a wrong checksum', { ...plain, to: to.replace('C5', 'c5') }, 'invalid_data', 'wrong checksum'],
    ['two kinds of fees', { ...plain, gasPrice: 1, maxFeePerGas: 2 }, 'invalid_data', 'of which one may be'],
  ])('%s', async (_name, transaction, code, message) => {
    const made = await fixture()
    const sending = await ask(made, transaction)
    expect(sending.error).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(made.frame).toEqual([])
  })

  test.each([
    ['input', '0xa9059cbb'],
    ['gas', 90_000],
    ['type', 2],
    ['accessList', []],
  ])('a part that would be left out: %s', async (name, value) => {
    const made = await fixture()
    const sending = await ask(made, { ...plain, [name]: value })
    expect(sending.error).toMatchObject({ code: 'invalid_data', details: { path: `transaction.${name}` } })
    expect(made.frame).toEqual([])
  })

  test('a visitor, and somebody without a wallet', async () => {
    const visitor = await makeFixture({ app: { rpcUrls: { 1: [chainUrl] } } })
    expect((await ask(visitor)).error).toMatchObject({ code: 'must_be_authenticated' })
    const walletless = await ask(await fixture(makeFakeChain(), {}, visitorUser))
    expect(walletless.error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })

  test('an address of a chain that is the host’s own', async () => {
    const rpcUrls = { 1: 'https://of-the-host.example' } as const
    const made = await fixture(makeFakeChain(), { config: { rpcUrls } })
    expect((await ask(made)).error).toMatchObject({ code: 'not_supported' })
    const same = await fixture(makeFakeChain(), { config: { rpcUrls: { 1: 'https://rpc.example/v3/key' } } })
    await ask(same)
    expect(state(same)).toMatchObject({ status: 'review' })
  })

  test('a chain that the host left out', async () => {
    const made = await fixture(makeFakeChain(), { config: { supportedChains: [10] } })
    expect((await ask(made)).error).toMatchObject({ code: 'unsupported_chain_id' })
  })
})

test('a logout ends a review', async () => {
  const made = await fixture()
  const sending = await ask(made)
  await made.session.logout()
  await come()
  expect(sending.error).toMatchObject({ code: 'must_be_authenticated' })
  expect(made.view()?.open).toBe(false)
})

describe('a transaction that was sent is told with its hash', () => {
  const told = { receipt: { transactionHash: hash, status: null, gasUsed: null, effectiveGasPrice: null } }
  const atNode = {
    'while a node takes it': { eth_sendRawTransaction: () => new Promise(() => {}) },
    'while it waits': { eth_getTransactionReceipt: () => null },
  }

  test.each(Object.entries(atNode))('%s, to whoever is logged out', async (_name, change) => {
    const made = await fixture(makeFakeChain(change))
    const sending = await ask(made)
    await approve(made)
    expect(sending.settled).toBe(false)
    await made.session.logout()
    await come()
    expect(sending.value).toEqual(told)
    expect(made.view()?.open).toBe(false)
  })

  test('while it waits, to a page that has taken its call back', async () => {
    const made = await fixture(makeFakeChain(atNode['while it waits']))
    const page = new AbortController()
    const sending = watch(made.more('sendTransaction', { transaction: plain, ui: {} }, page))
    await come()
    await approve(made)
    page.abort()
    await come()
    expect(sending.value).toEqual(told)
  })

  test('or as one that may be carried out, where its answer was lost', async () => {
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    const made = await fixture(makeFakeChain({ eth_sendRawTransaction: lost }))
    const sending = await ask(made)
    await approve(made)
    await made.session.logout()
    await come()
    expect(sending.error).toMatchObject({ code: 'transaction_failure', details: { code: 'NETWORK_ERROR' } })
  })
})

test('another user ends a review', async () => {
  const made = await fixture()
  const sending = await ask(made)
  made.session.accept(makeAuthAnswer({ user: { ...walletUser, id: 'user-2' } }))
  await come()
  expect(sending.error).toMatchObject({ code: 'must_be_authenticated' })
})
