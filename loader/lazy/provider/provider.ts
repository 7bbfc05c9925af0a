/**
 * The embedded wallet as an EIP-1193 provider. It stores the last emitted chain and accounts, so that it emits
 * only changes. The dialog decides on every request.
 */
import { findEmbeddedWallet, LatchkeyError, type User } from '@latchkey/protocol'
import { parse } from '@latchkey/protocol/channel'
import {
  type ConfirmPage,
  type EthereumMethodRow,
  ethereumAnswers,
  ethereumMethods,
  type HostCallResult,
} from '@latchkey/protocol/host'
import { isDestroyed, type PageWithProvider } from '../../client/page.ts'
import type { EthereumProvider } from '../../types/options.ts'
import { listen } from '../one-per-client.ts'
import { waitForDialog } from '../wait-for-dialog.ts'
import { forgetUnlessAnnounced, storeAnnouncement } from './announcement.ts'
import { createEmitter } from './emitter.ts'
import { ProviderError, toProviderError } from './error.ts'
import { createFilters } from './filters.ts'
import { defaultIcon } from './icon.ts'
import { type OpenedWindow, openWindowFor } from './opened-window.ts'
import { isSigningMethod, methodRow, type Request, readMethod, readParams } from './request.ts'

type State = HostCallResult<'ethereumState'>
type Account = State['accounts'][number]
type Announced = NonNullable<State['announced']>
export type Served = {
  methods: EthereumProvider
  receiveState: (state: State) => void
  serve: (page: PageWithProvider) => void
  setConfirmPage: (page: ConfirmPage | undefined) => void
}

const methodsByProvider = new WeakMap<EthereumProvider, Served>()

/**
 * Returns the methods of the page's provider. Libraries keep references, so the app's next client reuses it.
 */
export function serveProvider(page: PageWithProvider): Served {
  const own = methodsByProvider.get(page.provider) ?? createMethods(page.provider)
  methodsByProvider.set(page.provider, own)
  own.serve(page)
  page.implement(own.methods)
  return own
}

export function getProvider(page: PageWithProvider, state: State): EthereumProvider {
  serveProvider(page).receiveState(state)
  if (state.announced) announceProvider(page, state.announced)
  return page.provider
}

/**
 * Announces the provider when the dialog requests it. The chain and accounts are not loaded until a library
 * needs them.
 */
export function announceProvider(
  page: PageWithProvider,
  { name, icon = defaultIcon, confirmPage }: Announced & Pick<State, 'confirmPage'>,
) {
  serveProvider(page).setConfirmPage(confirmPage)
  page.announce({ name, icon })
  storeAnnouncement(page, { name, icon })
}

/** Creates the provider's methods. `wallet` is the address of another app's wallet, sent with every request. */
export function createMethods(provider: EthereumProvider, wallet?: Account): Served {
  const walletData = wallet === undefined ? {} : { wallet }

  const { listenerMethods, emit } = createEmitter()
  let currentPage: PageWithProvider | undefined
  let isKnown = false
  /** True before the first request and after a lost dialog: the next dialog may be on another chain. */
  let isStale = true
  let chainId = 0
  let accounts: readonly Account[] = []
  let link: 'new' | 'connected' | 'lost' = 'new'
  let confirmPage: ConfirmPage | undefined
  /** The open confirmation page. A second request waits, and opens its page from its card. */
  let window: OpenedWindow | undefined

  function setChain(next: number) {
    if (next === chainId) return
    chainId = next
    emit('chainChanged', toHex(next))
  }
  function setAccounts(next: readonly Account[]) {
    if (String(next) === String(accounts)) return
    accounts = [...next]
    emit('accountsChanged', accounts)
  }
  function receiveState(state: State) {
    if (isKnown) {
      setChain(state.chainId)
      setAccounts(state.accounts)
    }
    // The first state is not a change.
    isKnown = true
    isStale = false
    ;({ chainId, accounts } = state)
    setConfirmPage(state.confirmPage)
  }
  function setConfirmPage(page: ConfirmPage | undefined) {
    confirmPage = page
  }
  function emitConnect() {
    if (isStale || link === 'connected') return
    link = 'connected'
    emit('connect', { chainId: toHex(chainId) })
  }

  function serve(page: PageWithProvider) {
    if (currentPage === page) return
    currentPage = page
    if (wallet === undefined) forgetUnlessAnnounced(page)
    listen(page, 'chainChanged', ({ chainId }) => setChain(Number(chainId)))
    for (const name of ['login', 'user'])
      listen(page, name, ({ user }) => setAccounts(getAccounts(user as User | null, wallet)))
    listen(page, 'error', ({ error }) => {
      const wasConnected = link === 'connected'
      link = 'lost'
      isStale = true
      if (isDestroyed(error) && currentPage === page) currentPage = undefined
      if (wasConnected) emit('disconnect', new ProviderError(4900, undefined, { cause: error }))
    })
  }
  function getPage(): PageWithProvider {
    if (!currentPage) throw new LatchkeyError('client_destroyed', 'This client was destroyed')
    return currentPage
  }

  async function request(args: unknown): Promise<unknown> {
    try {
      const method = readMethod(args)
      const filterMethod = filters(method)
      if (filterMethod) return await filterMethod(readParams(args))
      // Before the params are read, so that an unsupported method is reported regardless of its params.
      const row = methodRow(method)
      const read = { method, params: readParams(args) }
      const response = await exchange(read, row)
      if ('refused' in response) {
        const { code, message, data } = response.refused
        throw new ProviderError(code, message, { data })
      }
      applyResult(read, response.result)
      emitConnect()
      return response.result
    } catch (error) {
      throw toProviderError(error)
    }
  }

  async function exchange({ method, params }: Request, row: EthereumMethodRow) {
    const { send, events } = getPage()
    const forUser = row.policy === 'needs-user'
    const wasStale = isStale
    if (wasStale && !forUser) await refreshState()
    const [channelCall, call] = selectCall(row)
    const data = { method, params: [...params], ...walletData }
    const newWindow = openWindow({ method, params })
    const pending = waitForDialog(events, row, (signal) =>
      send(
        channelCall,
        () => ({ call, data, ...(newWindow && { window: newWindow.name }) }),
        signal,
        isSigningMethod(method),
      ),
    ).finally(() => {
      if (window === newWindow) window = undefined
      newWindow?.close()
    })
    // Requests that need the user show their card immediately and have no deadline, so the state loads in
    // parallel.
    if (wasStale && forUser) refreshState().then(emitConnect, () => {})
    const response = await pending
    return parse(ethereumAnswers[call], response, 'invalid_answer')
  }

  /**
   * Opens the confirmation page synchronously, within the click. Only for a connected user with no other page
   * open.
   */
  function openWindow(request: Request) {
    if (!confirmPage || window || accounts.length === 0) return undefined
    window = openWindowFor(request, confirmPage, chainId)
    return window
  }

  async function refreshState() {
    const { send, events } = getPage()
    const response = await waitForDialog(events, ethereumMethods.eth_chainId, (signal) =>
      send('more', () => ({ call: 'ethereumState', data: walletData }), signal),
    )
    receiveState(parse(ethereumAnswers.ethereumState, response, 'invalid_answer'))
  }

  /** Applies the state that a response implies, so that later events are consistent with it. */
  function applyResult({ method, params }: Request, result: unknown) {
    if (method === 'eth_chainId') setChain(Number(result))
    if (method === 'wallet_switchEthereumChain') setChain(Number(Object(params[0]).chainId))
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') setAccounts(result as Account[])
  }

  const filters = createFilters((method, params) => request({ method, params }))

  const methods: EthereumProvider = {
    request,
    enable: () => request({ method: 'eth_requestAccounts' }) as Promise<readonly Account[]>,
    ...listenerMethods(() => provider),
  }
  return { methods, receiveState, serve, setConfirmPage }
}

function getAccounts(user: User | null, linked: Account | undefined): readonly Account[] {
  if (linked !== undefined) return user && hasLinked(user, linked) ? [linked] : []
  const wallet = user && findEmbeddedWallet(user)
  return wallet ? [`0x${wallet.address.slice(2)}`] : []
}

const hasLinked = ({ linkedAccounts }: User, address: Account) =>
  linkedAccounts.some(
    (account) =>
      account.type === 'cross_app' &&
      account.embeddedWallets.some((wallet) => wallet.address.toLowerCase() === address.toLowerCase()),
  )

const selectCall = ({ policy, by }: EthereumMethodRow) => {
  if (policy === 'needs-user') return ['moreForUser', 'ethereumRequestForUser'] as const
  return by === 'chain' ? (['read', 'ethereumRead'] as const) : (['more', 'ethereumRequest'] as const)
}

const toHex = (chainId: number) => `0x${chainId.toString(16)}` as const
