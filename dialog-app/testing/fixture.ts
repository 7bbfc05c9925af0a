/** Flows on real parts: session, stage and client are real; server, wallet frame and time are the test's. */
import {
  type AnalyticsEventName,
  type ClientConfig,
  type ErrorCode,
  LatchkeyError,
  type LoginMethod,
} from '@latchkey/protocol'
import { apiRoutes, type Route, type RouteBody, type RouteOutput } from '@latchkey/protocol/api'
import type { CapabilityEvent, HostCallAnswer, HostCallInput, HostCallName } from '@latchkey/protocol/host'
import * as v from 'valibot'
import { createApi } from '../api/client.ts'
import { createServerTime } from '../api/server-time.ts'
import type { Transport } from '../api/transport.ts'
import type { HostPage, Locks, Notices } from '../browser/ports.ts'
import { orAborted } from '../browser/waiting.ts'
import { capabilities } from '../capabilities/index.ts'
import type { Capability } from '../contract/capability.ts'
import { createDialog } from '../contract/dialog.ts'
import type { ScreenLoading } from '../flow/card.ts'
import { createStage } from '../flow/stage.ts'
import type { View } from '../flow/view.ts'
import type { HostCallContext } from '../host/host-calls.ts'
import type { Settings } from '../host/settings.ts'
import { noMarker, type SessionMarker } from '../session/marker.ts'
import { createSession } from '../session/session.ts'
import { createSessionStore, type SessionMode } from '../session/stored-session.ts'
import type { ConfirmedRequest } from '../wallet/confirmed.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { type FakeClock, makeFakeClock, settle } from './clock.ts'
import { appConfig, appId, inlineConfig, solanaAddress, walletAddress } from './fixtures.ts'
import { makeFakeNetwork } from './network.ts'
import { makeFakeLocks, makeFakeNotices, makeFakeStore } from './storage.ts'

type ApiRoutes = typeof apiRoutes
export type RouteName = keyof ApiRoutes
const nameOf = (route: Route): RouteName => {
  const found = Object.entries(apiRoutes).find(([, each]) => each === route)
  if (!found) throw new Error(`${route.path} is no route`)
  return found[0] as RouteName
}

export type SentCall = {
  name: RouteName
  body: unknown
  token: string | null
  headers?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}
export type Answers = {
  [Name in RouteName]?: (
    body: RouteBody<ApiRoutes[Name]>,
    token: string | null,
  ) => RouteOutput<ApiRoutes[Name]> | Promise<RouteOutput<ApiRoutes[Name]>>
}

/** Responds to calls by route. A call without a response fails like an unreachable server. */
export function makeFakeTransport(answers: Answers) {
  const sent: SentCall[] = []
  const network = makeFakeNetwork()
  /** Records how the caller of each call ends. */
  const signals: (AbortSignal | undefined)[] = []
  const transport: Transport = {
    async send(route, body, { token, signal, heardOut, onNetwork, headers, query }) {
      const name = nameOf(route)
      const parsed = route.body ? v.parse(route.body, body) : undefined
      if (onNetwork && !network.isOnline()) {
        onNetwork(true)
        await orAborted(network.whenOnline(), signal).finally(() => onNetwork(false))
      }
      sent.push({ name, body: parsed, token, ...(headers && { headers }), ...(query && { query }) })
      signals.push(signal)
      const answer = answers[name]
      if (!answer) throw new LatchkeyError('server_unreachable', `Nobody answers ${name}`)
      const answered = Promise.resolve(answer(parsed as never, token))
      return v.parse(route.output, await orAborted(answered, heardOut ? undefined : signal)) as never
    },
  }
  return {
    ...transport,
    network,
    sent,
    signals,
    calls: (name: RouteName) => sent.filter((call) => call.name === name),
  }
}

export const refused = (code: ErrorCode, status: number, message: string = code) =>
  new LatchkeyError(code, message, { details: { status, type: 'ApiError' } })

export type Browser = {
  clock: FakeClock
  store: ReturnType<typeof makeFakeStore>
  locks: Locks
  notices: () => Notices
}
export const makeBrowser = (): Browser => ({
  clock: makeFakeClock(),
  store: makeFakeStore(),
  locks: makeFakeLocks(),
  notices: makeFakeNotices(),
})

/** One tab's session. Tabs of one browser share storage, locks and notices. */
export function makeTab(
  browser: Browser,
  transport: Transport,
  options: {
    mode?: SessionMode
    marker?: SessionMarker
    prepareProofs?: () => Promise<void>
  } = {},
) {
  const { clock, store, locks } = browser
  const serverTime = createServerTime({ appId, clock, store })
  const sessionStore = createSessionStore({ appId, store })
  const session = createSession({
    appId,
    mode: options.mode ?? 'storage',
    transport,
    proofs: { prepare: options.prepareProofs ?? (async () => {}) },
    sessionStore,
    marker: options.marker ?? noMarker,
    locks,
    notices: browser.notices(),
    clock,
    serverTime,
  })
  return { session, sessionStore, api: createApi({ transport, tokens: session }) }
}

/** The server's decision about the approval surface. */
export const confirmedIn = (
  place: ConfirmedRequest['place'],
  change: Partial<ConfirmedRequest> = {},
): ConfirmedRequest => ({
  handle: 'h'.repeat(43),
  place,
  reason: place === 'page' ? 'beyond_allowance' : 'test_network',
  usd: null,
  names: null,
  digest: `0x${'d1'.repeat(32)}`,
  expiresAtMs: Number.POSITIVE_INFINITY,
  buttonUrl: `https://wallet.example/apps/${appId}/embedded-wallets/open-window?page=confirm#${change.handle ?? 'h'.repeat(43)}`,
  ...change,
})

export function makeFakeWallet(change: Partial<Wallet> = {}) {
  const log: string[] = []
  const wallet: Wallet = {
    prepare: () => void log.push('prepare'),
    prepareOperation: () => void log.push('prepareOperation'),
    loginVault: () => undefined,
    acceptLogin: () => {},
    async confirm(_address, _request, { place } = {}) {
      log.push(place === 'unseen' ? 'confirm unseen' : 'confirm')
      return place === 'unseen' ? confirmedIn('page', { reason: 'browser' }) : confirmedIn('frame')
    },
    async offer({ handle }, signal) {
      log.push(`offer ${handle}`)
      signal.addEventListener('abort', () => void log.push(`offer no more ${handle}`))
    },
    prepareSign: () => void log.push('prepareSign'),
    begin: () => Promise.reject(new LatchkeyError('not_supported', 'A fake has no operations')),
    runStep: () => Promise.reject(new LatchkeyError('not_supported', 'A fake has no operations')),
    requestToken: () => Promise.reject(new LatchkeyError('not_supported', 'A fake has no tokens')),
    end: () => {},
    pageUrl: async (page) => `https://wallet.example/${page}`,
    // Recovery windows in which the user enters nothing.
    recoveryWindows: async () => ({
      next: () => ({ handle: 'w'.repeat(43), buttonUrl: 'https://wallet.example/open-window#w' }),
      ask: () => new Promise(() => {}),
      confirm: () => new Promise(() => {}),
      end: () => {},
    }),
    // Windows that never open.
    exportWindows: async () => ({
      next: () => ({ handle: 'e'.repeat(43), buttonUrl: 'https://wallet.example/open-window#e' }),
      begin: () => new Promise(() => {}),
      confirm: () => new Promise(() => {}),
      closed: () => new Promise(() => {}),
      end: () => {},
    }),
    async create() {
      log.push('create')
      return walletAddress
    },
    async connect() {
      log.push('connect')
    },
    async recover() {
      log.push('recover')
    },
    async setRecovery() {
      log.push('setRecovery')
    },
    async signMessage(_address, message) {
      log.push(`sign ${message}`)
      return '0xsigned'
    },
    async sign(_address, { method }) {
      log.push(method)
      return `0x${'5e'.repeat(65)}`
    },
    solana: async () => ({
      async create() {
        log.push('solana create')
        return solanaAddress
      },
      async connect() {
        log.push('solana connect')
      },
      async recover() {
        log.push('solana recover')
      },
      async signMessage(_publicKey, message) {
        log.push(`solana sign ${message}`)
        return 'solana-signature'
      },
      async signIn(_publicKey, fields) {
        log.push(`solana sign in ${JSON.stringify(fields)}`)
        return 'solana-signature'
      },
      async signTransaction(_publicKey, transaction) {
        log.push(`solana sign transaction ${transaction}`)
        return '0x5011'
      },
    }),
    async forget(userId) {
      log.push(`forget ${userId}`)
    },
    ...change,
  }
  return { ...wallet, log }
}

/** A user without a known wallet or address. */
export const emptyPage: HostPage = {
  findWallets: async () => ({ wallets: [] }),
  request: async () => ({ result: null }),
}

export type FixtureOptions = {
  answers?: Answers
  wallet?: Partial<Wallet>
  config?: ClientConfig
  app?: Partial<Settings['app']>
  addresses?: Settings['addresses']
  standalone?: boolean
  browser?: Browser
  show?: () => Promise<void>
  page?: HostPage
  loading?: ScreenLoading
  capabilities?: readonly Capability[]
  /** The default, which settles immediately. */
  whenIdle?: (run: () => void) => void
}

/** A whole dialog in a tab, with all its code loaded. */
export async function makeFixture(options: FixtureOptions) {
  const browser = options.browser ?? makeBrowser()
  const { clock } = browser
  const transport = makeFakeTransport(options.answers ?? {})
  const { session, sessionStore, api } = makeTab(browser, transport)
  const wallet = makeFakeWallet(options.wallet)
  const events: AnalyticsEventName[] = []
  const pageHeard: CapabilityEvent[] = []
  const analytics = (name: AnalyticsEventName) => void events.push(name)
  let settings: Settings = {
    app: { ...appConfig, ...options.app },
    config: options.config ?? {},
    hostColorScheme: 'normal',
    ownOrigins: ['http://dialog.localhost:4000', 'http://wallet.localhost:4000'],
    pageAddress: undefined,
    hostOrigin: inlineConfig.hostOrigin,
    walletOrigin: inlineConfig.walletOrigin,
    addresses: options.addresses ?? inlineConfig.addresses,
  }
  const frame: string[] = []
  const views: View[] = []
  const viewListeners = new Set<() => void>()
  const host = {
    async show() {
      frame.push('show')
      await options.show?.()
    },
    drawn: () => {},
    hide: () => void frame.push('hide'),
  }
  const standalone = options.standalone ?? false
  const stage = createStage({
    clock,
    host,
    analytics,
    standalone,
    loading: options.loading ?? {
      isLoaded: (screen) => screen.isLoaded('en'),
      load: (screen) => screen.load('en'),
    },
    setView(view) {
      views.push(view)
      for (const listener of viewListeners) listener()
    },
  })
  const ports = {
    api,
    session,
    wallet,
    clock,
    analytics,
    store: browser.store,
    settings: () => settings,
    chooseChain: (chosenChain: number) => {
      settings = { ...settings, chosenChain }
    },
    page: options.page ?? emptyPage,
    whenIdle: options.whenIdle ?? ((run: () => void) => run()),
    tellPage: (event: CapabilityEvent) => void pageHeard.push(event),
    stage,
  }
  const dialog = createDialog(
    { first: options.capabilities ?? capabilities, withUser: async () => [] },
    { ...ports, language: () => 'en' },
  )
  for (const whom of ['visitors', 'users', 'nobody'] as const) await dialog.loadFor(whom)

  const view = () => views.at(-1)
  const waits = { signal: new AbortController().signal }
  /** Sends a call like a loader. */
  const more = async <Name extends HostCallName>(
    call: Name,
    data: HostCallInput<Name>,
    context: HostCallContext = waits,
  ) => (await dialog.callByName({ call, data }, context)) as HostCallAnswer<Name>

  return {
    ...ports,
    clock,
    browser,
    transport,
    sessionStore,
    dialog,
    more,
    wallet,
    events,
    pageHeard,
    configure: (config: ClientConfig) => {
      settings = { ...settings, config }
    },
    frame,
    views,
    view,
    /** Runs when the view changes. */
    onView: (listener: () => void) => void viewListeners.add(listener),
    login: (context = waits) => dialog.logIn(context),
    createWallet: async () => (await more('createWallet', {})).wallet,
    signMessage: (request: HostCallInput<'signMessage'>, context = waits) =>
      more('signMessage', request, context),
    link: (method: LoginMethod) => more('link', { method }),
    unlink: (method: LoginMethod, id: string) => more('unlink', { method, id }),
    updateEmail: () => more('updateEmail', {}),
    screen: () => view()?.screen?.name,
    async back() {
      stage.back()
      await settle()
    },
    async close() {
      stage.close()
      await settle()
    },
  }
}
export type Fixture = Awaited<ReturnType<typeof makeFixture>>

/** Returns whether a promise is settled, without awaiting it. */
export function watch<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: unknown; settled: boolean } = { settled: false }
  promise.then(
    (value) => Object.assign(seen, { value, settled: true }),
    (error: unknown) => Object.assign(seen, { error, settled: true }),
  )
  return seen
}
