import { type ClientConfig, LatchkeyError } from '@latchkey/protocol'
import { keccak256, parseTransaction, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chainUrl, makeFakeChain, Refused } from '../../testing/chain.ts'
import { confirmedIn, type Fixture, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { appId, makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { type Page, renderDialog } from '../../testing/page.tsx'
import { makeFakeStore } from '../../testing/storage.ts'
import { capabilities } from '../index.ts'
import { ethereumThrough } from './ethereum.ts'

afterEach(() => void vi.unstubAllGlobals())

/** The rendered dialog of the latest fixture. */
let page: Page

const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signed = `0x${'5e'.repeat(65)}` as const

async function fixture({
  chain = makeFakeChain(),
  tab = makeFakeStore(),
  user = walletUser,
  ...change
}: FixtureOptions & {
  chain?: ReturnType<typeof makeFakeChain>
  tab?: ReturnType<typeof makeFakeStore>
  user?: typeof walletUser | null
} = {}) {
  // What sends asks chains by it too.
  vi.stubGlobal('fetch', chain.fetch)
  const made = await makeFixture({
    answers: { logout: () => ({ success: true }) },
    app: { rpcUrls: { 1: [chainUrl], 10: [`${chainUrl}/ten`] }, testNetworks: [1, 10] },
    capabilities: [
      ...capabilities.filter(({ name }) => name !== 'ethereum'),
      ethereumThrough(chain.fetch, tab),
    ],
    ...change,
  })
  if (user) made.session.accept(makeAuthAnswer({ user }))
  page = renderDialog(made)
  return made
}
const now = (made: Fixture, method: string, ...params: readonly unknown[]) =>
  made.more('ethereumRequest', { method, params: [...params] })
const forUser = (made: Fixture, method: string, ...params: readonly unknown[]) =>
  made.more('ethereumRequestForUser', { method, params: [...params] })

/** Waits for lazy-loaded code, which takes longer on a busy machine. */
const soon = (run: () => unknown) => vi.waitFor(run, { timeout: 15_000 })

const pageOfConfirmations = `http://wallet.localhost:4000/apps/${appId}/confirm`

describe('the state of a provider', () => {
  test('includes the address and settings of the confirmation page', async () => {
    const cardTypedData = [{ contract: '0x71c7656ec7ab88b098defb751b7401b5f6d8976f', primaryType: 'Order' }]
    const made = await fixture({ app: { cardTypedData, testNetworks: [31_337] } })
    expect(await made.more('ethereumState', {})).toMatchObject({
      confirmPage: { address: pageOfConfirmations, typedDataOnCard: cardTypedData, testNetworks: [31_337] },
    })
  })

  test.each<[string, FixtureOptions]>([
    ['the host page’s opener policy separates windows', { app: { crossOriginOpenerPolicy: 'same-origin' } }],
    ['requests may be signed silently', { config: { embeddedWallets: { noPromptOnSignature: true } } }],
  ])('includes no confirmation page if %s', async (_name, options) => {
    expect(await (await fixture(options)).more('ethereumState', {})).not.toHaveProperty('confirmPage')
  })

  // spec L9.22
  test.each<[string, ClientConfig, number]>([
    ['the first chain of the app', {}, 1],
    ['the default of the host', { defaultChain: 10 }, 10],
    ['the first of the host', { supportedChains: [10, 1] }, 10],
  ])('starts on %s', async (_name, config, chainId) => {
    expect(await (await fixture({ config })).more('ethereumState', {})).toEqual({
      chainId,
      accounts: [walletAddress],
      confirmPage: { address: pageOfConfirmations, typedDataOnCard: [], testNetworks: expect.any(Array) },
    })
  })

  test('has no accounts for visitors, and none before the user accepts the terms', async () => {
    const visitor = await fixture({ user: null })
    expect(await visitor.more('ethereumState', {})).toMatchObject({ accounts: [] })
    const config = { legal: { requireUsersAcceptTerms: true } }
    const undecided = await fixture({ config, user: { ...walletUser, hasAcceptedTerms: false } })
    expect(await now(undecided, 'eth_accounts')).toEqual({ result: [] })
    const agreed = await fixture({ config, user: { ...walletUser, hasAcceptedTerms: true } })
    expect(await now(agreed, 'eth_accounts')).toEqual({ result: [walletAddress] })
  })

  test('returns the app name for the announcement, with the icon only if it is a data URL', async () => {
    const icon = 'data:image/png;base64,iVBORw0KGgo='
    const made = await fixture({ config: { name: 'Herons', appearance: { logo: icon } } })
    expect(await made.more('ethereumState', { announce: true })).toMatchObject({
      announced: { name: 'Herons', icon },
    })
    const elsewhere = await fixture({ config: { appearance: { logo: 'https://app.example/logo.png' } } })
    const { announced } = await elsewhere.more('ethereumState', { announce: true })
    expect(announced).not.toHaveProperty('icon')
  })
})

describe('legacy methods', () => {
  test('legacy methods return the user’s wallet, or nothing for a visitor', async () => {
    const made = await fixture()
    expect(await now(made, 'eth_coinbase')).toEqual({ result: walletAddress })
    expect(await now(made, 'net_listening')).toEqual({ result: true })
    expect(await now(made, 'web3_clientVersion')).toEqual({
      result: expect.stringMatching(/^Latchkey\/\d+\.\d+\.\d+/),
    })
    expect(await now(made, 'wallet_getPermissions')).toEqual({
      result: [
        {
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: [walletAddress] }],
        },
      ],
    })
    const visitor = await fixture({ user: null })
    expect(await now(visitor, 'eth_coinbase')).toEqual({ result: null })
    expect(await now(visitor, 'wallet_getPermissions')).toEqual({ result: [] })
  })

  test('personal_ecRecover returns the lower-case address of the signer', async () => {
    const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const signature = await signer.signMessage({ message: 'hello' })
    const made = await fixture()
    expect(await now(made, 'personal_ecRecover', toHex('hello'), signature)).toEqual({
      result: signer.address.toLowerCase(),
    })
  })
})

describe('ethereumRead', () => {
  test('accepts only methods that read the chain', async () => {
    const made = await fixture()
    const read = (method: string, ...params: unknown[]) => made.more('ethereumRead', { method, params })
    expect(await read('eth_getBalance', walletAddress)).toHaveProperty('result')
    for (const [method, ...params] of [
      ['eth_accounts'],
      ['wallet_switchEthereumChain', { chainId: '0xa' }],
      ['personal_sign', 'hello', walletAddress],
      ['eth_sendTransaction', { to: walletAddress }],
    ] as const) {
      await expect(read(method, ...params)).rejects.toMatchObject({ code: 'method_not_found' })
    }
  })

  test('accepts 100 kB of calldata', async () => {
    const made = await fixture()
    const params = [{ to: walletAddress, data: `0x${'ab'.repeat(100_000)}` }, 'latest']
    expect(await made.more('ethereumRead', { method: 'eth_call', params })).toBeDefined()
  })
})

describe('switching the chain', () => {
  // spec W5.10
  test('accepts only chains of the app, and emits chainChanged once', async () => {
    const made = await fixture()
    expect(await now(made, 'wallet_switchEthereumChain', { chainId: '0xa' })).toEqual({ result: null })
    expect(await now(made, 'eth_chainId')).toEqual({ result: '0xa' })
    expect(await now(made, 'net_version')).toEqual({ result: '10' })
    await now(made, 'wallet_switchEthereumChain', { chainId: '0xa' })
    expect(made.pageHeard).toEqual([{ name: 'chainChanged', data: { chainId: 10 } }])
    // On 4902, wagmi adds the chain and reports a failure of that as a user rejection.
    const strange = { refused: { code: 4901, message: 'Unsupported chain: 137' } }
    expect(await now(made, 'wallet_switchEthereumChain', { chainId: '0x89' })).toEqual(strange)
    expect(await now(made, 'eth_chainId')).toEqual({ result: '0xa' })
  })

  test('wallet_addEthereumChain adds no chain and ignores the RPC URLs of the page', async () => {
    const chain = makeFakeChain()
    const made = await fixture({ chain })
    const add = (chainId: string) =>
      now(made, 'wallet_addEthereumChain', { chainId, rpcUrls: ['https://evil.example'], chainName: 'Evil' })
    expect(await add('0x89')).toMatchObject({ refused: { code: 4901 } })
    expect(await add('0xa')).toEqual({ result: null })
    expect(await now(made, 'eth_chainId')).toEqual({ result: '0x1' })
  })

  test('switches to a custom chain that the operator configured, and sends a transaction there', async () => {
    const feldnetz = { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 }
    const made = await fixture({
      app: {
        rpcUrls: { 1: [chainUrl], 9119: [`${chainUrl}/feld`] },
        chains: [feldnetz],
        testNetworks: [9_119],
      },
    })
    const chainId = '0x239f'
    const added = { chainId, rpcUrls: ['https://evil.example'], chainName: 'Evil' }
    expect(await now(made, 'wallet_addEthereumChain', added)).toEqual({ result: null })
    expect(await now(made, 'wallet_switchEthereumChain', { chainId })).toEqual({ result: null })
    expect(await now(made, 'eth_chainId')).toEqual({ result: chainId })
    const sending = forUser(made, 'eth_sendTransaction', { from: walletAddress, to: someone, value: '0x1' })
    await page.see('Feldnetz')
    await page.approve()
    expect(await sending).toHaveProperty('result')
  })

  test('restores the chain after a reload in the same tab, unless the app removed it', async () => {
    const tab = makeFakeStore()
    await now(await fixture({ tab }), 'wallet_switchEthereumChain', { chainId: '0xa' })
    expect(await now(await fixture({ tab }), 'eth_chainId')).toEqual({ result: '0xa' })
    expect(await now(await fixture(), 'eth_chainId')).toEqual({ result: '0x1' })
    const without = await fixture({ tab, app: { rpcUrls: { 1: [chainUrl] }, testNetworks: [1] } })
    expect(await now(without, 'eth_chainId')).toEqual({ result: '0x1' })
  })

  test('switches the chain without session storage', async () => {
    const none = () => {
      throw new DOMException('', 'SecurityError')
    }
    const made = await fixture({ tab: { ...makeFakeStore(), read: none, write: none } })
    await now(made, 'wallet_switchEthereumChain', { chainId: '0xa' })
    expect(await now(made, 'eth_chainId')).toEqual({ result: '0xa' })
  })

  test('rejects typed data and transactions for another chain, also through other host calls', async () => {
    const made = await fixture()
    await now(made, 'wallet_switchEthereumChain', { chainId: '0xa' })
    const data = JSON.stringify({
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      domain: { chainId: 1 },
      message: { text: 'Two herons' },
    })
    await expect(made.more('signTypedData', { data })).rejects.toMatchObject({ code: 'unsupported_chain_id' })
    await made.close()
    expect(
      await forUser(made, 'eth_sendTransaction', { from: walletAddress, to: someone, chainId: '0x1' }),
    ).toEqual({ refused: { code: 4901, message: 'The wallet is on chain 10, and not on 1' } })
  })
})

describe('RPC methods', () => {
  test('sends RPC requests to the operator’s URLs, and returns the results', async () => {
    const urls: string[] = []
    const chain = makeFakeChain({ eth_getLogs: () => [{ logIndex: '0x0' }] })
    const watched = {
      ...chain,
      fetch(url: string, init: RequestInit) {
        urls.push(url)
        return chain.fetch(url, init)
      },
    }
    const made = await fixture({ chain: watched })
    expect(await now(made, 'eth_getLogs', { address: someone })).toEqual({ result: [{ logIndex: '0x0' }] })
    await now(made, 'wallet_switchEthereumChain', { chainId: '0xa' })
    await now(made, 'eth_getBalance', someone, 'latest')
    expect(urls).toEqual([chainUrl, `${chainUrl}/ten`])
    expect(chain.asked).toEqual([
      { method: 'eth_getLogs', params: [{ address: someone }] },
      { method: 'eth_getBalance', params: [someone, 'latest'] },
    ])
  })

  test('passes an error of the RPC node to the page', async () => {
    const made = await fixture({
      chain: makeFakeChain({ eth_call: () => new Refused('execution reverted') }),
    })
    expect(await now(made, 'eth_call', { to: someone }, 'latest')).toEqual({
      refused: { code: 3, message: 'execution reverted' },
    })
  })

  test('rejects with 4901 (chain disconnected) if the RPC node is unreachable', async () => {
    const chain = { ...makeFakeChain(), fetch: () => Promise.reject(new TypeError('Failed to fetch')) }
    expect(await now(await fixture({ chain }), 'eth_blockNumber')).toMatchObject({ refused: { code: 4901 } })
  })

  test('sends no RPC request for a chain without an RPC URL', async () => {
    const chain = makeFakeChain()
    const made = await fixture({ chain, config: { defaultChain: 137 } })
    expect(await now(made, 'eth_blockNumber')).toMatchObject({ refused: { code: 4901 } })
    expect(chain.asked).toEqual([])
  })

  test('forwards only listed methods to the RPC node', async () => {
    const chain = makeFakeChain()
    const made = await fixture({ chain })
    for (const method of ['eth_sendRawTransaction', 'eth_newFilter', 'anvil_setBalance', 'toString', '']) {
      await expect(now(made, method)).rejects.toMatchObject({ code: 'method_not_found' })
    }
    await expect(now(made, 'eth_sign', walletAddress, '0x00')).rejects.toThrow('signs opaque data')
    expect(chain.asked).toEqual([])
  })
})

describe('a method that waits for the user', () => {
  test('ethereumRequestForUser accepts these methods and no others', async () => {
    const made = await fixture()
    const code = { code: 'method_not_found' }
    await expect(now(made, 'personal_sign', '0x00', walletAddress)).rejects.toMatchObject(code)
    await expect(forUser(made, 'eth_chainId')).rejects.toMatchObject(code)
    expect(made.frame).toEqual([])
  })

  test.each([
    ['text as hex', '0x54776f206865726f6e73', 'Two herons'],
    ['text as it is', 'Two herons', 'Two herons'],
    ['hex that is no bytes', '0x5', '0x5'],
  ])('personal_sign signs %s', async (_name, given, shown) => {
    const made = await fixture({ wallet: { signMessage: async () => signed } })
    const signing = watch(forUser(made, 'personal_sign', given, walletAddress.toLowerCase()))
    await page.see(shown)
    await page.approve()
    await soon(() => expect(signing.value).toEqual({ result: signed }))
  })

  test('personal_sign shows bytes that are not text as hex, and requires the confirmation page', async () => {
    const hash = `0x${'9F3a'.repeat(16)}`
    const put: unknown[] = []
    const asked: unknown[] = []
    const made = await fixture({
      wallet: {
        async confirm(address, request) {
          put.push([address, request])
          return confirmedIn('page', { reason: 'not_understood' })
        },
        async sign(address, request) {
          asked.push([address, request])
          return signed
        },
      },
    })
    void forUser(made, 'personal_sign', hash, walletAddress.toLowerCase()).catch(() => {})
    const request = { method: 'personal_sign', params: [hash.toLowerCase(), walletAddress] }
    await soon(() => expect(put).toEqual([[walletAddress, request]]))
    for (const text of [
      hash.toLowerCase(),
      'We cannot tell what this does, so you confirm it on a separate page.',
      'This is not readable text, so we cannot tell what it means. Sign only if you trust this app.',
    ]) {
      await page.see(text)
    }
    expect(asked).toEqual([])
  })

  test.each([
    ['personal_sign', ['0x68', someone]],
    ['eth_signTypedData_v4', [someone, '{}']],
    ['eth_sendTransaction', [{ from: someone, to: someone }]],
    ['eth_signTransaction', [{ from: someone, to: someone }]],
  ])('%s rejects any other account', async (method, params) => {
    const refused = { refused: { code: 4100, message: 'The page may use no such account' } }
    expect(await forUser(await fixture(), method, ...params)).toEqual(refused)
    expect(await forUser(await fixture({ user: null }), method, ...params)).toEqual(refused)
  })

  test('eth_sendTransaction resolves with the hash once it is sent, and the dialog shows the outcome', async () => {
    const chain = makeFakeChain({ eth_getTransactionReceipt: () => null })
    const made = await fixture({ chain, wallet: { sign: async () => signed } })
    const sending = watch(
      forUser(made, 'eth_sendTransaction', { from: walletAddress, to: someone, value: '0x1', gas: '0x5208' }),
    )
    await page.approve()
    await soon(() => expect(sending.value).toEqual({ result: keccak256(signed) }))
    await page.see('Waiting for confirmation')
    chain.answer('eth_getTransactionReceipt', () => ({ status: '0x0', gasUsed: '0x1' }))
    await made.clock.advance(2_000)
    await page.see('Transaction failed')
    // The caller would not get the hash of a second transaction.
    expect(page.hasButton('Retry transaction')).toBe(false)
    expect(chain.count('eth_sendRawTransaction')).toBe(1)
  })

  test('eth_signTransaction does not send the transaction', async () => {
    const chain = makeFakeChain()
    const made = await fixture({ chain, wallet: { sign: async () => signed } })
    const signing = watch(forUser(made, 'eth_signTransaction', { to: someone, value: '0x1' }))
    await page.see('This is signed and handed to the app, which can send it at any time.')
    await page.approve()
    await soon(() => expect(signing.value).toEqual({ result: signed }))
    await soon(() => expect(made.view()?.open).toBe(false))
    expect(chain.count('eth_sendRawTransaction')).toBe(0)
  })

  test.each([['0x0'], [0]] as const)(
    'a transaction of type %j is a legacy transaction, with the gas price of the RPC node by default',
    async (type) => {
      const asked: unknown[] = []
      const sign = async (_address: string, request: unknown) => {
        asked.push(request)
        return signed
      }
      const made = await fixture({ chain: makeFakeChain(), wallet: { sign } })
      const signing = watch(forUser(made, 'eth_signTransaction', { to: someone, value: '0x1', type }))
      await page.approve()
      await soon(() => expect(signing.value).toEqual({ result: signed }))
      const serialized = /0x[0-9a-f]{40,}/.exec(JSON.stringify(asked))?.[0] as `0x${string}`
      expect(parseTransaction(serialized)).toMatchObject({ type: 'legacy', gasPrice: 2_000_000_000n })
    },
  )

  test('rejects with user_rejected_request if the user closes the dialog', async () => {
    const made = await fixture()
    const signing = watch(forUser(made, 'personal_sign', 'Two herons', walletAddress))
    await page.see('Sign and continue')
    await made.close()
    await soon(() => expect(signing.error).toMatchObject({ code: 'user_rejected_request' }))
  })
})

describe('eth_requestAccounts', () => {
  test('returns the accounts of a logged-in user without a dialog', async () => {
    const made = await fixture()
    expect(await forUser(made, 'eth_requestAccounts')).toEqual({ result: [walletAddress] })
    expect(made.frame).toEqual([])
  })

  test('opens the login for a visitor, and rejects if the visitor closes it', async () => {
    const made = await fixture({ user: null })
    const asking = watch(forUser(made, 'eth_requestAccounts'))
    await soon(() => expect(made.screen()).toBe('LANDING'))
    await made.close()
    expect(asking.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  test('creates no wallet if the app creates none', async () => {
    const made = await fixture({ user: visitorUser, config: { embeddedWallets: { createOnLogin: 'off' } } })
    await expect(forUser(made, 'eth_requestAccounts')).rejects.toMatchObject({
      code: 'embedded_wallet_not_found',
    })
    expect(made.wallet.log).not.toContain('create')
  })

  test('creates the wallet that the app requires, and rejects if that fails', async () => {
    const made = await fixture({
      user: visitorUser,
      config: { embeddedWallets: { createOnLogin: 'users-without-wallets' } },
      wallet: { create: () => Promise.reject(new LatchkeyError('error', 'No')) },
    })
    await expect(forUser(made, 'eth_requestAccounts')).rejects.toMatchObject({
      code: 'unknown_embedded_wallet_error',
    })
  })
})
