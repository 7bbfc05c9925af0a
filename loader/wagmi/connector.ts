/**
 * The wallet of an app as a connector of wagmi. Nothing here waits for the dialog but what asks it: a page whose dialog
 * is slow or cannot be reached finds its other wallets as quickly as without it.
 * https://wagmi.sh/dev/creating-connectors
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

/** `reconnect()` of wagmi asks its connectors one after the other: each waits for the dialog no longer than this. */
const connectorLimits = { reconnectMs: 1_000 } as const

export type LatchkeyConnectorOptions = (
  | LatchkeyOptions
  | {
      /** A handle of the page, or of a test, in the place of one of its own. */
      latchkey: Latchkey
      preload?: Preload
    }
) & {
  /** What lists of wallets call it: `Latchkey` when left out. */
  name?: string
  /** An address of an image, which may be a `data:` one. */
  icon?: string
  /** Whether `disconnect()` of wagmi also logs the user out. They stay logged in when it is left out. */
  logOutOnDisconnect?: boolean
}

export type LatchkeyConnector = CreateConnectorFn<EthereumProvider, Record<never, never>, StoredItems>

export const connectorId = productKey

latchkeyConnector.type = connectorId
/** The connector for the `connectors` of wagmi's `createConfig()`. It throws as `createLatchkey()` does. */
export function latchkeyConnector(options: LatchkeyConnectorOptions): LatchkeyConnector {
  return createConnector<EthereumProvider, Record<never, never>, StoredItems>(
    ({ chains, emitter, storage }) => {
      const latchkey =
        'latchkey' in options ? options.latchkey : createLatchkey({ ...options, preload: 'never' })
      const stored = createStoredWallet(latchkey.appId, storage)
      /** What wagmi was told; undefined while it is not connected. */
      let told: ConnectedWallet | undefined
      /** What `reconnect()` goes on with after it was told that there is a wallet. */
      let found: ConnectedWallet | undefined
      let asking: Promise<ConnectedWallet> | undefined
      /** What was asked before somebody logged in or out is not learnt any more. */
      let changes = 0
      let isListening = false

      /** The one of the page is there before its dialog. A test's handle, and one of an older loader, have to be asked. */
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

      /** Asks the dialog. Whoever asks meanwhile waits for the same answer. */
      function askForWallet(): Promise<ConnectedWallet> {
        asking ??= (async () => ({ accounts: await getAccounts(), chainId: await getChainId() }))()
        const own = asking
        const end = () => {
          if (asking === own) asking = undefined
        }
        own.then(end, end)
        return own
      }
      /** Undefined where the dialog does not answer in time, or at all. */
      const askPromptly = () => within(connectorLimits.reconnectMs, askForWallet()).catch(() => undefined)

      function outdate() {
        changes += 1
        asking = undefined
        found = undefined
      }
      /** A dialog that can not be reached says nothing, and nobody is disconnected by that. */
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
          // While wagmi connects another wallet it takes no notice. What is told next then begins anew.
          if (emitter.listenerCount('change') === 0) return
        } else if (!isSame(told, wallet)) emitter.emit('change', wallet)
        told = wallet
        await stored.write(wallet)
      }

      async function onAccountsChanged(accounts: readonly string[]) {
        outdate()
        if (accounts.length === 0) onDisconnect()
        // Of a wallet that wagmi does not know yet the chain is asked for as well.
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
        throw new UnauthorizedProviderError(new Error('Nobody is logged in'))
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
        // The same wallet announces itself (EIP-6963): wagmi then lists it once.
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
            // Whoever logs in wants to be connected, also after they had disconnected.
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

        /** Opens nothing. Of a wallet that was never connected here the dialog is not asked. */
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

      /** A wallet that stays where it is is connected all the same, but for a user who refused. */
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
