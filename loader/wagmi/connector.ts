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
import { within } from '../frame/waiting.ts'
import { defaultIcon } from '../lazy/provider/icon.ts'
import { createLatchkey, providerOnPage } from '../start/index.ts'
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
      let told: ConnectedWallet | undefined
      /** The wallet that `isAuthorized()` found, which `reconnect()` then connects. */
      let found: ConnectedWallet | undefined
      let asking: Promise<ConnectedWallet> | undefined
      /** Counts logins and logouts, so that older responses are discarded. */
      let changes = 0
      let isListening = false

      /**
       * Returns the page's provider, which exists before its dialog. Test handles and older loaders need a call
       * instead.
       */
      async function getProvider() {
        return providerOnPage(latchkey.appId) ?? latchkey.getEthereumProvider()
      }
      async function ask(method: string, params?: unknown): Promise<unknown> {
        const provider = await getProvider()
        if (!isListening) {
          isListening = true
          provider.on('accountsChanged', onAccountsChanged)
          provider.on('chainChanged', onChainChanged)
        }
        return provider.request({ method, params })
      }
      const getAccounts = async () => addressesOf(await ask('eth_accounts'))
      const getChainId = async () => Number(await ask('eth_chainId'))

      /** Requests accounts and chain from the dialog. Concurrent callers share the response. */
      function askForWallet(): Promise<ConnectedWallet> {
        asking ??= (async () => ({ accounts: await getAccounts(), chainId: await getChainId() }))()
        const own = asking
        const end = () => {
          if (asking === own) asking = undefined
        }
        own.then(end, end)
        return own
      }
      /** Returns undefined if the dialog does not respond in time. */
      const askPromptly = () => within(connectorLimits.reconnectMs, askForWallet()).catch(() => undefined)

      function outdate() {
        changes += 1
        asking = undefined
        found = undefined
      }
      /** Updates wagmi. An unreachable dialog changes nothing and disconnects nothing. */
      function catchUp() {
        const asked = changes
        askForWallet().then(
          (wallet) => (asked === changes ? learn(wallet) : undefined),
          () => {},
        )
      }

      async function learn(wallet: ConnectedWallet) {
        if (wallet.accounts.length === 0) return onDisconnect()
        if (!told) {
          const asked = changes
          if ((await stored.read()) === 'disconnected' || asked !== changes) return
          emitter.emit('connect', wallet)
          // wagmi ignores this while it connects another wallet. The next update then starts over.
          if (emitter.listenerCount('change') === 0) return
        } else if (!isSame(told, wallet)) emitter.emit('change', wallet)
        told = wallet
        await stored.write(wallet)
      }

      async function onAccountsChanged(accounts: readonly string[]) {
        outdate()
        if (accounts.length === 0) onDisconnect()
        // If wagmi does not know the wallet yet, the chain must be requested too.
        else if (told) await learn({ ...told, accounts: addressesOf(accounts) })
        else catchUp()
      }
      function onChainChanged(chainId: string) {
        if (told) void learn({ ...told, chainId: Number(chainId) })
      }
      function onDisconnect() {
        outdate()
        if (told) emitter.emit('disconnect')
        told = undefined
        void stored.remove()
      }

      async function findWallet(isReconnecting: boolean): Promise<ConnectedWallet> {
        if (!isReconnecting) {
          return { accounts: addressesOf(await ask('eth_requestAccounts')), chainId: await getChainId() }
        }
        const wallet = found ?? (await askPromptly()) ?? (await stored.read())
        if (typeof wallet === 'object' && wallet.accounts.length > 0) return wallet
        throw new UnauthorizedProviderError(new Error('No user is logged in'))
      }

      async function switchChain({ chainId }: { chainId: number }) {
        const chain = chains.find(({ id }) => id === chainId)
        if (!chain) throw new SwitchChainError(new ChainNotConfiguredError())
        try {
          await ask('wallet_switchEthereumChain', [{ chainId: numberToHex(chainId) }])
        } catch (error) {
          throw isRefusal(error)
            ? new UserRejectedRequestError(asError(error))
            : new SwitchChainError(asError(error))
        }
        if (told) await learn({ ...told, chainId })
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
          latchkey.on('ready', catchUp)
          latchkey.on('user', () => {
            outdate()
            catchUp()
          })
          latchkey.on('login', () => {
            outdate()
            // A login reconnects, even after a disconnect.
            void stored.remove().then(catchUp)
          })
          latchkey.on('logout', onDisconnect)
          const { preload = 'idle' } = options
          if (preload === 'now') catchUp()
          if (preload === 'idle') whenIdle(catchUp)
        },

        async connect({ chainId, isReconnecting = false, withCapabilities } = {}) {
          try {
            const wallet = await findWallet(isReconnecting)
            const isWanted = chainId === undefined || chainId === wallet.chainId
            const moved = isWanted
              ? wallet
              : { ...wallet, chainId: await switchedTo(chainId, wallet.chainId) }
            outdate()
            told = moved
            await stored.write(moved)
            if (isReconnecting) catchUp()
            const { accounts } = moved
            const answer = withCapabilities
              ? accounts.map((address) => ({ address, capabilities: {} }))
              : accounts
            return { accounts: answer as never, chainId: moved.chainId }
          } catch (error) {
            throw isRefusal(error) ? new UserRejectedRequestError(asError(error)) : error
          }
        },
        async disconnect() {
          if (options.logOutOnDisconnect) await latchkey.logout()
          outdate()
          told = undefined
          await stored.write('disconnected')
        },
        getAccounts,
        getChainId,
        getProvider,

        /** Opens nothing. Returns false without asking the dialog if the wallet was never connected here. */
        async isAuthorized() {
          const known = await stored.read()
          if (!known || known === 'disconnected') return false
          found = (await askPromptly()) ?? known
          if (found.accounts.length > 0) return true
          onDisconnect()
          return false
        },

        switchChain,
        onAccountsChanged,
        onChainChanged,
        onDisconnect,
      }

      /** Switches the chain and returns it. Returns the current chain on failure, unless the user refused. */
      async function switchedTo(chainId: number, current: number): Promise<number> {
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

const addressesOf = (accounts: unknown) => (accounts as readonly string[]).map((each) => getAddress(each))

const isSame = (one: ConnectedWallet, other: ConnectedWallet) =>
  one.chainId === other.chainId && String(one.accounts) === String(other.accounts)

const isRefusal = (error: unknown) => Object(error).code === UserRejectedRequestError.code

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
