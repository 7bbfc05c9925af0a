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
import { whileWaited } from '../while-waited.ts'
import { forgetUnlessAnnounced, storeAnnouncement } from './announcement.ts'
import { createEmitter } from './emitter.ts'
import { ProviderError, toProviderError } from './error.ts'
import { createFilters } from './filters.ts'
import { defaultIcon } from './icon.ts'
import { type OpenedWindow, openWindowFor } from './opened-window.ts'
import { type Request, readMethod, readParams, rowOf, signs } from './request.ts'

type State = HostCallResult<'ethereumState'>
type Account = State['accounts'][number]
type Announced = NonNullable<State['announced']>
export type Served = {
  methods: EthereumProvider
  receiveState: (state: State) => void
  serve: (page: PageWithProvider) => void
  confirmOn: (page: ConfirmPage | undefined) => void
}

const servedBy = new WeakMap<EthereumProvider, Served>()

/**
 * Returns the methods of the page's provider. Libraries keep references, so the app's next client reuses it.
 */
export function serveProvider(page: PageWithProvider): Served {
  const own = servedBy.get(page.provider) ?? createMethods(page.provider)
  servedBy.set(page.provider, own)
  own.serve(page)
  page.implement(own.methods)
  return own
}

export function providerOf(page: PageWithProvider, state: State): EthereumProvider {
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
  serveProvider(page).confirmOn(confirmPage)
  page.announce({ name, icon })
  storeAnnouncement(page, { name, icon })
}

/** Creates the provider's methods. `wallet` is the address of another app's wallet, sent with every request. */
export function createMethods(provider: EthereumProvider, wallet?: Account): Served {
  const named = wallet === undefined ? {} : { wallet }

  const { methodsOf, tell } = createEmitter()
  let served: PageWithProvider | undefined
  let isKnown = false
  /** True before the first request and after a lost dialog: the next dialog may be on another chain. */
  let isBehind = true
  let chainId = 0
  let accounts: readonly Account[] = []
  let link: 'new' | 'connected' | 'lost' = 'new'
  let confirmPage: ConfirmPage | undefined
  /** The open confirmation page. A second request waits, and opens its page from its card. */
  let window: OpenedWindow | undefined

  function setChain(next: number) {
    if (next === chainId) return
    chainId = next
    tell('chainChanged', hexOf(next))
  }
  function setAccounts(next: readonly Account[]) {
    if (String(next) === String(accounts)) return
    accounts = [...next]
    tell('accountsChanged', accounts)
  }
  function receiveState(state: State) {
    if (isKnown) {
      setChain(state.chainId)
      setAccounts(state.accounts)
    }
    // The first state is not a change.
    isKnown = true
    isBehind = false
    ;({ chainId, accounts } = state)
    confirmOn(state.confirmPage)
  }
  function confirmOn(page: ConfirmPage | undefined) {
    confirmPage = page
  }
  function connected() {
    if (isBehind || link === 'connected') return
    link = 'connected'
    tell('connect', { chainId: hexOf(chainId) })
  }

  function serve(page: PageWithProvider) {
    if (served === page) return
    served = page
    if (wallet === undefined) forgetUnlessAnnounced(page)
    listen(page, 'chainChanged', ({ chainId }) => setChain(Number(chainId)))
    for (const name of ['login', 'user'])
      listen(page, name, ({ user }) => setAccounts(accountsOf(user as User | null, wallet)))
    listen(page, 'error', ({ error }) => {
      const wasConnected = link === 'connected'
      link = 'lost'
      isBehind = true
      if (isDestroyed(error) && served === page) served = undefined
      if (wasConnected) tell('disconnect', new ProviderError(4900, undefined, { cause: error }))
    })
  }
  function pageNow(): PageWithProvider {
    if (!served) throw new LatchkeyError('client_destroyed', 'This client was destroyed')
    return served
  }

  async function request(asked: unknown): Promise<unknown> {
    try {
      const method = readMethod(asked)
      const ofFilters = filters(method)
      if (ofFilters) return await ofFilters(readParams(asked))
      // Before the params are read, so that an unsupported method is reported regardless of its params.
      const row = rowOf(method)
      const read = { method, params: readParams(asked) }
      const answer = await exchange(read, row)
      if ('refused' in answer) {
        const { code, message, data } = answer.refused
        throw new ProviderError(code, message, { data })
      }
      learn(read, answer.result)
      connected()
      return answer.result
    } catch (error) {
      throw toProviderError(error)
    }
  }

  async function exchange({ method, params }: Request, row: EthereumMethodRow) {
    const { ask, events } = pageNow()
    const forUser = row.policy === 'needs-user'
    const wasBehind = isBehind
    if (wasBehind && !forUser) await catchUp()
    const [way, call] = wayOf(row)
    const data = { method, params: [...params], ...named }
    const opened = openWindow({ method, params })
    const asked = whileWaited(events, row, (signal) =>
      ask(way, () => ({ call, data, ...(opened && { window: opened.name }) }), signal, signs(method)),
    ).finally(() => {
      if (window === opened) window = undefined
      opened?.close()
    })
    // Requests that need the user show their card immediately and have no deadline, so the state loads in
    // parallel.
    if (wasBehind && forUser) catchUp().then(connected, () => {})
    const given = await asked
    return parse(ethereumAnswers[call], given, 'invalid_answer')
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

  async function catchUp() {
    const { ask, events } = pageNow()
    const given = await whileWaited(events, ethereumMethods.eth_chainId, (signal) =>
      ask('more', () => ({ call: 'ethereumState', data: named }), signal),
    )
    receiveState(parse(ethereumAnswers.ethereumState, given, 'invalid_answer'))
  }

  /** Applies the state that a response implies, so that later events are consistent with it. */
  function learn({ method, params }: Request, result: unknown) {
    if (method === 'eth_chainId') setChain(Number(result))
    if (method === 'wallet_switchEthereumChain') setChain(Number(Object(params[0]).chainId))
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') setAccounts(result as Account[])
  }

  const filters = createFilters((method, params) => request({ method, params }))

  const methods: EthereumProvider = {
    request,
    enable: () => request({ method: 'eth_requestAccounts' }) as Promise<readonly Account[]>,
    ...methodsOf(() => provider),
  }
  return { methods, receiveState, serve, confirmOn }
}

function accountsOf(user: User | null, linked: Account | undefined): readonly Account[] {
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

const wayOf = ({ policy, by }: EthereumMethodRow) => {
  if (policy === 'needs-user') return ['moreForUser', 'ethereumRequestForUser'] as const
  return by === 'chain' ? (['read', 'ethereumRead'] as const) : (['more', 'ethereumRequest'] as const)
}

const hexOf = (chainId: number) => `0x${chainId.toString(16)}` as const
