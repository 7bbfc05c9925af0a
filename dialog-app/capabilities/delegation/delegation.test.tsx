import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { batchAccount, noDelegate } from '@latchkey/protocol/wallet'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chainUrl, makeFakeChain } from '../../testing/chain.ts'
import { type FixtureOptions, makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { digestDelegation } from './lazy/digest.ts'

afterEach(() => void vi.unstubAllGlobals())

const ownCode = `0xef0100${batchAccount.address.slice(2)}`
const foreign = `0x${'a1'.repeat(20)}`
const foreignCode = `0xef0100${foreign.slice(2)}`
const id = `0x${'1d'.repeat(32)}`

type Options = FixtureOptions & { code?: string; refusal?: ErrorCode; balance?: bigint }

/** A wallet on Base, whose fees are paid unless the server refuses. */
async function open({ code = ownCode, refusal, balance = 10n ** 18n, ...options }: Options = {}) {
  let current = code
  const chain = makeFakeChain({
    eth_getCode: () => current,
    eth_getBalance: () => `0x${balance.toString(16)}`,
    eth_sendRawTransaction() {
      current = '0x'
      return '0x'
    },
  })
  vi.stubGlobal('fetch', chain.fetch)
  const requests: { method: string; params: readonly unknown[] }[] = []
  const fixture = await makeFixture({
    standalone: true,
    app: { rpcUrls: { 8453: [chainUrl] }, sponsoredChains: [8453] },
    answers: {
      me: () => walletUser,
      quoteDelegation({ chainId, delegate }) {
        if (refusal) throw refused(refusal, 400)
        return { delegation: { chainId, delegate, nonce: 7, fees: null } }
      },
      sendDelegation({ delegation: { delegate } }) {
        current = delegate === noDelegate ? '0x' : ownCode
        return { id, state: 'pending', transactionHash: null }
      },
    },
    wallet: {
      async sign(_, request) {
        requests.push(request)
        return `0x${'5e'.repeat(65)}`
      },
    },
    ...options,
  })
  fixture.session.accept(makeAuthAnswer({ user: walletUser }))
  void fixture.dialog.runStandalone()
  const page = renderDialog(fixture)
  await page.see('Log out')
  return { ...fixture, page, chain, requests, requested: () => JSON.parse(String(requests[0]?.params[1])) }
}

async function openList(options?: Options) {
  const opened = await open(options)
  await opened.page.press('Wallet contracts')
  await opened.page.see('Base')
  return opened
}

describe('the contracts of a wallet', () => {
  test('have no entry while it runs none', async () => {
    const { page, chain } = await open({ code: '0x' })
    await vi.waitFor(() => expect(chain.count('eth_getCode')).toBe(1))
    expect(page.hasButton('Wallet contracts')).toBe(false)
  })

  test('that are foreign are shown whole, with a warning', async () => {
    const { page } = await openList({ code: foreignCode })
    const texts = page.texts().join(' ')
    expect(texts.replaceAll(/[\s\u200b]+/g, '')).toContain(foreign)
    expect(texts).toContain('A contract that this app does not know.')
    expect(page.hasButton('Replace')).toBe(true)
  })

  test('offer a replacement only on sponsored networks', async () => {
    const { page } = await openList({
      code: foreignCode,
      app: { rpcUrls: { 8453: [chainUrl] }, sponsoredChains: [] },
    })
    expect(page.hasButton('Replace')).toBe(false)
    expect(page.hasButton('Remove')).toBe(true)
  })
})

describe('a removal', () => {
  test('is approved once, sent by the operator, and leaves the list', async () => {
    const { page, requests, requested, transport } = await openList()
    await page.press('Remove')
    await page.see('Remove the contract?')
    expect(page.texts().join(' ')).toContain('The operator of this app pays the fee.')
    await page.approve()
    await page.see('Your wallet runs no contract on Base now.')
    const delegation = { chainId: 8453, delegate: noDelegate, nonce: 7, fees: null }
    expect(requested()).toEqual(delegation)
    expect(requests).toMatchObject([
      {
        method: 'eth_signAuthorization',
        params: [walletAddress, JSON.stringify(delegation), digestDelegation(delegation, walletAddress)],
      },
    ])
    expect(transport.calls('sendDelegation').map(({ body }) => body)).toEqual([
      { address: walletAddress, delegation, signature: `0x${'5e'.repeat(65)}` },
    ])
    expect(page.hasButton('Remove')).toBe(false)
  })

  test('is paid by the wallet if the operator does not', async () => {
    const { page, requested, chain } = await openList({ refusal: 'not_supported' })
    await page.press('Remove')
    await page.see('Fee at most')
    expect(page.texts()).toContain('0.000243 ETH')
    await page.approve()
    await page.see('Your wallet runs no contract on Base now.')
    expect(requested()).toEqual({
      chainId: 8453,
      delegate: noDelegate,
      nonce: 8,
      fees: { gas: 81_000, maxFee: '3000000000', priorityFee: '1000000000' },
    })
    expect(chain.count('eth_sendRawTransaction')).toBe(1)
  })

  test('without coins for the fee cannot be approved', async () => {
    const { page } = await openList({ refusal: 'not_supported', balance: 0n })
    await page.press('Remove')
    await page.see('Your wallet has too few coins on this network for the fee.')
    expect(page.gate()).toBeUndefined()
    await page.press('Not now')
    await page.see('Base')
  })

  test.each<[ErrorCode, string]>([
    ['transaction_failure', 'Nothing was changed'],
    ['server_unreachable', 'Not on the network yet'],
  ])('that fails with %s shows: %s', async (code, title) => {
    const { page } = await openList({
      answers: {
        me: () => walletUser,
        quoteDelegation: ({ chainId, delegate }) => ({
          delegation: { chainId, delegate, nonce: 7, fees: null },
        }),
        sendDelegation() {
          throw new LatchkeyError(code, code)
        },
      },
    })
    await page.press('Remove')
    await page.see('Remove the contract?')
    await page.approve()
    await page.see(title)
  })

  test('that the server quotes for another contract is still the one that the user chose', async () => {
    const { page, requested } = await openList({
      answers: {
        me: () => walletUser,
        quoteDelegation: () => ({
          delegation: { chainId: 1, delegate: batchAccount.address, nonce: 7, fees: null },
        }),
        sendDelegation: () => ({ id, state: 'pending', transactionHash: null }),
      },
    })
    await page.press('Remove')
    await page.see('Remove the contract?')
    await page.approve()
    await vi.waitFor(() => expect(requested()).toMatchObject({ chainId: 8453, delegate: noDelegate }))
  })
})

test('a replacement names both contracts, and shows the account contract after it', async () => {
  const { page, requested } = await openList({ code: foreignCode })
  await page.press('Replace')
  await page.see('Replace the contract?')
  const shown = page
    .texts()
    .join(' ')
    .replaceAll(/[\s\u200b]+/g, '')
  expect(shown).toContain(foreign)
  expect(shown).toContain(batchAccount.address)
  await page.approve()
  await page.see('Your wallet runs the account contract on Base now.')
  expect(requested()).toMatchObject({ delegate: batchAccount.address })
})

test('the digest of a change that the wallet sends is that of the vault and the server', () => {
  const fees = { gas: 81_000, maxFee: '3000000000', priorityFee: '0' }
  const delegation = { chainId: 8453, delegate: noDelegate, nonce: 1, fees }
  expect(digestDelegation(delegation, '0x71C7656EC7ab88b098defB751B7401B5f6d8976F')).toBe(
    '0x344197a6f822320c8ba4965dcca4b11e022f20db054c8c6ccf5fe440c8b22edf',
  )
})
