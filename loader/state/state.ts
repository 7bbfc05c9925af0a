/**
 * The state of a page's user as one immutable snapshot, for libraries such as React. A snapshot stays the same
 * object until something changes.
 */
import type { Latchkey } from '../calls/latchkey.ts'
import { whenIdle } from '../client/when-idle.ts'
import type { Preload, WalletConnection } from '../types/options.ts'
import type { LatchkeyError, User } from '../types/published.ts'
import { createWallets, type EthereumWallet, type SolanaWallet } from './wallet-list.ts'

/** Delays of retries while the dialog is unreachable. Each delay is four times the last. */
const stateLimits = { firstRetryMs: 2_000, lastRetryMs: 60_000 } as const

export type { EthereumWallet, SentTransaction, SolanaWallet, WalletKind } from './wallet-list.ts'

export type LatchkeyState = {
  /**
   * `ready` once the user and their wallets are known. `unreachable` while the dialog cannot be reached; the
   * last known user is kept, because nothing was logged out.
   */
  status: 'loading' | 'ready' | 'unreachable'
  /** The error while the status is `unreachable`. */
  error: LatchkeyError | null
  user: User | null
  /** The embedded wallet, linked wallets of other apps, and wallets that the page has connected. */
  wallets: readonly EthereumWallet[]
  solanaWallets: readonly SolanaWallet[]
  /** Whether the dialog's card is visible, not counting the empty card before it. */
  isOpen: boolean
  /** The embedded wallet's chain, such as `eip155:1`; null if unknown. */
  chain: string | null
}

export type StateStore = {
  getSnapshot(): LatchkeyState
  /** The state for server rendering and hydration. */
  getServerSnapshot(): LatchkeyState
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

/** A store that outlives its handles and follows one at a time. */
export type AttachableStore = StateStore & {
  /** Follows the events of a handle. Returns a function that detaches it. */
  attach(latchkey: Latchkey, preload: Preload): () => void
}

const loading: LatchkeyState = Object.freeze({
  status: 'loading',
  error: null,
  user: null,
  wallets: Object.freeze([]),
  solanaWallets: Object.freeze([]),
  isOpen: false,
  chain: null,
})

const stores = new WeakMap<Latchkey, StateStore>()

/** Returns the state of a handle. The first subscription loads the dialog. */
export function stateOf(latchkey: Latchkey): StateStore {
  const existing = stores.get(latchkey)
  if (existing) return existing
  const { attach, subscribe, ...store } = createStore()
  let isAttached = false
  const own: StateStore = {
    ...store,
    subscribe(listener) {
      if (!isAttached) attach(latchkey, 'now')
      isAttached = true
      return subscribe(listener)
    },
  }
  stores.set(latchkey, own)
  return own
}

export function createStore(): AttachableStore {
  const listeners = new Set<() => void>()
  let state = loading
  let handle: Latchkey | undefined
  let connected: readonly WalletConnection[] = []
  const getWallets = createWallets(
    () => {
      if (!handle) throw new Error('This wallet is stale: the page has destroyed its client')
      return handle
    },
    () => state.user,
  )

  function set(change: Partial<LatchkeyState>) {
    const next = { ...state, ...change }
    const { user, chain } = next
    Object.assign(next, getWallets({ user, chain, connected }))
    if (isShallowlyEqual(next, state)) return
    state = Object.freeze(next)
    for (const listener of [...listeners]) listener()
  }

  function setUser(user: User | null) {
    const isSame = JSON.stringify(user) === JSON.stringify(state.user)
    const isOther = user?.id !== state.user?.id
    set({ status: 'ready', error: null, ...(!isSame && { user }), ...(isOther && { chain: null }) })
  }

  function attach(latchkey: Latchkey, preload: Preload): () => void {
    let isAttached = true
    let isLoading = false
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    /** The address for which the chain was requested. */
    let chainAddress: string | undefined
    handle = latchkey

    function load() {
      clearTimeout(timer)
      if (isLoading || !isAttached) return
      isLoading = true
      latchkey.getUser().then(
        (user) => {
          isLoading = false
          if (isAttached) receiveUser(user)
        },
        (error: LatchkeyError) => {
          isLoading = false
          if (isAttached) handleFailure(error)
        },
      )
    }
    function receiveUser(user: User | null) {
      failures = 0
      setUser(user)
      const [wallet] = state.wallets
      if (wallet?.kind !== 'embedded' || chainAddress === wallet.address) return
      chainAddress = wallet.address
      const { address } = wallet
      wallet
        .getEthereumProvider()
        .then((provider) => provider.request({ method: 'eth_chainId' }))
        .then((chainId) => {
          if (isAttached && state.wallets[0]?.address === address) set({ chain: chainName(Number(chainId)) })
        })
        .catch(() => {
          // Retried with the next user.
          chainAddress = undefined
        })
    }
    function handleFailure(error: LatchkeyError) {
      set({ status: 'unreachable', error })
      if (!transientErrors.includes(error.code)) return
      const delayMs = Math.min(stateLimits.lastRetryMs, stateLimits.firstRetryMs * 4 ** failures)
      failures += 1
      // Jitter, so that pages do not all retry at once.
      timer = setTimeout(load, delayMs * (0.5 + Math.random()))
      // In Node, a pending retry must not keep the process alive.
      Object(timer).unref?.()
    }
    const change = (next: readonly WalletConnection[]) => {
      connected = next
      set({})
    }

    const subscriptions = [
      latchkey.on('login', ({ user }) => receiveUser(user)),
      latchkey.on('user', ({ user }) => receiveUser(user)),
      latchkey.on('logout', () => receiveUser(null)),
      // A dialog that cannot reach its server sends `ready` too, so only the call's response counts.
      latchkey.on('ready', () => load()),
      latchkey.on('drawn', () => set({ isOpen: true })),
      latchkey.on('close', () => set({ isOpen: false })),
      latchkey.on('chainChanged', ({ chainId }) => set({ chain: chainName(chainId) })),
      latchkey.on('walletConnected', ({ wallet }) =>
        change([...connected.filter(({ address }) => address !== wallet.address), wallet]),
      ),
      latchkey.on('walletDisconnected', ({ wallet }) => change(connected.filter((each) => each !== wallet))),
      // The next dialog reports changes that happen in the meantime.
      latchkey.on('error', () => {
        set({ isOpen: false })
        load()
      }),
    ]
    const online = () => state.status === 'unreachable' && load()
    // Tests in Node have no window events.
    globalThis.addEventListener?.('online', online)
    if (preload === 'now') load()
    if (preload === 'idle') whenIdle(load)

    return () => {
      isAttached = false
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', online)
      for (const unsubscribe of subscriptions) unsubscribe()
      if (handle === latchkey) handle = undefined
      connected = []
      set({ isOpen: false })
    }
  }

  return {
    getSnapshot: () => state,
    getServerSnapshot: () => loading,
    subscribe(listener) {
      // Wrapped, so that the same listener can subscribe twice.
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
    attach,
  }
}

/** Codes of temporary failures, which are retried. */
const transientErrors: readonly string[] = [
  'server_unreachable',
  'frame_unresponsive',
  'frame_reloaded',
  'client_request_timeout',
  'call_timeout',
]

const chainName = (chainId: number) => `eip155:${chainId}`

const isShallowlyEqual = (one: LatchkeyState, other: LatchkeyState) =>
  (Object.keys(one) as (keyof LatchkeyState)[]).every((key) => one[key] === other[key])
