/**
 * Facts about a connector that wagmi 2 and 3 and their hooks rely on. The tests connect and reconnect through
 * wagmi itself. https://wagmi.sh/dev/creating-connectors
 */
import {
  becomes,
  type Fact,
  type Failure,
  fact,
  getFailure,
  holds,
  isSame,
  listCauses,
  pause,
  type WalletUser,
} from './facts.ts'

type Connector = {
  id: string
  name: string
  type: string
  icon?: string | undefined
  rdns?: string | readonly string[] | undefined
  connect(): Promise<unknown>
  getProvider(): Promise<unknown>
  isAuthorized(): Promise<boolean>
  getAccounts(): Promise<readonly string[]>
  getChainId(): Promise<number>
  switchChain?: ((to: { chainId: number }) => Promise<unknown>) | undefined
}
type Config = { connectors: readonly Connector[] }
type Account = {
  status: string
  address?: unknown
  chainId?: unknown
  isConnected?: unknown
}

/** The functions of `wagmi` and `wagmi/actions`, or of `@wagmi/core`. Both majors have them. */
export type WagmiLibrary = {
  createConfig: (options: never) => unknown
  createStorage: (options: never) => unknown
  http: (url?: string) => unknown
  connect: (config: never, options: never) => Promise<unknown>
  disconnect: (config: never) => Promise<unknown>
  reconnect: (config: never) => Promise<unknown>
  getAccount: (config: never) => unknown
  switchChain: (config: never, options: never) => Promise<unknown>
  signMessage: (config: never, options: never) => Promise<unknown>
  signTypedData: (config: never, options: never) => Promise<unknown>
}

export type ConnectorFixture = {
  wagmi: WagmiLibrary
  /** Creates the tested connector for the page that is current when it is called. */
  createConnector(): unknown
  user: WalletUser
  /**
   * Chains of viem. The wallet starts on the first, can switch to the second, and cannot switch to the third.
   */
  chains: readonly [Chain, Chain, Chain]
  url?: string
  /** Undefined for a wallet that does not sign typed data (EIP-712). */
  typedData?: object
  /** Blocks the responses of everything outside the page. Returns a function that unblocks them. */
  hold?: () => Promise<() => Promise<void>>
}
type Chain = { id: number }

/** How long a connector may delay later connectors on page load. */
const RECONNECT_MS = 1_500
const AT_ONCE_MS = 250

export function connectorFacts({
  wagmi,
  createConnector,
  user,
  chains,
  url,
  typedData,
  hold,
}: ConnectorFixture): readonly Fact[] {
  const [first, second, third] = chains
  const typed = typedData ?? {
    domain: { name: 'Field notes', version: '1', chainId: first.id },
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'Two herons' },
  }

  /** Loads a page with `items` in its storage. */
  function openPage(items = new Map<string, string>(), others: readonly unknown[] = []) {
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    }
    const config = wagmi.createConfig({
      chains,
      connectors: [createConnector(), ...others],
      transports: Object.fromEntries(chains.map(({ id }) => [id, wagmi.http(url)])),
      storage: wagmi.createStorage({ storage } as never),
      multiInjectedProviderDiscovery: false,
    } as never) as never
    const [connector] = (config as Config).connectors
    holds(connector !== undefined, 'the connector exists')
    const account = (): Account => wagmi.getAccount(config) as Account
    return {
      config,
      connector,
      items,
      account,
      status: () => account().status,
      connect: (more: object = {}) =>
        wagmi.connect(config, { connector, ...more } as never) as Promise<{
          accounts: readonly string[]
          chainId: number
        }>,
      reconnect: () => wagmi.reconnect(config),
      disconnect: () => wagmi.disconnect(config),
    }
  }
  async function connected() {
    const page = openPage()
    const { accounts } = await user.approve(page.connect())
    return { ...page, address: accounts[0] }
  }
  /** Creates a second connector, which wagmi checks after the tested one on page load. */
  const createNextConnector = (onCheck: () => void) => () => ({
    id: 'beside',
    name: 'Beside',
    type: 'beside',
    connect: () => Promise.reject(new Error('It has no wallet')),
    async disconnect() {},
    getAccounts: async () => [],
    getChainId: async () => first.id,
    getProvider: async () => ({}),
    async isAuthorized() {
      onCheck()
      return false
    },
    onAccountsChanged() {},
    onChainChanged() {},
    onDisconnect() {},
  })
  const refusals = (failure: Failure) => listCauses(failure).filter(({ code }) => code === 4001)

  return [
    fact(
      'the connector has an id, a name and a type, and its icon is a data URL or an https URL',
      async () => {
        const { connector } = openPage()
        for (const name of ['id', 'name', 'type'] as const)
          holds(connector[name].length > 0, `it has its ${name}`)
        holds(
          /^(?:data:image\/|https:)/.test(connector.icon ?? 'https:'),
          'its icon is an image',
          connector.icon,
        )
      },
    ),
    fact('connect returns the checksummed account and the chain', async () => {
      const page = openPage()
      const { accounts, chainId } = await user.approve(page.connect())
      holds(
        /^0x(?=.*[A-F])[0-9a-fA-F]{40}$|^0x\d{40}$/.test(String(accounts[0])),
        'it has a checksum',
        accounts,
      )
      const { status, address, chainId: current } = page.account()
      isSame([status, address, current], ['connected', accounts[0], chainId], 'the account')
    }),
    fact('connect returns accounts with their capabilities if requested', async () => {
      const page = openPage()
      const { accounts } = await user.approve(page.connect({ withCapabilities: true }))
      holds(
        'address' in Object(accounts[0]) && 'capabilities' in Object(accounts[0]),
        'the accounts have capabilities',
        accounts,
      )
    }),
    fact('connect switches the wallet to the requested chain', async () => {
      const page = openPage()
      isSame((await user.approve(page.connect({ chainId: second.id }))).chainId, second.id, 'the chain')
      isSame(page.account().chainId, second.id, 'the chain of the account')
    }),
    fact('connect succeeds on the current chain if the wallet cannot switch', async () => {
      const page = openPage()
      const { chainId } = await user.approve(page.connect({ chainId: third.id }))
      holds(chainId !== third.id, 'the chain is the current one', chainId)
      isSame(page.status(), 'connected', 'the status')
    }),
    fact('concurrent connects return the same result', async () => {
      const { connector } = openPage()
      const [one, other] = await user.approve(Promise.all([connector.connect(), connector.connect()]))
      isSame(one, other, 'the second result')
    }),
    fact('connect rejects with UserRejectedRequestError if the user closes it', async () => {
      const page = openPage()
      const failure = await getFailure(user.refuse(page.connect()), 'connect')
      isSame([failure.name, failure.code], ['UserRejectedRequestError', 4001], 'the error')
      isSame(page.status(), 'disconnected', 'the status')
    }),
    fact('getProvider returns the same object immediately, without a prompt', async () => {
      const promptsBefore = await user.timesAsked()
      const { connector } = openPage()
      const startMs = Date.now()
      const [one, other] = [await connector.getProvider(), await connector.getProvider()]
      holds(Date.now() - startMs < AT_ONCE_MS, 'it returns immediately', Date.now() - startMs)
      holds(one === other && typeof Object(one).request === 'function', 'it is one provider', one)
      isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
    }),
    fact('isAuthorized returns false before the first connect, without a prompt', async () => {
      const promptsBefore = await user.timesAsked()
      isSame(await openPage().connector.isAuthorized(), false, 'isAuthorized')
      isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
    }),
    fact('reconnect restores the connection after a reload, without a prompt', async () => {
      const { items, address } = await connected()
      const promptsBefore = await user.timesAsked()
      const next = openPage(items)
      await next.reconnect()
      isSame([next.status(), next.account().address], ['connected', address], 'the account')
      isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
    }),
    fact('reconnect does not restore the connection if the user has logged out', async () => {
      const { items } = await connected()
      await user.logOut()
      const promptsBefore = await user.timesAsked()
      const next = openPage(items)
      await next.reconnect()
      await becomes(next.status, 'disconnected', 'the status')
      isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
    }),
    fact('reconnect reaches later connectors soon, even after a connection', async () => {
      const { items } = await connected()
      const startMs = Date.now()
      let askedMs = Number.POSITIVE_INFINITY
      const next = openPage(items, [
        createNextConnector(() => {
          askedMs = Date.now() - startMs
        }),
      ])
      await next.reconnect()
      holds(askedMs < RECONNECT_MS, `they wait no longer than ${RECONNECT_MS} ms`, askedMs)
    }),
    ...(hold
      ? [
          fact('reconnect reaches later connectors soon, even if the wallet does not respond', async () => {
            const { items } = await connected()
            const release = await hold()
            const startMs = Date.now()
            let askedMs = Number.POSITIVE_INFINITY
            const next = openPage(items, [
              createNextConnector(() => {
                askedMs = Date.now() - startMs
              }),
            ])
            const reconnecting = next.reconnect()
            await pause(RECONNECT_MS)
            await release()
            await reconnecting
            holds(askedMs < RECONNECT_MS, `they wait no longer than ${RECONNECT_MS} ms`, askedMs)
          }),
        ]
      : []),
    fact('disconnect takes effect immediately and survives a reload', async () => {
      const { items, ...page } = await connected()
      await page.disconnect()
      isSame([page.status(), page.account().isConnected], ['disconnected', false], 'the account')
      const next = openPage(items)
      await next.reconnect()
      isSame(next.status(), 'disconnected', 'the status after a reload')
    }),
    fact('connect works again after disconnect', async () => {
      const { address, ...page } = await connected()
      await page.disconnect()
      await user.approve(page.connect())
      isSame([page.status(), page.account().address], ['connected', address], 'the account')
    }),
    fact('a logout in another tab disconnects the connector', async () => {
      const page = await connected()
      await user.logOut()
      await becomes(page.status, 'disconnected', 'the status')
    }),
    fact('switchChain switches the wallet and the account to a supported chain', async () => {
      const page = await connected()
      await user.approve(wagmi.switchChain(page.config, { chainId: second.id } as never))
      await becomes(() => page.account().chainId, second.id, 'the chain of the account')
      isSame(await page.connector.getChainId(), second.id, 'getChainId')
    }),
    fact('switchChain rejects a chain that the wallet lacks, but not as a user rejection', async () => {
      const page = await connected()
      const previousChainId = page.account().chainId
      const switching = wagmi.switchChain(page.config, { chainId: third.id } as never)
      const failure = await getFailure(switching, 'the switch')
      isSame([failure.name, refusals(failure).length], ['SwitchChainError', 0], 'the error')
      isSame(page.account().chainId, previousChainId, 'the chain of the account')
    }),
    fact(
      'switchChain rejects with ChainNotConfiguredError for a chain that the page has not configured',
      async () => {
        const page = await connected()
        const switching = page.connector.switchChain?.({ chainId: 0x7fff_ffff })
        const failure = await getFailure(switching ?? Promise.resolve('nothing'), 'the switch')
        isSame(
          listCauses(failure)
            .map(({ name }) => name)
            .slice(0, 2),
          ['SwitchChainError', 'ChainNotConfiguredError'],
          'the errors',
        )
      },
    ),
    fact('the actions of wagmi sign messages and typed data', async () => {
      const page = await connected()
      for (const signed of [
        await user.approve(wagmi.signMessage(page.config, { message: 'Two herons' } as never)),
        await user.approve(wagmi.signTypedData(page.config, typed as never)),
      ])
        holds(/^0x[0-9a-f]{130}$/i.test(String(signed)), 'a signature has 65 bytes', signed)
    }),
    fact('signMessage rejects with UserRejectedRequestError if the user refuses', async () => {
      const page = await connected()
      const signing = wagmi.signMessage(page.config, { message: 'Two herons' } as never)
      const failure = await getFailure(user.refuse(signing), 'the signature')
      holds(refusals(failure).length > 0, 'its code is 4001', failure)
    }),
  ]
}
