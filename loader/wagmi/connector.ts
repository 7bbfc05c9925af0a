/**
 * The app's wallet as a wagmi connector. Only actual requests wait for the dialog, so a slow or unreachable
 * dialog does not delay the page's other wallets. https://wagmi.sh/dev/creating-connectors
 */
import { productKey, productName, providerRdns } from '@latchkey/protocol'
import {
  getAddress,
  numberToHex,
  SwitchChainError,
  UnauthorizedProviderError,
  UserRejectedRequestError,
} from 'viem'
import { ChainNotConfiguredError, type CreateConnectorFn, createConnector } from 'wagmi'
import type { Latchkey } from '../calls/latchkey.ts'
import { whenIdle } from '../client/when-idle.ts'
import { withTimeout } from '../frame/waiting.ts'
import { defaultIcon } from '../lazy/provider/icon.ts'
import { createLatchkey, getPageProvider } from '../start/index.ts'
import type { EthereumProvider, LatchkeyOptions, Preload } from '../types/options.ts'
import { type ConnectedWallet, createStoredWallet, type StoredItems } from './stored-wallet.ts'

/** Bounds the wait for the dialog in `reconnect()`, because wagmi reconnects its connectors one by one. */
const connectorLimits = { reconnectMs: 1_000 } as const

export type LatchkeyConnectorOptions = (
  | LatchkeyOptions
  | {
      /** An existing handle to use instead of a new one, for example in tests. */
      latchkey: Latchkey
      preload?: Preload
    }
) & {
  /** The name in wallet lists. Defaults to `Latchkey`. */
  name?: string
  /** An image URL, which may be a `data:` URL. */
  icon?: string
  /** Whether wagmi's `disconnect()` also logs the user out. Defaults to false. */
  logOutOnDisconnect?: boolean
}

export type LatchkeyConnector = CreateConnectorFn<EthereumProvider, Record<never, never>, StoredItems>

export const connectorId = productKey

latchkeyConnector.type = connectorId
/** Creates the connector for `connectors` of wagmi's `createConfig()`. Throws like `createLatchkey()`. */
export function latchkeyConnector(options: LatchkeyConnectorOptions): LatchkeyConnector {
  return createConnector<EthereumProvider, Record<never, never>, StoredItems>(
    ({ chains, emitter, storage }) => {
      const latchkey =
        'latchkey' in options ? options.latchkey : createLatchkey({ ...options, preload: 'never' })
      const stored = createStoredWallet(latchkey.appId, storage)
      /** The wallet that wagmi knows; undefined while disconnected. */
      let connectedWallet: ConnectedWallet | undefined
      /** The wallet that `isAuthorized()` found, which `reconnect()` then connects. */
      let authorized: ConnectedWallet | undefined
      let pendingRequest: Promise<ConnectedWallet> | undefined
      /** Counts logins and logouts, so that older responses are discarded. */
      let changes = 0
      let isListening = false

      /**
       * Returns the page's provider, which exists before its dialog. Test handles and older loaders need a call
       * instead.
       */
      async function getProvider() {
        return getPageProvider(latchkey.appId) ?? latchkey.getEthereumProvider()
      }
      async function request(method: string, params?: unknown): Promise<unknown> {
        const provider = await getProvider()
        if (!isListening) {
          isListening = true
          provider.on('accountsChanged', onAccountsChanged)
          provider.on('chainChanged', onChainChanged)
        }
        return provider.request({ method, params })
      }
      const getAccounts = async () => toAddresses(await request('eth_accounts'))
      const getChainId = async () => Number(await request('eth_chainId'))

      /** Requests accounts and chain from the dialog. Concurrent callers share the response. */
      function requestWallet(): Promise<ConnectedWallet> {
        pendingRequest ??= (async () => ({ accounts: await getAccounts(), chainId: await getChainId() }))()
        const own = pendingRequest
        const end = () => {
          if (pendingRequest === own) pendingRequest = undefined
        }
        own.then(end, end)
        return own
      }
      /** Returns undefined if the dialog does not respond in time. */
      const requestWalletPromptly = () =>
        withTimeout(connectorLimits.reconnectMs, requestWallet()).catch(() => undefined)

      function invalidate() {
        changes += 1
        pendingRequest = undefined
        authorized = undefined
      }
      /** Updates wagmi. An unreachable dialog changes nothing and disconnects nothing. */
      function refresh() {
        const changesBefore = changes
        requestWallet().then(
          (wallet) => (changesBefore === changes ? update(wallet) : undefined),
          () => {},
        )
      }

      async function update(wallet: ConnectedWallet) {
        if (wallet.accounts.length === 0) return onDisconnect()
        if (!connectedWallet) {
          const changesBefore = changes
          if ((await stored.read()) === 'disconnected' || changesBefore !== changes) return
          emitter.emit('connect', wallet)
          // wagmi ignores this while it connects another wallet. The next update then starts over.
          if (emitter.listenerCount('change') === 0) return
        } else if (!isSame(connectedWallet, wallet)) emitter.emit('change', wallet)
        connectedWallet = wallet
        await stored.write(wallet)
      }

      async function onAccountsChanged(accounts: readonly string[]) {
        invalidate()
        if (accounts.length === 0) onDisconnect()
        // If wagmi does not know the wallet yet, the chain must be requested too.
        else if (connectedWallet) await update({ ...connectedWallet, accounts: toAddresses(accounts) })
        else refresh()
      }
      function onChainChanged(chainId: string) {
        if (connectedWallet) void update({ ...connectedWallet, chainId: Number(chainId) })
      }
      function onDisconnect() {
        invalidate()
        if (connectedWallet) emitter.emit('disconnect')
        connectedWallet = undefined
        void stored.remove()
      }

      async function findWallet(isReconnecting: boolean): Promise<ConnectedWallet> {
        if (!isReconnecting) {
          return { accounts: toAddresses(await request('eth_requestAccounts')), chainId: await getChainId() }
        }
        const wallet = authorized ?? (await requestWalletPromptly()) ?? (await stored.read())
        if (typeof wallet === 'object' && wallet.accounts.length > 0) return wallet
        throw new UnauthorizedProviderError(new Error('No user is logged in'))
      }

      async function switchChain({ chainId }: { chainId: number }) {
        const chain = chains.find(({ id }) => id === chainId)
        if (!chain) throw new SwitchChainError(new ChainNotConfiguredError())
        try {
          await request('wallet_switchEthereumChain', [{ chainId: numberToHex(chainId) }])
        } catch (error) {
          throw isRefusal(error)
            ? new UserRejectedRequestError(asError(error))
            : new SwitchChainError(asError(error))
        }
        if (connectedWallet) await update({ ...connectedWallet, chainId })
        return chain
      }

      return {
        id: connectorId,
        name: options.name ?? productName,
        type: latchkeyConnector.type,
        icon: options.icon ?? defaultIcon,
        // Matches the EIP-6963 announcement of the same wallet, so that wagmi lists it once.
        rdns: providerRdns,

        async setup() {
          if (typeof document === 'undefined') return
          latchkey.on('ready', refresh)
          latchkey.on('user', () => {
            invalidate()
            refresh()
          })
          latchkey.on('login', () => {
            invalidate()
            // A login reconnects, even after a disconnect.
            void stored.remove().then(refresh)
          })
          latchkey.on('logout', onDisconnect)
          const { preload = 'idle' } = options
          if (preload === 'now') refresh()
          if (preload === 'idle') whenIdle(refresh)
        },

        async connect({ chainId, isReconnecting = false, withCapabilities } = {}) {
          try {
            const wallet = await findWallet(isReconnecting)
            const isRequestedChain = chainId === undefined || chainId === wallet.chainId
            const connected = isRequestedChain
              ? wallet
              : { ...wallet, chainId: await trySwitchChain(chainId, wallet.chainId) }
            invalidate()
            connectedWallet = connected
            await stored.write(connected)
            if (isReconnecting) refresh()
            const { accounts } = connected
            const answer = withCapabilities
              ? accounts.map((address) => ({ address, capabilities: {} }))
              : accounts
            return { accounts: answer as never, chainId: connected.chainId }
          } catch (error) {
            throw isRefusal(error) ? new UserRejectedRequestError(asError(error)) : error
          }
        },
        async disconnect() {
          if (options.logOutOnDisconnect) await latchkey.logout()
          invalidate()
          connectedWallet = undefined
          await stored.write('disconnected')
        },
        getAccounts,
        getChainId,
        getProvider,

        /** Opens nothing. Returns false without a request to the dialog if the wallet was never connected here. */
        async isAuthorized() {
          const storedWallet = await stored.read()
          if (!storedWallet || storedWallet === 'disconnected') return false
          authorized = (await requestWalletPromptly()) ?? storedWallet
          if (authorized.accounts.length > 0) return true
          onDisconnect()
          return false
        },

        switchChain,
        onAccountsChanged,
        onChainChanged,
        onDisconnect,
      }

      /** Switches the chain and returns it. Returns the current chain on failure, unless the user refused. */
      async function trySwitchChain(chainId: number, current: number): Promise<number> {
        try {
          return (await switchChain({ chainId })).id
        } catch (error) {
          if (isRefusal(error)) throw error
          return current
        }
      }
    },
  )
}

const toAddresses = (accounts: unknown) => (accounts as readonly string[]).map((each) => getAddress(each))

const isSame = (one: ConnectedWallet, other: ConnectedWallet) =>
  one.chainId === other.chainId && String(one.accounts) === String(other.accounts)

const isRefusal = (error: unknown) => Object(error).code === UserRejectedRequestError.code

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
