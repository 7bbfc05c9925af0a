/**
 * Puts together what runs at once, without a screen and without React: calls, session, host link.
 * Capabilities come later, with `start-dialog.ts`, and the wallet with `start-wallet.ts`. Knows no browser: `main.ts` brings that.
 */
import { type ClientConfig, type DialogInlineConfig, dialogLimits } from '@latchkey/protocol'
import { createAnalytics } from '../api/analytics.ts'
import { readBrowserIds } from '../api/browser-ids.ts'
import { createApi } from '../api/client.ts'
import { createProofMaker, type ProofKeys } from '../api/proof.ts'
import { createServerTime } from '../api/server-time.ts'
import { createTransport } from '../api/transport.ts'
import type {
  Analytics,
  Clock,
  FrameHost,
  KeyValueStore,
  Locks,
  Network,
  Notices,
  Random,
} from '../browser/ports.ts'
import type { FlowPorts } from '../contract/ports.ts'
import { currentChain } from '../host/chains.ts'
import { getOwnOrigins } from '../host/inline-config.ts'
import { type HostLink, type HostPorts, noHost } from '../host/serve.ts'
import { mustAcceptTerms, needsLogoFetch, type Settings, type Viewport } from '../host/settings.ts'
import { createParametersReceiver } from '../host/url-parameters.ts'
import { type Language, languageOf } from '../i18n/languages.ts'
import type { SessionMarker } from '../session/marker.ts'
import { createSession } from '../session/session.ts'
import { createSessionStore } from '../session/stored-session.ts'
import type { WalletParts } from '../wallet/start-wallet.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { lazyWallet } from './lazy-wallet.ts'

export type BrowserPorts = {
  fetch: typeof fetch
  clock: Clock
  network: Network
  random: Random
  store: KeyValueStore
  locks: Locks
  notices: Notices
  marker: SessionMarker
  proofKeys: ProofKeys
  loadWallet: (parts: WalletParts) => Promise<Wallet>
  /** Opens the channel to the host page; undefined where there is none. */
  serveHost: ((ports: Omit<HostPorts, 'target'>) => Omit<HostLink, 'destroy'>) | undefined
  /** Brings the flows; asked for at the first call that needs one. */
  dialog: HostPorts['dialog']
  /** Settings that do nothing here, a sentence each. */
  idleSettings: (settings: Settings) => readonly string[]
  /** What the page has in place of settings of a host, where it has something. */
  config?: ClientConfig
  /** What of the address began with our name, as a query. */
  parameters: string
  /** Runs when the page has nothing better to do. */
  whenIdle: (run: () => void) => void
  /** The page was opened for a call that needs the user. */
  callWaits: boolean
  /** The browser does not name the pages around a frame (`ancestorOrigins`). */
  isHostUnnamed?: boolean
}

/** What flows run on. */
export type RunningCore = FlowPorts & {
  host: FrameHost
  standalone: boolean
  language: () => Language
  viewport: () => Viewport | undefined
  /** One listens to each: what draws them. */
  onSettings: (listener: (settings: Settings) => void) => void
  onViewport: (listener: (viewport: Viewport) => void) => void
  /** The host has said its settings, or there is none. */
  configured: Promise<void>
  /** What had taken the page away, and came back with it, is over. */
  resumed: () => Promise<void>
  /** When the page has nothing better to do, and no card is about to open. */
  whenIdle: (run: () => void) => void
  /** Whoever shows the card says when it opens and when it has the focus. */
  deferral: Deferral
}

export function startCore(config: DialogInlineConfig, browser: BrowserPorts): RunningCore {
  const { clock, random, store } = browser
  const { app, hostOrigin, addresses } = config
  const appId = app.id
  const standalone = browser.serveHost === undefined

  let tellSettings = (_: Settings) => {}
  let tellViewport = (_: Viewport) => {}
  let viewport: Viewport | undefined
  let settings: Settings = {
    app,
    config: browser.config ?? {},
    hostColorScheme: 'normal',
    ownOrigins: getOwnOrigins(config),
    pageAddress: undefined,
    hostOrigin,
    ...(browser.isHostUnnamed && { isHostUnnamed: true }),
    walletOrigin: config.walletOrigin,
    addresses,
  }
  const configured = Promise.withResolvers<void>()
  let isConfigured = false
  if (standalone) configured.resolve()
  function changeSettings(change: Partial<Settings>) {
    settings = { ...settings, ...change }
    tellSettings(settings)
  }

  const language = () => languageOf(settings.config.intl?.locale)

  const serverTime = createServerTime({ appId, clock, store })
  const ids = readBrowserIds({ appId, store, random })
  const proofs = createProofMaker({ keys: browser.proofKeys, nowMs: serverTime.nowMs })
  const transport = createTransport({
    appId,
    apiOrigin: config.apiOrigin,
    credentials: config.sessionMode === 'cookie' ? 'include' : 'same-origin',
    fetch: browser.fetch,
    clock,
    network: browser.network,
    serverTime,
    random,
    ids,
    language,
    proofs,
    cookieCounter: browser.marker.counter,
  })
  const session = createSession({
    appId,
    mode: config.sessionMode,
    transport,
    proofs,
    sessionStore: createSessionStore({ appId, store }),
    marker: browser.marker,
    locks: browser.locks,
    notices: browser.notices,
    clock,
    serverTime,
  })
  const api = createApi({ transport, tokens: session })
  const count = createAnalytics({ transport, clock, token: session.storedToken })
  const deferral = createDeferral(clock)
  const analytics: Analytics = (...event) => deferral.run(() => count(...event))
  if (browser.callWaits || standalone) deferral.hold()
  const wallet = lazyWallet(() =>
    browser.loadWallet({ api, clock, session, analyticsId: ids.analytics, dialogKey: proofs.thumbprint }),
  )
  let resumed: Promise<void> | undefined
  const receiveParameters = createParametersReceiver(session, (parameters) => {
    resumed = browser.dialog().then(
      (dialog) => dialog.resume(parameters),
      () => {},
    )
  })
  const host = browser.serveHost?.({
    ownOrigins: settings.ownOrigins,
    session,
    dialog: browser.dialog,
    configure(clientConfig, hostColorScheme) {
      const before = currentChain(settings)
      changeSettings({ config: clientConfig, hostColorScheme })
      const chainId = currentChain(settings)
      // The first settings are where the page begins, and no change.
      if (isConfigured && chainId !== before) host?.tellPage({ name: 'chainChanged', data: { chainId } })
      if (needsLogoFetch(settings)) host?.tellPage({ name: 'logo', data: {} })
      isConfigured = true
      configured.resolve()
    },
    receiveParameters,
    isVisible: (user) => !mustAcceptTerms(settings, user),
    setViewport({ address, ...changed }) {
      if (address !== settings.pageAddress) changeSettings({ pageAddress: address })
      viewport = changed
      tellViewport(changed)
    },
    idleSettings: () => browser.idleSettings(settings),
  })

  session.subscribe((state, before) => {
    if (state.status === 'authenticated') browser.whenIdle(wallet.prepare)
    if (before.status !== 'authenticated') return
    const stays = state.status === 'authenticated' && state.user.id === before.user.id
    if (!stays) wallet.forget(before.user.id).catch(() => {})
  })
  // For visitors too, once nothing else is to be done; a login that waits comes first, and asks for it by itself.
  if (!browser.callWaits) browser.whenIdle(wallet.prepare)
  analytics('sdk_initialize', { standalone })
  void receiveParameters(browser.parameters)
  session.start().catch(() => {
    // Whoever asks for the user next hears of it, or finds that it works again.
  })

  return {
    api,
    session,
    wallet,
    clock,
    store,
    analytics,
    settings: () => settings,
    language,
    chooseChain: (chosenChain) => changeSettings({ chosenChain }),
    tellPage: (host ?? noHost).tellPage,
    host: host ?? noHost,
    page: host?.page,
    standalone,
    onSettings(listener) {
      tellSettings = listener
    },
    viewport: () => viewport,
    onViewport(listener) {
      tellViewport = listener
    },
    configured: configured.promise,
    resumed: async () => resumed,
    // One may begin to open before the page is idle.
    whenIdle: (run) => deferral.run(() => browser.whenIdle(() => deferral.run(run))),
    deferral,
  }
}

/** What takes nothing from what the user waits for: while a card opens it is kept, until that has the focus. */
type Deferral = {
  run: (task: () => void) => void
  hold: () => void
  release: () => void
}

export function createDeferral(clock: Clock): Deferral {
  let kept: (() => void)[] | undefined
  let stopTimer = () => {}

  function release() {
    stopTimer()
    const tasks = kept ?? []
    kept = undefined
    for (const task of tasks) task()
  }

  return {
    run(task) {
      if (kept) kept.push(task)
      else task()
    },
    hold() {
      if (kept) return
      kept = []
      stopTimer = clock.after(dialogLimits.heldMs, release)
    },
    release,
  }
}
