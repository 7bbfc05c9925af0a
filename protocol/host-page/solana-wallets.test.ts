/** Solana wallets of the page, as the dialog finds and asks them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  findSolanaWalletsMethod,
  hostPageId,
  solanaConnectMethod,
  solanaSignInMethod,
} from '../host/ask-page.ts'
import { providerMark } from '../names/product.ts'

/** Loads a fresh page for each test, because the module stores registrations. */
let page: EventTarget
beforeEach(() => {
  vi.resetModules()
  page = new EventTarget()
  for (const name of ['addEventListener', 'dispatchEvent'] as const) {
    vi.stubGlobal(name, page[name].bind(page))
  }
})
afterEach(() => vi.unstubAllGlobals())

const address = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
const account = { address }
const icon = 'data:image/svg+xml,<svg/>'
const signature = new Uint8Array(64).fill(7)
const encode = (text: string) => new TextEncoder().encode(text)

const connect = { 'standard:connect': { connect: async () => ({ accounts: [account] }) } }
const signMessage = {
  'solana:signMessage': {
    signMessage: async ({ message }: { message: Uint8Array }) => [{ signedMessage: message, signature }],
  },
}
const wallet = (change: object = {}) => ({
  name: 'Ray',
  icon,
  chains: ['solana:mainnet'],
  accounts: [account],
  features: { ...connect, ...signMessage },
  ...change,
})

/** Registers like an extension: at once, and for pages that ask later. */
function register(...wallets: readonly object[]) {
  const tell = (api: { register: (...all: readonly object[]) => void }) => api.register(...wallets)
  page.addEventListener('wallet-standard:app-ready', (event) => tell(Reflect.get(event, 'detail')))
  page.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: tell }))
}

async function open() {
  const { askWallet } = await import('./host-wallets.ts')
  const find = async () =>
    Object(await askWallet({ wallet: hostPageId, method: findSolanaWalletsMethod, params: [] })).result
      .wallets
  const fields = { domain: 'app.example', nonce: 'n'.repeat(32) }
  return {
    find,
    connect: (id: string) => askWallet({ wallet: id, method: solanaConnectMethod, params: [] }),
    signIn: (id: string, text = 'the text') =>
      askWallet({ wallet: id, method: solanaSignInMethod, params: [{ address, text, fields }] }),
    ask: askWallet,
  }
}

describe('the Solana wallets of a page', () => {
  it('include those that registered before and after', async () => {
    register(wallet())
    const { find } = await open()
    expect(await find()).toEqual([{ id: 'solana:1', name: 'Ray', icon }])
    register(wallet({ name: 'Late', icon: 'https://late.example/icon.png' }))
    expect(await find()).toEqual([
      { id: 'solana:1', name: 'Ray', icon },
      { id: 'solana:2', name: 'Late' },
    ])
  })

  it.each([
    ['of another chain', { chains: ['sui:mainnet'] }],
    ['without a name', { name: '' }],
    ['that cannot connect', { features: signMessage }],
    ['that cannot sign', { features: connect }],
    ['of the product itself', { [Symbol.for(providerMark)]: true }],
  ])('exclude a wallet %s', async (_which, change) => {
    register(wallet(change))
    expect(await (await open()).find()).toEqual([])
  })

  it('ignore registrations that are no functions', async () => {
    const { find } = await open()
    await find()
    page.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: 'no' }))
    expect(await find()).toEqual([])
  })
})

describe('a Solana wallet', () => {
  it('connects, and signs the text of the login', async () => {
    register(wallet())
    const { find, connect, signIn } = await open()
    await find()
    expect(await connect('solana:1')).toEqual({ result: [address] })
    expect(await signIn('solana:1')).toEqual({
      result: { message: 'the text', signature: `0x${'07'.repeat(64)}` },
    })
  })

  it('signs in by its own text, if it can', async () => {
    const inputs: object[] = []
    const signIn = async (input: object) => {
      inputs.push(input)
      return [{ account, signedMessage: encode('its own text'), signature }]
    }
    register(wallet({ features: { ...connect, ...signMessage, 'solana:signIn': { signIn } } }))
    const opened = await open()
    await opened.find()
    expect(await opened.signIn('solana:1')).toMatchObject({ result: { message: 'its own text' } })
    expect(inputs).toEqual([{ address, domain: 'app.example', nonce: 'n'.repeat(32) }])
  })

  it('is refused if it signs in with another account, or is not connected', async () => {
    const other = { account: { address: 'other' }, signedMessage: encode('text'), signature }
    const features = { ...connect, 'solana:signIn': { signIn: async () => [other] } }
    register(wallet({ features }), wallet({ accounts: [] }))
    const { find, signIn } = await open()
    await find()
    expect(await signIn('solana:1')).toMatchObject({ refused: { code: null } })
    expect(await signIn('solana:2')).toMatchObject({ refused: { code: null } })
  })

  it.each([
    [new Error('User rejected the request.'), 4001],
    [{ code: -32_002, message: 'Already pending' }, -32_002],
    [new Error('It broke'), null],
  ])('reports %j with a code that the dialog knows', async (error, code) => {
    const features = { ...signMessage, 'standard:connect': { connect: () => Promise.reject(error) } }
    register(wallet({ features }))
    const { find, connect } = await open()
    await find()
    expect(await connect('solana:1')).toMatchObject({ refused: { code } })
  })

  it('answers no other method, and no request before it was listed', async () => {
    register(wallet())
    const { find, ask, connect } = await open()
    await expect(connect('solana:1')).rejects.toMatchObject({ code: 'generic_connect_wallet_error' })
    await find()
    await expect(ask({ wallet: 'solana:1', method: 'personal_sign', params: [] })).rejects.toMatchObject({
      code: 'generic_connect_wallet_error',
    })
    await expect(
      ask({ wallet: 'solana:1', method: 'solana:signTransaction', params: [] }),
    ).rejects.toMatchObject({
      code: 'method_not_found',
    })
  })
})
