import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type CreateConnectorFn,
  createConfig as createConfig3,
  createConnector,
  createStorage as createStorage3,
  http,
} from 'wagmi'
import * as core3 from 'wagmi/actions'
import { mainnet, optimism, polygon } from 'wagmi/chains'
import * as core2 from 'wagmi-core-2'
import { accountOne, accountTwo, type WalletDialog, walletDialog } from '../testing/wallet-dialog.ts'
import { type LatchkeyConnectorOptions, latchkeyConnector, latchkeyWallet } from './wagmi.ts'

/** The tested functions are the same in both versions, but their types differ by name. */
type Library = typeof core3 & {
  createConfig: typeof createConfig3
  createStorage: typeof createStorage3
}
const three: Library = { ...core3, createConfig: createConfig3, createStorage: createStorage3 }
const two = core2 as unknown as Library

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { prerendering: false, readyState: 'complete' }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const itemsIn = (storage: Map<string, string>) => ({
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
  removeItem: (key: string) => void storage.delete(key),
})
const failFor =
  <Args extends readonly string[], T>(words: string, run: (...args: Args) => T) =>
  (...args: Args): T => {
    if (args[0]?.includes(words)) throw new Error('The page may not use its storage')
    return run(...args)
  }
const settle = () => vi.advanceTimersByTimeAsync(0)

describe.each([
  ['wagmi 3', three],
  ['wagmi 2', two],
])('the connector with %s', (_, library) => {
  let dialog: WalletDialog
  let storage: Map<string, string>
  beforeEach(() => {
    dialog = walletDialog({ chains: [1, 10] })
    dialog.putOnPage()
    storage = new Map()
  })

  /** A page of the host after a load. Its storage and the dialog's session persist between loads. */
  function openPage(
    options: Partial<LatchkeyConnectorOptions> = {},
    others: readonly CreateConnectorFn[] = [],
  ) {
    const config = library.createConfig({
      chains: [mainnet, optimism, polygon],
      connectors: [
        latchkeyConnector({ latchkey: dialog.makeHandle(), preload: 'never', ...options }),
        ...others,
      ],
      transports: { 1: http(), 10: http(), 137: http() },
      storage: library.createStorage({ storage: itemsIn(storage) }),
      multiInjectedProviderDiscovery: false,
    })
    const [connector] = config.connectors
    if (!connector) throw new Error('There is no connector')
    return { config, connector }
  }
  const accountOf = (config: ReturnType<typeof openPage>['config']) => {
    const { status, address, chainId } = library.getAccount(config)
    return { status, address, chainId }
  }
  async function connected(options?: Parameters<typeof openPage>[0]) {
    const page = openPage(options)
    await library.connect(page.config, { connector: page.connector })
    return page
  }
  const nobody = { status: 'disconnected', address: undefined, chainId: undefined }
  const one = { status: 'connected', address: accountOne, chainId: 1 }

  it("connects with a login, and returns the account and its wallet's chain", async () => {
    const { config, connector } = openPage()
    expect(await library.connect(config, { connector })).toEqual({ accounts: [accountOne], chainId: 1 })
    expect(accountOf(config)).toEqual(one)
    expect(dialog.state.asked).toBe(1)
  })

  it('returns accounts with their capabilities if requested', async () => {
    const { config, connector } = openPage()
    const { accounts } = await library.connect(config, { connector, withCapabilities: true })
    expect(accounts).toEqual([{ address: accountOne, capabilities: {} }])
  })

  it('returns the provider before the dialog loads, without a request', async () => {
    const { connector } = openPage()
    expect(await connector.getProvider()).toBe(dialog.client.provider)
    expect(dialog.asked).toEqual([])
  })

  it('switches the wallet to the chain that the page requests', async () => {
    const { config, connector } = openPage()
    expect(await library.connect(config, { connector, chainId: 10 })).toMatchObject({ chainId: 10 })
    expect(dialog.state.chainId).toBe(10)
    expect(accountOf(config).chainId).toBe(10)
  })

  it("connects on the wallet's chain if the app lacks the requested one", async () => {
    const { config, connector } = openPage()
    expect(await library.connect(config, { connector, chainId: 137 })).toMatchObject({ chainId: 1 })
  })

  it('maps a closed login to a user rejection', async () => {
    const { config, connector } = openPage()
    dialog.state.decision = 'refuse'
    await expect(library.connect(config, { connector })).rejects.toMatchObject({
      name: 'UserRejectedRequestError',
      code: 4001,
    })
    expect(accountOf(config)).toEqual(nobody)
  })

  it('stays connected after a reload', async () => {
    await connected()
    const { config } = openPage()
    await library.reconnect(config)
    expect(accountOf(config)).toEqual(one)
  })

  it('is not authorized on a page that never connected it, without a prompt', async () => {
    dialog.state.account = accountOne
    const { connector } = openPage()
    expect(await connector.isAuthorized()).toBe(false)
    expect(dialog.asked).toEqual([])
  })

  it('is not reconnected if its user has logged out meanwhile', async () => {
    await connected()
    dialog.state.account = undefined
    const { config } = openPage()
    await library.reconnect(config)
    expect(accountOf(config)).toEqual(nobody)
    expect(storage.get(`wagmi.latchkey.${dialog.appId}.wallet`)).toBeUndefined()
  })

  it('never covers the page to find the logged-in user', async () => {
    await connected()
    const { asked } = dialog.state
    const { config, connector } = openPage({ preload: 'now' })
    await connector.isAuthorized()
    await library.reconnect(config)
    dialog.logOut()
    await settle()
    expect(dialog.state.asked).toBe(asked)
  })

  it('delays later connectors by at most one second, whatever the state of its dialog', async () => {
    await connected()
    dialog.state.answers = new Promise(() => {})
    const asked: string[] = []
    const beside = createConnector(() => ({
      id: 'beside',
      name: 'Beside',
      type: 'beside',
      async connect() {
        return { accounts: [], chainId: 1 } as never
      },
      async disconnect() {},
      getAccounts: async () => [],
      getChainId: async () => 1,
      getProvider: async () => ({}),
      async isAuthorized() {
        asked.push('beside')
        return false
      },
      onAccountsChanged() {},
      onChainChanged() {},
      onDisconnect() {},
    }))
    const { config } = openPage({}, [beside])
    const reconnecting = library.reconnect(config)
    await vi.advanceTimersByTimeAsync(999)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toEqual(['beside'])
    await reconnecting
    expect(accountOf(config)).toEqual(one)
  })

  it('connects the stored wallet while the dialog is slow, and the current user once it has loaded', async () => {
    await connected()
    let come = () => {}
    dialog.state.answers = new Promise<void>((resolve) => {
      come = resolve
    })
    dialog.state.account = accountTwo
    const { config } = openPage()
    const reconnecting = library.reconnect(config)
    await vi.advanceTimersByTimeAsync(1_000)
    await reconnecting
    expect(accountOf(config)).toEqual(one)
    come()
    await settle()
    expect(accountOf(config)).toEqual({ ...one, address: accountTwo })
  })

  it('disconnects once a slow dialog reports that no user is logged in', async () => {
    await connected()
    let come = () => {}
    dialog.state.answers = new Promise<void>((resolve) => {
      come = resolve
    })
    dialog.state.account = undefined
    const { config } = openPage()
    const reconnecting = library.reconnect(config)
    await vi.advanceTimersByTimeAsync(1_000)
    await reconnecting
    expect(accountOf(config).status).toBe('connected')
    come()
    await settle()
    expect(accountOf(config)).toEqual(nobody)
  })

  it('stays connected if the dialog is unreachable', async () => {
    await connected()
    dialog.state.answers = Promise.reject(new Error('unreachable'))
    dialog.state.answers.catch(() => {})
    const { config } = openPage()
    await library.reconnect(config)
    expect(accountOf(config)).toEqual(one)
  })

  it.each(['{"accounts":["0x1"],"chainId":1}', '{"accounts":[],"chainId":1}', '{"accounts":"0x"}', '{', '7'])(
    'ignores an invalid wallet in its storage: %s',
    async (text) => {
      storage.set(`wagmi.latchkey.${dialog.appId}.wallet`, text)
      const { config } = openPage()
      await library.reconnect(config)
      expect(accountOf(config)).toEqual(nobody)
      expect(dialog.asked).toEqual([])
    },
  )

  it('stays disconnected after a reload if the page disconnected it, and its user stays logged in', async () => {
    const { config } = await connected()
    await library.disconnect(config)
    expect(accountOf(config)).toEqual(nobody)
    expect(dialog.state.account).toBe(accountOne)
    const next = openPage({ preload: 'now' })
    await library.reconnect(next.config)
    await settle()
    expect(accountOf(next.config)).toEqual(nobody)
  })

  it('logs out on disconnect if the page requests it', async () => {
    const { config } = await connected({ logOutOnDisconnect: true })
    await library.disconnect(config)
    expect(accountOf(config)).toEqual(nobody)
    expect(dialog.state.account).toBeUndefined()
  })

  it('connects again after a disconnect', async () => {
    const { config, connector } = await connected()
    await library.disconnect(config)
    await library.connect(config, { connector })
    expect(accountOf(config)).toEqual(one)
    const next = openPage()
    await library.reconnect(next.config)
    expect(accountOf(next.config)).toEqual(one)
  })

  it('disconnects on a logout in any tab', async () => {
    const { config } = await connected()
    dialog.logOut()
    await settle()
    expect(accountOf(config)).toEqual(nobody)
    const next = openPage()
    expect(await next.connector.isAuthorized()).toBe(false)
  })

  it('connects on a login that the page started without wagmi', async () => {
    const { config } = openPage({ preload: 'now' })
    await settle()
    expect(accountOf(config)).toEqual(nobody)
    dialog.logIn()
    await settle()
    expect(accountOf(config)).toEqual(one)
    const next = openPage()
    await library.reconnect(next.config)
    expect(accountOf(next.config)).toEqual(one)
  })

  it('follows its user to another account, and its wallet to another chain', async () => {
    const { config } = await connected()
    dialog.moveTo(10)
    await settle()
    expect(accountOf(config)).toEqual({ ...one, chainId: 10 })
    dialog.logIn(accountTwo)
    await settle()
    expect(accountOf(config)).toEqual({ ...one, address: accountTwo, chainId: 10 })
  })

  it('switches to a chain of the app', async () => {
    const { config } = await connected()
    expect(await library.switchChain(config, { chainId: 10 })).toMatchObject({ id: 10 })
    expect(accountOf(config).chainId).toBe(10)
    const next = openPage()
    await library.reconnect(next.config)
    expect(accountOf(next.config).chainId).toBe(10)
  })

  it('reports a chain that the app lacks, but not as a user rejection', async () => {
    const { config } = await connected()
    const error = await library.switchChain(config, { chainId: 137 }).catch((error) => error)
    expect(error).toMatchObject({ name: 'SwitchChainError' })
    expect(error.cause).toMatchObject({ code: 4901 })
    expect(accountOf(config).chainId).toBe(1)
  })

  it('rejects a chain that the page has not configured, without a prompt', async () => {
    const { connector } = await connected()
    const { length } = dialog.asked
    const error = await connector.switchChain?.({ chainId: 5 }).catch((error: unknown) => error)
    expect(error).toMatchObject({ name: 'SwitchChainError' })
    expect(Object(error).cause).toMatchObject({ name: 'ChainNotConfiguredError' })
    expect(dialog.asked).toHaveLength(length)
  })

  it('signs and sends, and reports a user rejection as viem does', async () => {
    const { config } = await connected()
    expect(await library.signMessage(config, { message: 'Two herons' })).toMatch(/^0x5a/)
    dialog.state.decision = 'refuse'
    await expect(library.signMessage(config, { message: 'Two herons' })).rejects.toMatchObject({
      name: 'UserRejectedRequestError',
    })
  })

  it('stores only its wallet, separately for each app', async () => {
    await connected()
    expect([...storage.keys()].sort()).toEqual([
      `wagmi.latchkey.${dialog.appId}.wallet`,
      'wagmi.recentConnectorId',
      'wagmi.store',
    ])
    expect(JSON.parse(storage.get(`wagmi.latchkey.${dialog.appId}.wallet`) ?? '')).toEqual({
      accounts: [accountOne],
      chainId: 1,
    })
  })

  it('works on a page without storage or with failing storage', async () => {
    for (const failing of [
      null,
      library.createStorage({
        storage: {
          // wagmi itself reads and writes its storage and does not handle failures.
          getItem: failFor('wallet', (key) => storage.get(key) ?? null),
          setItem: failFor('wallet', (key, value) => void storage.set(key, value)),
          removeItem: failFor('wallet', (key) => void storage.delete(key)),
        },
      }),
    ]) {
      const config = library.createConfig({
        chains: [mainnet],
        connectors: [latchkeyConnector({ latchkey: dialog.makeHandle(), preload: 'never' })],
        transports: { 1: http() },
        storage: failing,
        multiInjectedProviderDiscovery: false,
      })
      const [connector] = config.connectors
      if (!connector) throw new Error('There is no connector')
      await connector.connect()
      await connector.disconnect()
      expect(await connector.isAuthorized()).toBe(false)
    }
  })

  it('replaces its own EIP-6963 announcement in the wallet list', () => {
    expect(openPage().connector).toMatchObject({
      id: 'latchkey',
      type: 'latchkey',
      name: 'Latchkey',
      rdns: 'app.latchkey',
      icon: expect.stringMatching(/^data:image\/svg/),
    })
    expect(openPage({ name: 'Field notes', icon: 'https://app.example/icon.png' }).connector).toMatchObject({
      name: 'Field notes',
      icon: 'https://app.example/icon.png',
    })
  })

  it('works as a RainbowKit wallet, with the details that RainbowKit stores', async () => {
    const wallet = latchkeyWallet({ latchkey: dialog.makeHandle(), preload: 'never', name: 'Field notes' })()
    expect(wallet).toMatchObject({
      id: 'latchkey',
      name: 'Field notes',
      rdns: 'app.latchkey',
      installed: true,
      iconUrl: expect.stringMatching(/^data:image\/svg/),
      iconBackground: '#1f2937',
    })
    const rkDetails = { ...wallet, index: 1, groupIndex: 0, groupName: 'Popular' }
    const config = library.createConfig({
      chains: [mainnet],
      connectors: [wallet.createConnector({ rkDetails })],
      transports: { 1: http() },
      storage: null,
    })
    const [connector] = config.connectors
    expect(connector).toMatchObject({ id: 'latchkey', rkDetails })
    if (!connector) throw new Error('There is no connector')
    await library.connect(config, { connector })
    expect(accountOf(config as never)).toEqual(one)
  })
})

describe('the connector on a server', () => {
  beforeEach(() => vi.stubGlobal('document', undefined))

  it.each([three, two])('is created without side effects, and has no provider', async (library) => {
    const config = library.createConfig({
      chains: [mainnet],
      connectors: [
        latchkeyConnector({ appId: 'lkdemo0000000000000000001', dialogUrl: 'https://dialog.example' }),
      ],
      transports: { 1: http() },
      ssr: true,
    })
    const [connector] = config.connectors
    await expect(connector?.getProvider()).rejects.toMatchObject({ code: 'not_supported' })
    expect(await connector?.isAuthorized()).toBe(false)
  })
})

it('latchkeyConnector throws immediately for an invalid app id', () => {
  expect(() =>
    three.createConfig({
      chains: [mainnet],
      connectors: [latchkeyConnector({ appId: 'x', dialogUrl: 'https://dialog.example' })],
      transports: { 1: http() },
    }),
  ).toThrow(expect.objectContaining({ code: 'missing_or_invalid_latchkey_app_id' }))
})
