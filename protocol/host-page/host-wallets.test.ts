import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'

/** Loads a fresh page for each test, because the module stores announcements. */
let page: EventTarget & { ethereum?: unknown }
beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  page = new EventTarget()
  for (const name of ['addEventListener', 'dispatchEvent'] as const) {
    vi.stubGlobal(name, page[name].bind(page))
  }
  goTo('https://app.example/')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function goTo(href: string) {
  const replaceState = vi.fn((_state: unknown, _title: string, url: URL) => goTo(url.href))
  vi.stubGlobal('location', { href })
  vi.stubGlobal('history', { state: { kept: true }, replaceState })
  return replaceState
}

type Asked = { method: string; params: readonly unknown[] }
const icon = 'data:image/svg+xml,<svg/>'
const provider = (answer: (asked: Asked) => unknown = () => null) => ({
  request: async (asked: Asked) => answer(asked),
})
const rabbit = { uuid: '1', name: 'Rabbit', rdns: 'example.rabbit', icon }

function announce(detail: unknown) {
  const tell = () => page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
  page.addEventListener('eip6963:requestProvider', tell)
  return tell
}

async function open() {
  const { askWallet, connectedWallet, findWallets } = await import('./host-wallets.ts')
  const found = findWallets()
  await vi.advanceTimersByTimeAsync(100)
  return { askWallet, connectedWallet, findWallets, ...(await found) }
}

describe('the wallets of a page', () => {
  it('include those that announce themselves on request', async () => {
    announce({ info: rabbit, provider: provider() })
    const { wallets } = await open()
    expect(wallets).toEqual([{ id: '1', name: 'Rabbit', rdns: 'example.rabbit', icon }])
  })

  it('include later announcements, each once', async () => {
    const tell = announce({ info: rabbit, provider: provider() })
    const { findWallets } = await open()
    tell()
    page.dispatchEvent(
      Object.assign(new Event('eip6963:announceProvider'), {
        detail: { info: { ...rabbit, uuid: '2', name: 'Late' }, provider: provider() },
      }),
    )
    expect((await findWallets()).wallets.map(({ name }) => name)).toEqual(['Rabbit', 'Late'])
  })

  it('include window.ethereum if it has not announced itself', async () => {
    vi.stubGlobal('ethereum', provider())
    const { wallets } = await open()
    expect(wallets).toEqual([{ id: 'injected', name: 'Browser wallet' }])
  })

  it("exclude the product's own providers of any app", async () => {
    const own = Object.assign(provider(), { [Symbol.for('latchkey.provider')]: true })
    vi.stubGlobal('ethereum', own)
    announce({ info: { ...rabbit, uuid: '2' }, provider: own })
    announce({ info: rabbit, provider: provider() })
    expect((await open()).wallets.map(({ id }) => id)).toEqual(['1'])
  })

  it('do not include window.ethereum twice', async () => {
    const same = provider()
    vi.stubGlobal('ethereum', same)
    announce({ info: rabbit, provider: same })
    expect((await open()).wallets.map(({ id }) => id)).toEqual(['1'])
  })

  it.each([
    ['without a provider', { info: rabbit }],
    ['whose provider takes no requests', { info: rabbit, provider: {} }],
    ['without a name', { info: { ...rabbit, name: '' }, provider: provider() }],
    ['that is nothing', undefined],
  ])('exclude one %s', async (_name, detail) => {
    announce(detail)
    announce({ info: { ...rabbit, uuid: '2' }, provider: provider() })
    expect((await open()).wallets.map(({ id }) => id)).toEqual(['2'])
  })

  it.each(['https://evil.example/track.png', `data:image/png;base64,${'A'.repeat(6_000)}`, 7])(
    'have no icon that is an address elsewhere, too big, or none',
    async (bad) => {
      announce({ info: { ...rabbit, icon: bad }, provider: provider() })
      expect((await open()).wallets).toEqual([{ id: '1', name: 'Rabbit', rdns: 'example.rabbit' }])
    },
  )
})

test('the page lists its wallets and answers its own other requests', async () => {
  announce({ info: rabbit, provider: provider() })
  const { askWallet } = await open()
  const asked = { wallet: 'page', method: 'latchkey_findWallets', params: [] }
  expect(await askWallet(asked)).toEqual({
    result: { wallets: [{ id: '1', name: 'Rabbit', rdns: 'example.rabbit', icon }] },
  })
  await expect(askWallet({ ...asked, method: 'latchkey_more' })).rejects.toMatchObject({
    code: 'method_not_found',
  })
})

describe('a request to a wallet of the page', () => {
  const asking = async (answer: (asked: Asked) => unknown) => {
    announce({ info: rabbit, provider: provider(answer) })
    return open()
  }

  it('for accounts makes the wallet findable by each account', async () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const { askWallet, connectedWallet } = await asking(() => [address])
    expect(connectedWallet(address)).toBeUndefined()
    await askWallet({ wallet: '1', method: 'eth_requestAccounts', params: [] })
    expect(connectedWallet(address.toLowerCase())?.wallet).toEqual({
      id: '1',
      name: 'Rabbit',
      rdns: 'example.rabbit',
      icon,
    })
  })

  it.each([
    'eth_requestAccounts',
    'eth_accounts',
    'eth_chainId',
    'personal_sign',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
  ])('%s is allowed', async (method) => {
    const { askWallet } = await asking((asked) => asked)
    expect(await askWallet({ wallet: '1', method, params: ['0x1'] })).toEqual({
      result: { method, params: ['0x1'] },
    })
  })

  it.each(['eth_sendTransaction', 'eth_sign', 'eth_signTypedData_v4', 'constructor'])(
    '%s is not, and the wallet hears nothing',
    async (method) => {
      const answer = vi.fn()
      const { askWallet } = await asking(answer)
      await expect(askWallet({ wallet: '1', method, params: [] })).rejects.toMatchObject({
        code: 'method_not_found',
      })
      expect(answer).not.toHaveBeenCalled()
    },
  )

  const payment = { from: `0x${'a1'.repeat(20)}`, to: `0x${'b2'.repeat(20)}`, value: '0x1', chainId: '0x1' }
  it('for a plain payment is allowed', async () => {
    const { askWallet } = await asking((asked) => asked)
    const request = { method: 'eth_sendTransaction', params: [payment] }
    expect(await askWallet({ wallet: '1', ...request })).toEqual({ result: request })
  })

  it.each([
    ['calls a contract', [{ ...payment, data: '0xa9059cbb' }]],
    ['says what it costs', [{ ...payment, gasPrice: '0x1' }]],
    ['has no address', [{ ...payment, to: undefined }]],
    ['has no amount', [{ ...payment, value: '0x' }]],
    ['names no chain', [{ from: payment.from, to: payment.to, value: '0x1' }]],
    ['pays twice', [payment, payment]],
  ])('for a payment that %s is rejected without reaching the wallet', async (_what, params) => {
    const answer = vi.fn()
    const { askWallet } = await asking(answer)
    await expect(askWallet({ wallet: '1', method: 'eth_sendTransaction', params })).rejects.toMatchObject({
      code: 'method_not_found',
    })
    expect(answer).not.toHaveBeenCalled()
  })

  it('that the wallet rejects is answered with its error', async () => {
    const { askWallet } = await asking(({ method }) => {
      throw method === 'eth_accounts'
        ? { code: 4001, message: 'no' }
        : { code: -32002, message: 'Already open', data: { since: 7, self: () => {} } }
    })
    expect(await askWallet({ wallet: '1', method: 'eth_accounts', params: [] })).toEqual({
      refused: { code: 4001, message: 'no' },
    })
    expect(await askWallet({ wallet: '1', method: 'eth_chainId', params: [] })).toEqual({
      refused: { code: -32002, message: 'Already open', data: { since: 7 } },
    })
  })

  it.each([[undefined], [null], ['no'], [new Error('')], [{ code: '4001' }]])(
    'that fails with %j has no code',
    async (thrown) => {
      const { askWallet } = await asking(() => {
        throw thrown
      })
      expect(await askWallet({ wallet: '1', method: 'eth_accounts', params: [] })).toEqual({
        refused: { code: null, message: 'The wallet failed' },
      })
    },
  )

  it('is forwarded to the wallet with its params', async () => {
    const { askWallet } = await asking(({ params }) => params)
    expect(await askWallet({ wallet: '1', method: 'personal_sign', params: ['0x1', '0x2'] })).toEqual({
      result: ['0x1', '0x2'],
    })
  })

  it('is rejected with a code if it is invalid or for an unknown wallet', async () => {
    const { askWallet } = await asking(() => null)
    await expect(askWallet({ wallet: '9', method: 'eth_accounts', params: [] })).rejects.toMatchObject({
      code: 'generic_connect_wallet_error',
    })
    await expect(askWallet({ wallet: '1', method: 'eth_accounts' })).rejects.toMatchObject({
      code: 'invalid_data',
    })
  })
})
