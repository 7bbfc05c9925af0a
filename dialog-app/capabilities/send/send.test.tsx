import { type ErrorCode, LatchkeyError, type TransactionRequest } from '@latchkey/protocol'
import type { VisibilityMethod } from '@latchkey/protocol/browser'
import { looked } from '@latchkey/protocol/browser/testing'
import { screen } from '@testing-library/dom'
import { keccak256, parseTransaction } from 'viem'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { chainUrl, makeFakeChain, Refused } from '../../testing/chain.ts'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { capabilities } from '../index.ts'
import { sendThrough } from './send.ts'

// Loaded ahead, so that tests count only the turns of the call.
beforeAll(() => import('./lazy/ethereum.ts'))

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const plain: TransactionRequest = { to, value: 10n ** 17n, chainId: 1 }
const signed = `0x${'5e'.repeat(65)}` as const
const hash = keccak256(signed)
const included = { status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x77359400' }
const unconfirmed = { transactionHash: hash, status: null, gasUsed: null, effectiveGasPrice: null }

type Options = FixtureOptions & { visibility?: VisibilityMethod }

async function fixture(
  chain = makeFakeChain(),
  { visibility, ...change }: Options = {},
  user: typeof walletUser | null = walletUser,
) {
  const made = await makeFixture({
    answers: { logout: () => ({ success: true }) },
    app: { rpcUrls: { 1: [chainUrl], 10: [chainUrl] }, testNetworks: [1] },
    capabilities: [...capabilities.filter(({ name }) => name !== 'send'), sendThrough(chain.fetch)],
    ...change,
  })
  if (user) made.session.accept(makeAuthAnswer({ user }))
  return { ...made, page: renderDialog(made, { ...(visibility && { visibility }) }) }
}
type Made = Awaited<ReturnType<typeof fixture>>

async function ask(made: Made, transaction: TransactionRequest = plain, context?: AbortController) {
  const sending = watch(made.more('sendTransaction', { transaction, ui: {} }, context))
  await settle()
  return sending
}
async function pass(made: Made, ms: number) {
  await made.clock.advance(ms)
  await settle()
}
async function approve({ page }: Made) {
  await page.approve()
  await settle()
}
async function retry({ page }: Made) {
  await page.press('Retry transaction')
  await settle()
}
const seeReview = ({ page }: Made) => page.see('Submit')
const seeWait = ({ page }: Made) => page.see('Waiting for confirmation')
const seeSuccess = ({ page }: Made) => page.see('Transaction complete!')
async function seeFailure({ page }: Made, code: string) {
  await page.see('Transaction failed')
  await page.see(code)
}
const explorerLink = ({ page }: Made) => page.link(/View on explorer/)
const linkOf = (transactionHash: string) => `https://etherscan.io/tx/${transactionHash}`

/** A wallet that keeps the transactions that it signs. */
function signingWallet(sign: (count: number) => string = () => signed) {
  const requests: { method: string; params: readonly unknown[] }[] = []
  return {
    requests,
    transactions: () => requests.map(({ params }) => parseTransaction(params[0] as `0x${string}`)),
    nonces: () => requests.map(({ params }) => parseTransaction(params[0] as `0x${string}`).nonce),
    wallet: {
      async sign(_address: string, request: { method: string; params: readonly unknown[] }) {
        requests.push(request)
        return sign(requests.length)
      },
    },
  }
}

describe('a transaction', () => {
  // spec W4.18, W2.24, W3.8, W7.41
  test('is prepared, reviewed, sent and confirmed, and shows success until the user leaves', async () => {
    const chain = makeFakeChain()
    const made = await fixture(chain)
    const sending = await ask(made)
    await seeReview(made)
    expect(document.querySelector(`[title="${walletAddress}"]`)).not.toBeNull()
    expect(made.page.texts().join('')).toContain(to)
    await approve(made)
    expect(sending.value).toEqual({
      receipt: {
        transactionHash: hash,
        status: 'success',
        gasUsed: '21000',
        effectiveGasPrice: '2000000000',
      },
    })
    await seeSuccess(made)
    expect(explorerLink(made)).toBe(linkOf(hash))
    await made.page.press('All Done')
    expect(made.view()?.open).toBe(false)
    expect(chain.asked.find(({ method }) => method === 'eth_sendRawTransaction')?.params).toEqual([signed])
  })

  // spec W7.41
  test('is signed by eth_signTransaction as it was shown', async () => {
    const { requests, transactions, wallet } = signingWallet()
    const made = await fixture(makeFakeChain(), { wallet })
    await ask(made)
    await approve(made)
    expect(requests).toEqual([{ method: 'eth_signTransaction', params: [expect.any(String), walletAddress] }])
    expect(transactions()).toEqual([
      {
        type: 'eip1559',
        chainId: 1,
        nonce: 7,
        to: to.toLowerCase(),
        value: 10n ** 17n,
        gas: 21_000n,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      },
    ])
  })

  test('is signed by the wallet of the user', async () => {
    const addresses: string[] = []
    const made = await fixture(makeFakeChain(), {
      wallet: {
        async sign(address) {
          addresses.push(address)
          return signed
        },
      },
    })
    await ask(made)
    await approve(made)
    expect(addresses).toEqual([walletAddress])
  })

  test('is signed once, even if the user presses twice', async () => {
    const key = Promise.withResolvers<string>()
    const sign = vi.fn(() => key.promise)
    const made = await fixture(makeFakeChain(), { wallet: { sign } })
    await ask(made)
    await approve(made)
    await approve(made)
    key.resolve(signed)
    await seeSuccess(made)
    expect(sign).toHaveBeenCalledTimes(1)
  })

  test('cannot be closed while it is signed', async () => {
    const made = await fixture(makeFakeChain(), { wallet: { sign: () => new Promise<never>(() => {}) } })
    const sending = await ask(made)
    await approve(made)
    expect(made.page.hasButton('Close')).toBe(false)
    await made.close()
    expect(sending.settled).toBe(false)
  })

  test('uses the next nonce within a minute, even if the node does not know the one before yet', async () => {
    const { nonces, wallet } = signingWallet()
    const made = await fixture(makeFakeChain(), { wallet })
    const sendOne = async (transaction: TransactionRequest = plain) => {
      await ask(made, transaction)
      await approve(made)
      await made.page.press('All Done')
      await pass(made, 1_000)
    }
    await sendOne()
    await sendOne()
    await pass(made, 60_000)
    await sendOne()
    // The nonce of the host.
    await sendOne({ ...plain, nonce: 3 })
    expect(nonces()).toEqual([7, 8, 7, 3])
  })

  test('is a legacy transaction on a chain without a fee market', async () => {
    const { transactions, wallet } = signingWallet()
    const chain = makeFakeChain({
      eth_getBlockByNumber: () => ({}),
      eth_maxPriorityFeePerGas: () => new Refused('no such method'),
    })
    const made = await fixture(chain, { wallet })
    await ask(made)
    await approve(made)
    expect(transactions()).toMatchObject([{ type: 'legacy', chainId: 1, gasPrice: 2_000_000_000n }])
  })

  // spec W3.14
  test('resolves once it is sent if the host does not wait for its confirmation', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain, {
      config: { embeddedWallets: { waitForTransactionConfirmation: false } },
    })
    const sending = await ask(made)
    await approve(made)
    expect(sending.value).toEqual({ receipt: unconfirmed })
    await seeSuccess(made)
    expect(chain.count('eth_getTransactionReceipt')).toBe(0)
  })

  test('polls for its receipt every 2 s', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain)
    const sending = await ask(made)
    await approve(made)
    await seeWait(made)
    expect(explorerLink(made)).toBe(linkOf(hash))
    expect(made.page.hasButton('Retry transaction')).toBe(false)
    await pass(made, 1_999)
    expect(chain.count('eth_getTransactionReceipt')).toBe(1)
    await pass(made, 1)
    expect(chain.count('eth_getTransactionReceipt')).toBe(2)
    expect(sending.settled).toBe(false)
  })

  test('resolves with its hash if the user closes the card after it was sent', async () => {
    const made = await fixture(makeFakeChain({ eth_getTransactionReceipt: () => null }))
    const sending = await ask(made)
    await approve(made)
    await made.close()
    expect(sending.value).toEqual({ receipt: unconfirmed })
  })

  test('is not sent if the app requests only a signature', async () => {
    const chain = makeFakeChain()
    const made = await fixture(chain)
    const signing = watch(made.more('signTransaction', { transaction: plain, ui: {} }))
    await made.page.see('Sign transaction')
    await approve(made)
    expect(signing.value).toEqual({ signedTransaction: signed })
    expect(made.view()?.open).toBe(false)
    expect(chain.count('eth_sendRawTransaction')).toBe(0)
  })

  test('resolves once a node has it if the app requests that, and is followed for the user', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain)
    const sending = watch(made.more('sendTransaction', { transaction: plain, ui: {}, answerWhen: 'sent' }))
    await approve(made)
    expect(sending.value).toEqual({ receipt: unconfirmed })
    await seeWait(made)
    chain.answer('eth_getTransactionReceipt', () => ({ ...included, status: '0x0' }))
    await pass(made, 2_000)
    await seeFailure(made, 'CALL_EXCEPTION')
    expect(made.page.hasButton('Retry transaction')).toBe(false)
    await made.page.press('All Done')
    expect(made.view()?.open).toBe(false)
  })
})

describe('a review', () => {
  test('rejects the call if the user closes it', async () => {
    const made = await fixture()
    const sending = await ask(made)
    await made.close()
    expect(sending.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
    expect(made.wallet.log).not.toContain('eth_signTransaction')
  })

  test('moves to the page in a browser that cannot report visibility', async () => {
    const made = await fixture(makeFakeChain(), { visibility: 'intersecting' })
    await ask(made)
    await made.page.notice([looked(0)])
    await made.page.see('You confirm this on a separate page, where nothing can cover it.')
    expect(made.page.walletButtonUrl()).toBeDefined()
  })

  test('uses the window of the host page for the first approval only', async () => {
    const offered: unknown[] = []
    const made = await fixture(makeFakeChain(), {
      wallet: {
        confirm: async () => confirmedIn('page'),
        async offer({ window }) {
          offered.push(window)
          throw new LatchkeyError('client_request_timeout', 'Not in time')
        },
      },
    })
    const context = { signal: new AbortController().signal, window: 'w'.repeat(43) }
    watch(made.more('sendTransaction', { transaction: plain, ui: {} }, context))
    await seeFailure(made, 'UNCONFIRMED')
    expect(offered).toEqual([context.window])
    await retry(made)
    await made.page.openWalletWindow()
    await seeFailure(made, 'UNCONFIRMED')
    expect(offered).toEqual([context.window, undefined])
  })

  // spec L9.17
  test('shows the worth as the server returned it', async () => {
    const made = await fixture(makeFakeChain(), {
      wallet: { confirm: async () => confirmedIn('frame', { usd: '12.34' }) },
      config: { embeddedWallets: { priceDisplay: { primary: 'fiat-currency' } } },
    })
    await ask(made)
    await made.page.see('Worth at most')
    const texts = made.page.texts()
    // The host wants dollars first.
    expect(texts.indexOf('$12.34')).toBeLessThan(texts.indexOf('0.1 ETH'))
  })

  // spec W4.20, W5.12
  test('cannot be approved without enough for value and fees', async () => {
    const insufficient = 'Wallet has insufficient funds on this network for this transaction.'
    // The value, and 21,000 of gas at most 3 gwei.
    const needed = 10n ** 17n + 21_000n * 3_000_000_000n
    const chain = makeFakeChain({ eth_getBalance: () => `0x${(needed - 1n).toString(16)}` })
    const made = await fixture(chain)
    const sending = await ask(made)
    await made.page.see(insufficient)
    expect(made.page.texts()).not.toContain(willFail)
    expect(made.page.gate()).toBeUndefined()
    expect(screen.getByRole('button', { name: 'Submit' })).toHaveProperty('disabled', true)
    expect(made.wallet.log).not.toContain('eth_signTransaction')
    await made.close()
    // An app can tell it from a rejection.
    expect(sending.error).toMatchObject({
      code: 'insufficient_funds',
      message: insufficient,
      details: { code: 'INSUFFICIENT_FUNDS' },
    })
    const enough = await fixture(makeFakeChain({ eth_getBalance: () => `0x${needed.toString(16)}` }))
    await ask(enough)
    await enough.page.see('Submit')
    expect(enough.page.has(insufficient)).toBe(false)
    expect(enough.page.gate()).toBeDefined()
  })

  describe('of a chain without an entry in the table', () => {
    const feldnetz = { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 }
    const onFeldnetz = { ...plain, chainId: 9_119 }
    const app = { rpcUrls: { 9119: [chainUrl] }, testNetworks: [9_119] }

    test('shows the name that the operator set', async () => {
      const made = await fixture(makeFakeChain(), { app: { ...app, chains: [feldnetz] } })
      const sending = await ask(made, onFeldnetz)
      await seeReview(made)
      for (const text of ['Send FLD', 'Feldnetz', '1000000000 FLD']) expect(made.page.texts()).toContain(text)
      await approve(made)
      expect(sending.value).toMatchObject({ receipt: { status: 'success' } })
    })

    test('shows the number of a chain without a name', async () => {
      const made = await fixture(makeFakeChain(), { app })
      const sending = await ask(made, onFeldnetz)
      await made.page.see('Unknown network (chain 9119)')
      await approve(made)
      expect(sending.value).toMatchObject({ receipt: { status: 'success' } })
    })
  })

  const willFail = 'There was an error preparing your transaction. Your transaction request will likely fail.'

  // spec W8.14
  test('warns if a simulation fails', async () => {
    const chain = makeFakeChain({ eth_call: () => new Refused('execution reverted') })
    const made = await fixture(chain)
    await ask(made, { to: token, data: '0x12345678', chainId: 1 })
    await made.page.see(willFail)
    expect(made.page.texts()).toContain('Call a contract')
    const fine = await fixture()
    await ask(fine)
    await seeReview(fine)
    expect(fine.page.texts()).not.toContain(willFail)
  })

  test('shows the action of a token call', async () => {
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const symbol = `0x${word(32)}${word(4)}${Buffer.from('USDC').toString('hex').padEnd(64, '0')}`
    const made = await fixture(
      makeFakeChain({
        eth_getCode: () => '0x60',
        eth_call: (({ data }: { data: string }) =>
          data === '0x313ce567' ? `0x${word(6)}` : symbol) as never,
      }),
    )
    await ask(made, {
      to: token,
      data: `0xa9059cbb${to.slice(2).padStart(64, '0')}${word(5_000_000)}`,
      chainId: 1,
    })
    await made.page.see('Review transaction')
    expect(made.page.texts().join(' ')).toMatch(/Send 5 USDC.*Recipient/)
  })

  test('names no recipient of a contract creation', async () => {
    const made = await fixture()
    await ask(made, { data: '0x6001', chainId: 1 })
    await made.page.see('A new contract')
    for (const text of ['Create a contract', '0x6001']) expect(made.page.texts()).toContain(text)
  })
})

// spec W6.2
describe('a host without prompts', () => {
  const config = { embeddedWallets: { noPromptOnSignature: true } }
  const placed = (place: 'silent' | 'frame') => ({ confirm: async () => confirmedIn(place) })

  test('has a transaction sent without a screen if the server allows it', async () => {
    const made = await fixture(makeFakeChain(), { config, wallet: placed('silent') })
    const sending = await ask(made)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(made.frame).toEqual([])
  })

  test('gets the hash if it aborts the call after the transaction was submitted', async () => {
    const node = Promise.withResolvers<string>()
    const chain = makeFakeChain({ eth_sendRawTransaction: () => node.promise })
    const made = await fixture(chain, { config, wallet: placed('silent') })
    const page = new AbortController()
    const sending = await ask(made, plain, page)
    expect(sending.settled).toBe(false)
    page.abort()
    await settle()
    expect(sending.value).toEqual({ receipt: unconfirmed })
  })

  test('has nothing sent if it aborts the call during the signature', async () => {
    const key = Promise.withResolvers<string>()
    const submit = vi.fn(() => hash)
    const made = await fixture(makeFakeChain({ eth_sendRawTransaction: submit }), {
      config,
      wallet: { ...placed('silent'), sign: () => key.promise },
    })
    const page = new AbortController()
    const sending = await ask(made, plain, page)
    page.abort()
    key.resolve(signed)
    await settle()
    expect(sending.error).toMatchObject({ code: 'call_cancelled' })
    expect(submit).not.toHaveBeenCalled()
  })

  test('gets a failure without a screen', async () => {
    const chain = makeFakeChain({ eth_sendRawTransaction: () => new Refused('nonce too low') })
    chain.answer('eth_getTransactionReceipt', () => null)
    const made = await fixture(chain, { config, wallet: placed('silent') })
    expect((await ask(made)).error).toMatchObject({ details: { code: 'NONCE_EXPIRED' } })
    expect(made.frame).toEqual([])
  })

  test('has the user asked if the limits were used up before the signature', async () => {
    const { wallet } = signingWallet((count) => {
      if (count === 1) throw new LatchkeyError('approval_required_elsewhere', 'Not without being asked')
      return signed
    })
    const made = await fixture(makeFakeChain(), {
      config,
      wallet: {
        ...wallet,
        confirm: async (_address, _request, { place } = {}) =>
          confirmedIn(place === 'silent' ? 'silent' : 'frame'),
      },
    })
    const sending = await ask(made)
    await seeReview(made)
    expect(made.page.gate()).toBeDefined()
    expect(sending.settled).toBe(false)
    await approve(made)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
  })

  test('has the user asked if the server requires it, with the same request', async () => {
    const confirm = vi.fn(async () => confirmedIn('frame'))
    const made = await fixture(makeFakeChain(), { config, wallet: { confirm } })
    await ask(made)
    await seeReview(made)
    expect(made.page.gate()).toBeDefined()
    expect(confirm).toHaveBeenCalledTimes(1)
  })

  test('has the user asked on the page if the server requires that', async () => {
    const made = await fixture(makeFakeChain(), {
      config,
      wallet: { confirm: async () => confirmedIn('page') },
    })
    await ask(made)
    await made.page.see(/^This is more than you can approve here today/)
    expect(made.page.walletButtonUrl()).toBeDefined()
  })

  test('has the user asked if a simulation fails', async () => {
    const chain = makeFakeChain({ eth_estimateGas: () => new Refused('execution reverted') })
    const made = await fixture(chain, { config, wallet: placed('silent') })
    await ask(made)
    await made.page.see(/will likely fail/)
  })

  test('has the user see that the chain did not answer', async () => {
    const chain = makeFakeChain({ eth_getBalance: () => Promise.reject(new TypeError('Failed to fetch')) })
    const made = await fixture(chain, { config, wallet: placed('silent') })
    await ask(made)
    await seeFailure(made, 'UNPREPARED')
    expect(chain.count('eth_getBalance')).toBe(1)
  })
})

describe('a failure', () => {
  // spec W8.16, W8.17, W4.19
  test.each([
    ['nonce too low', 'NONCE_EXPIRED', true],
    ['replacement transaction underpriced', 'REPLACEMENT_UNDERPRICED', true],
    ['insufficient funds for gas * price + value', 'INSUFFICIENT_FUNDS', false],
    ['the moon is full', 'UNKNOWN_ERROR', false],
  ])('of a node that reports %j is %s, with a hash: %s', async (message, code, hasHash) => {
    const chain = makeFakeChain({
      eth_sendRawTransaction: () => new Refused(message),
      eth_getTransactionReceipt: () => null,
    })
    const made = await fixture(chain)
    const sending = await ask(made)
    await approve(made)
    await seeFailure(made, code)
    expect(explorerLink(made)).toBe(hasHash ? linkOf(hash) : undefined)
    expect(document.querySelector(`[title="${hash}"]`) !== null).toBe(hasHash)
    await made.close()
    expect(sending.error).toMatchObject({
      code: code === 'INSUFFICIENT_FUNDS' ? 'insufficient_funds' : 'transaction_failure',
      details: { code, ...(hasHash && { transactionHash: hash }) },
    })
  })

  test('of the contract has a hash', async () => {
    const chain = makeFakeChain({
      eth_getTransactionReceipt: () => ({ status: '0x0', gasUsed: '0x1', effectiveGasPrice: '0x1' }),
    })
    const made = await fixture(chain)
    await ask(made)
    await approve(made)
    await seeFailure(made, 'CALL_EXCEPTION')
    expect(explorerLink(made)).toBe(linkOf(hash))
  })

  test('by another transaction with the nonce is shown after the fifth look that finds the nonce used', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain)
    await ask(made)
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x8')
    for (let looks = 1; looks < 5; looks += 1) await pass(made, 2_000)
    await seeWait(made)
    await pass(made, 2_000)
    await seeFailure(made, 'TRANSACTION_REPLACED')
    expect(explorerLink(made)).toBe(linkOf(hash))
  })

  test('is not shown if one node counts the transaction before another has its receipt', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture(chain)
    const sending = await ask(made)
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x8')
    await pass(made, 2_000)
    await seeWait(made)
    chain.answer('eth_getTransactionReceipt', () => included)
    await pass(made, 2_000)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
  })

  test('of a transaction that no node knows is shown after the fifth look, without a hash', async () => {
    const chain = makeFakeChain({
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
    })
    const made = await fixture(chain)
    await ask(made)
    await approve(made)
    for (let looks = 1; looks < 4; looks += 1) await pass(made, 2_000)
    await seeWait(made)
    await pass(made, 2_000)
    await seeFailure(made, 'TRANSACTION_DROPPED')
    expect(explorerLink(made)).toBeUndefined()
  })

  test('of the preparation can be retried, and signs nothing', async () => {
    const chain = makeFakeChain({ eth_getBalance: () => Promise.reject(new TypeError('Failed to fetch')) })
    const made = await fixture(chain)
    const sending = await ask(made)
    await seeFailure(made, 'UNPREPARED')
    chain.answer('eth_getBalance', () => `0x${(10n ** 18n).toString(16)}`)
    await retry(made)
    await seeReview(made)
    await made.close()
    expect(sending.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('of the wallet shows that nothing was sent', async () => {
    const chain = makeFakeChain()
    const made = await fixture(chain, {
      wallet: { sign: () => Promise.reject(new LatchkeyError('share_mismatch', 'Not the share')) },
    })
    await ask(made)
    await approve(made)
    await seeFailure(made, 'UNSIGNED')
    expect(made.page.texts()).toContain('The wallet could not sign the transaction. Nothing was sent.')
    expect(chain.count('eth_sendRawTransaction')).toBe(0)
  })

  test('of a recovery shows that the wallet could not be recovered (spec W8.13)', async () => {
    const rejects = (code: ErrorCode) => () => Promise.reject(new LatchkeyError(code, 'No'))
    const made = await fixture(makeFakeChain(), {
      wallet: { sign: rejects('wallet_not_on_device'), recover: rejects('server_unreachable') },
    })
    const sending = await ask(made)
    await approve(made)
    await made.page.see('Unable to recover wallet')
    await made.close()
    expect(sending.error).toMatchObject({ message: 'Unable to recover wallet' })
  })

  test('of the limits after an approval on the page ends the call', async () => {
    const refusal = new LatchkeyError('approval_required_elsewhere', 'On the page')
    const made = await fixture(makeFakeChain(), {
      answers: { confirmationStatus: () => ({ state: 'approved' }) },
      wallet: { confirm: async () => confirmedIn('page'), sign: () => Promise.reject(refusal) },
    })
    const sending = await ask(made)
    await made.page.openWalletWindow()
    await pass(made, 2_000)
    expect(sending.error).toBe(refusal)
  })

  test('of the limits after an approval on the card prepares the transaction again', async () => {
    const { wallet } = signingWallet((count) => {
      if (count === 1) throw new LatchkeyError('approval_required_elsewhere', 'On the page')
      return signed
    })
    const chain = makeFakeChain()
    const made = await fixture(chain, { wallet })
    const sending = await ask(made)
    await approve(made)
    await seeReview(made)
    expect(chain.count('eth_getBalance')).toBe(2)
    await approve(made)
    expect(sending.value).toMatchObject({ receipt: { status: 'success' } })
  })
})

describe('a retry', () => {
  async function failWith(message: string | undefined, transaction: TransactionRequest = plain) {
    const { nonces, wallet } = signingWallet()
    const chain = makeFakeChain({
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
    })
    chain.answer('eth_sendRawTransaction', () => (message === undefined ? lost() : new Refused(message)))
    const made = await fixture(chain, { wallet })
    await ask(made, transaction)
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x9')
    await retry(made)
    await approve(made)
    return nonces()
  }

  // spec W4.19
  test('of a used nonce takes a fresh one, even if the host set the nonce', async () => {
    expect(await failWith('nonce too low')).toEqual([7, 9])
    expect(await failWith('nonce too low', { ...plain, nonce: 3 })).toEqual([3, 9])
  })

  test('of an attempt with an unknown outcome keeps its nonce, so that only one is included', async () => {
    expect(await failWith(undefined)).toEqual([7, 7])
    expect(await failWith('context deadline exceeded')).toEqual([7, 7])
  })

  const lost = () => Promise.reject(new TypeError('Failed to fetch'))
  /** A wallet that signs each attempt differently, and a chain with settable transactions. */
  async function attempting(
    change: Record<string, () => unknown>,
    { transaction = plain, failures = 0 }: { transaction?: TransactionRequest; failures?: number } = {},
  ) {
    const signatures = [signed, `0x${'5f'.repeat(65)}`, `0x${'60'.repeat(65)}`] as const
    const inBlocks = new Set<string>()
    const pending = new Set<string>()
    const chain = makeFakeChain({
      eth_getTransactionReceipt: ((asked: string) => (inBlocks.has(asked) ? included : null)) as never,
      eth_getTransactionByHash: ((asked: string) => (pending.has(asked) ? {} : null)) as never,
      ...change,
    })
    const { nonces, wallet } = signingWallet((count) => {
      if (count <= failures) throw new LatchkeyError('share_mismatch', 'Not the share')
      return signatures[count - 1] ?? signed
    })
    const made = await fixture(chain, { wallet })
    const sending = await ask(made, transaction)
    return { made, chain, sending, inBlocks, pending, nonces }
  }

  test('follows the attempt with the lost response if that is pending and cannot be replaced', async () => {
    const { made, chain, sending, inBlocks, pending, nonces } = await attempting({
      eth_sendRawTransaction: lost,
    })
    await approve(made)
    await seeFailure(made, 'NETWORK_ERROR')
    chain.answer('eth_sendRawTransaction', () => new Refused('replacement transaction underpriced'))
    await retry(made)
    await approve(made)
    await seeFailure(made, 'REPLACEMENT_UNDERPRICED')
    pending.add(hash)
    await retry(made)
    await seeWait(made)
    expect(explorerLink(made)).toBe(linkOf(hash))
    inBlocks.add(hash)
    await pass(made, 2_000)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(nonces()).toEqual([7, 7])
  })

  test('keeps the nonce of an attempt that may be pending, even if no node knows it', async () => {
    const { made, chain, nonces } = await attempting({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => new Refused('replacement transaction underpriced'))
    await retry(made)
    await approve(made)
    chain.answer('eth_getTransactionCount', () => '0x8')
    await retry(made)
    await approve(made)
    expect(nonces()).toEqual([7, 7, 7])
  })

  test('signs nothing if the attempt with the lost response was included', async () => {
    const { made, sending, inBlocks, nonces } = await attempting({ eth_sendRawTransaction: lost })
    await approve(made)
    inBlocks.add(hash)
    await retry(made)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(nonces()).toEqual([7])
  })

  test('looks five times for the attempt that used its nonce', async () => {
    const { made, chain, sending, inBlocks, nonces } = await attempting({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => new Refused('nonce too low'))
    await retry(made)
    await approve(made)
    for (let looks = 1; looks < 4; looks += 1) await pass(made, 2_000)
    await made.page.see('Submitting')
    inBlocks.add(hash)
    await pass(made, 2_000)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
    expect(nonces()).toEqual([7, 7])
  })

  test('takes a fresh nonce if five looks find no attempt that used it', async () => {
    const { made, chain, nonces } = await attempting({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => new Refused('nonce too low'))
    await retry(made)
    await approve(made)
    for (let looks = 1; looks < 5; looks += 1) await pass(made, 2_000)
    await seeFailure(made, 'NONCE_EXPIRED')
    chain.answer('eth_getTransactionCount', () => '0x8')
    await retry(made)
    await approve(made)
    expect(nonces()).toEqual([7, 7, 8])
  })

  test('that an earlier attempt overtakes ends like that attempt', async () => {
    const { made, chain, sending, inBlocks } = await attempting({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_sendRawTransaction', () => '0x')
    await retry(made)
    await approve(made)
    await seeWait(made)
    chain.answer('eth_getTransactionCount', () => '0x8')
    inBlocks.add(hash)
    for (let looks = 1; looks <= 5; looks += 1) await pass(made, 2_000)
    expect(sending.value).toMatchObject({ receipt: { transactionHash: hash, status: 'success' } })
  })

  test('signs nothing while the outcome of the attempt before cannot be read', async () => {
    const { made, chain, sending, nonces } = await attempting({ eth_sendRawTransaction: lost })
    await approve(made)
    chain.answer('eth_getTransactionReceipt', lost)
    await retry(made)
    await seeFailure(made, 'UNPREPARED')
    await made.close()
    expect(sending.error).toMatchObject({ code: 'transaction_failure', details: { code: 'NETWORK_ERROR' } })
    expect(nonces()).toEqual([7])
  })

  test('rejects nothing if it is closed while the attempt before may be included', async () => {
    const { made, sending } = await attempting({ eth_sendRawTransaction: lost })
    await approve(made)
    await retry(made)
    await seeReview(made)
    await made.close()
    expect(sending.error).toMatchObject({ code: 'transaction_failure', details: { code: 'NETWORK_ERROR' } })
  })

  test('of an unsigned transaction uses the nonce of the host', async () => {
    const { made, nonces } = await attempting({}, { transaction: { ...plain, nonce: 3 }, failures: 1 })
    await approve(made)
    await seeFailure(made, 'UNSIGNED')
    await retry(made)
    await approve(made)
    expect(nonces()).toEqual([3, 3])
  })

  // spec W4.19
  test('of a reverted transaction takes a fresh nonce', async () => {
    const { made, chain, nonces } = await attempting({
      eth_getTransactionReceipt: () => ({ ...included, status: '0x0' }),
    })
    await approve(made)
    await seeFailure(made, 'CALL_EXCEPTION')
    chain.answer('eth_getTransactionCount', () => '0x8')
    await retry(made)
    await approve(made)
    expect(nonces()).toEqual([7, 8])
  })

  test('starts once, even if the user presses twice', async () => {
    const { made, chain } = await attempting({}, { failures: 1 })
    await approve(made)
    await seeFailure(made, 'UNSIGNED')
    const balance = Promise.withResolvers<string>()
    chain.answer('eth_getBalance', () => balance.promise)
    await made.page.press('Retry transaction')
    const button = screen.queryByRole('button', { name: 'Retry transaction' })
    button?.click()
    await settle()
    expect(chain.count('eth_getBalance')).toBe(2)
    balance.resolve(`0x${(10n ** 18n).toString(16)}`)
    await seeReview(made)
  })
})

describe('a call is rejected before a screen is shown', () => {
  // spec W8.19
  test.each([
    [
      'a chain that the operator did not configure',
      { ...plain, chainId: 137 },
      'unsupported_chain_id',
      'Unsupported chain: 137',
    ],
    ['another sender', { ...plain, from: to }, 'invalid_data', 'another address'],
    ['neither recipient nor data', { chainId: 1 }, 'invalid_data', 'goes to nobody'],
    ['a wrong checksum', { ...plain, to: to.replace('C5', 'c5') }, 'invalid_data', 'wrong checksum'],
    ['two kinds of fees', { ...plain, gasPrice: 1, maxFeePerGas: 2 }, 'invalid_data', 'of which one may be'],
  ])('for %s', async (_name, transaction, code, message) => {
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
  ])('for a field that would be ignored: %s', async (name, value) => {
    const made = await fixture()
    const sending = await ask(made, { ...plain, [name]: value })
    expect(sending.error).toMatchObject({ code: 'invalid_data', details: { path: `transaction.${name}` } })
    expect(made.frame).toEqual([])
  })

  test('for a visitor, and for a user without a wallet', async () => {
    const visitor = await ask(await fixture(makeFakeChain(), {}, null))
    expect(visitor.error).toMatchObject({ code: 'must_be_authenticated' })
    const walletless = await ask(await fixture(makeFakeChain(), {}, visitorUser))
    expect(walletless.error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })

  test('for an RPC node that only the host page names', async () => {
    const rpcUrls = { 1: 'https://of-the-host.example' } as const
    const made = await fixture(makeFakeChain(), { config: { rpcUrls } })
    expect((await ask(made)).error).toMatchObject({ code: 'not_supported' })
    const same = await fixture(makeFakeChain(), { config: { rpcUrls: { 1: 'https://rpc.example/v3/key' } } })
    await ask(same)
    await seeReview(same)
  })

  test('for a chain that the host excludes', async () => {
    const made = await fixture(makeFakeChain(), { config: { supportedChains: [10] } })
    expect((await ask(made)).error).toMatchObject({ code: 'unsupported_chain_id' })
  })
})

test('a logout ends a review', async () => {
  const made = await fixture()
  const sending = await ask(made)
  await made.session.logout()
  await settle()
  expect(sending.error).toMatchObject({ code: 'must_be_authenticated' })
  expect(made.view()?.open).toBe(false)
})

describe('a sent transaction resolves with its hash', () => {
  const atNode = {
    'while it is submitted': { eth_sendRawTransaction: () => new Promise(() => {}) },
    'while it is pending': { eth_getTransactionReceipt: () => null },
  }

  test.each(Object.entries(atNode))('%s, after a logout', async (_name, change) => {
    const made = await fixture(makeFakeChain(change))
    const sending = await ask(made)
    await approve(made)
    expect(sending.settled).toBe(false)
    await made.session.logout()
    await settle()
    expect(sending.value).toEqual({ receipt: unconfirmed })
    expect(made.view()?.open).toBe(false)
  })

  test('while it is pending, after the page aborted the call', async () => {
    const made = await fixture(makeFakeChain(atNode['while it is pending']))
    const page = new AbortController()
    const sending = await ask(made, plain, page)
    await approve(made)
    page.abort()
    await settle()
    expect(sending.value).toEqual({ receipt: unconfirmed })
  })

  test('or rejects with an unknown outcome if the response was lost', async () => {
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    const made = await fixture(makeFakeChain({ eth_sendRawTransaction: lost }))
    const sending = await ask(made)
    await approve(made)
    await made.session.logout()
    await settle()
    expect(sending.error).toMatchObject({ code: 'transaction_failure', details: { code: 'NETWORK_ERROR' } })
  })
})

test('a login of another user ends a review', async () => {
  const made = await fixture()
  const sending = await ask(made)
  made.session.accept(makeAuthAnswer({ user: { ...walletUser, id: 'user-2' } }))
  await settle()
  expect(sending.error).toMatchObject({ code: 'must_be_authenticated' })
})
