/**
 * What a page knows of its user, as one snapshot that changes as a whole: for libraries that draw a state, as React
 * does. Snapshots are immutable, and the same object while nothing changed.
 */
import type { Latchkey } from '../calls/latchkey.ts'
import { whenIdle } from '../client/when-idle.ts'
import type { Preload, WalletConnection } from '../types/options.ts'
import type { LatchkeyError, User } from '../types/published.ts'
import { createWallets, type EthereumWallet, type SolanaWallet } from './wallet-list.ts'

/** How soon a page asks again that could not reach its dialog: sooner at first, and then four times as late each time. */
const stateLimits = { firstRetryMs: 2_000, lastRetryMs: 60_000 } as const

export type { EthereumWallet, SentTransaction, SolanaWallet, WalletKind } from './wallet-list.ts'

export type LatchkeyState = {
  /**
   * `ready` once it is known who is logged in, with all their wallets. `unreachable` while the dialog can not be asked:
   * nobody was logged out by that, and who was known stays.
   */
  status: 'loading' | 'ready' | 'unreachable'
  /** Why it is unreachable. */
  error: LatchkeyError | null
  user: User | null
  /** The embedded wallet, those of other apps, and those that the page has connected. */
  wallets: readonly EthereumWallet[]
  solanaWallets: readonly SolanaWallet[]
  /** Whether the dialog can be seen; the empty card before it is not meant. */
  isOpen: boolean
  /** The chain that the embedded wallet is on, as `eip155:1`; null while it is not known. */
  chain: string | null
}

export type StateStore = {
  getSnapshot(): LatchkeyState
  /** What a server draws, and a browser before it knows more. */
  getServerSnapshot(): LatchkeyState
  /** Returns a function that ends it. */
  subscribe(listener: () => void): () => void
}

/** A store that outlives its handles, one after the other. */
export type AttachableStore = StateStore & {
  /** Follows what happens at a handle. Returns a function that stops that. */
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

/** The state of a handle; the first who subscribes has the dialog loaded. */
export function stateOf(latchkey: Latchkey): StateStore {
  const present = stores.get(latchkey)
  if (present) return present
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
  const walletsOf = createWallets(
    () => {
      if (!handle) throw new Error('The page has let go of its wallets')
      return handle
    },
    () => state.user,
  )

  function set(change: Partial<LatchkeyState>) {
    const next = { ...state, ...change }
    const { user, chain } = next
    Object.assign(next, walletsOf({ user, chain, connected }))
    if (isShallowlyEqual(next, state)) return
    state = Object.freeze(next)
    for (const listener of [...listeners]) listener()
  }

  function know(user: User | null) {
    const isSame = JSON.stringify(user) === JSON.stringify(state.user)
    const isOther = user?.id !== state.user?.id
    set({ status: 'ready', error: null, ...(!isSame && { user }), ...(isOther && { chain: null }) })
  }

  function attach(latchkey: Latchkey, preload: Preload): () => void {
    let isAttached = true
    let isAsking = false
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    /** Whose chain was asked for. */
    let chainOf: string | undefined
    handle = latchkey

    function ask() {
      clearTimeout(timer)
      if (isAsking || !isAttached) return
      isAsking = true
      latchkey.getUser().then(
        (user) => {
          isAsking = false
          if (isAttached) learn(user)
        },
        (error: LatchkeyError) => {
          isAsking = false
          if (isAttached) fail(error)
        },
      )
    }
    function learn(user: User | null) {
      failures = 0
      know(user)
      const [wallet] = state.wallets
      if (wallet?.kind !== 'embedded' || chainOf === wallet.address) return
      chainOf = wallet.address
      const { address } = wallet
      wallet
        .getEthereumProvider()
        .then((provider) => provider.request({ method: 'eth_chainId' }))
        .then((chainId) => {
          if (isAttached && state.wallets[0]?.address === address) set({ chain: chainName(Number(chainId)) })
        })
        .catch(() => {
          // It is asked for again with whatever is told next.
          chainOf = undefined
        })
    }
    function fail(error: LatchkeyError) {
      set({ status: 'unreachable', error })
      if (!passing.includes(error.code)) return
      const delayMs = Math.min(stateLimits.lastRetryMs, stateLimits.firstRetryMs * 4 ** failures)
      failures += 1
      // Pages that lost the server together do not all come back at once.
      timer = setTimeout(ask, delayMs * (0.5 + Math.random()))
      // In Node, where a test may follow a state, a try that is due keeps no process alive.
      Object(timer).unref?.()
    }
    const change = (next: readonly WalletConnection[]) => {
      connected = next
      set({})
    }

    const ending = [
      latchkey.on('login', ({ user }) => learn(user)),
      latchkey.on('user', ({ user }) => learn(user)),
      latchkey.on('logout', () => learn(null)),
      // A dialog that could not ask the server says so too: the answer of the call is the one that counts.
      latchkey.on('ready', () => ask()),
      latchkey.on('drawn', () => set({ isOpen: true })),
      latchkey.on('close', () => set({ isOpen: false })),
      latchkey.on('chainChanged', ({ chainId }) => set({ chain: chainName(chainId) })),
      latchkey.on('walletConnected', ({ wallet }) =>
        change([...connected.filter(({ address }) => address !== wallet.address), wallet]),
      ),
      latchkey.on('walletDisconnected', ({ wallet }) => change(connected.filter((each) => each !== wallet))),
      // What happens while it is lost is learnt from the next dialog.
      latchkey.on('error', () => {
        set({ isOpen: false })
        ask()
      }),
    ]
    const online = () => state.status === 'unreachable' && ask()
    // There is nothing to hear of it by where a test runs without a page.
    globalThis.addEventListener?.('online', online)
    if (preload === 'now') ask()
    if (preload === 'idle') whenIdle(ask)

    return () => {
      isAttached = false
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', online)
      for (const end of ending) end()
      if (handle === latchkey) handle = undefined
      connected = []
      set({ isOpen: false })
    }
  }

  return {
    getSnapshot: () => state,
    getServerSnapshot: () => loading,
    subscribe(listener) {
      // One that subscribes twice is two.
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
    attach,
  }
}

/** What passes by itself: the next try may reach the dialog. */
const passing: readonly string[] = [
  'server_unreachable',
  'frame_unresponsive',
  'frame_reloaded',
  'client_request_timeout',
  'call_timeout',
]

const chainName = (chainId: number) => `eip155:${chainId}`

const isShallowlyEqual = (one: LatchkeyState, other: LatchkeyState) =>
  (Object.keys(one) as (keyof LatchkeyState)[]).every((key) => one[key] === other[key])
