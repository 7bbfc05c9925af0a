/**
 * Creates the core that starts at once, without screens and React: calls, session, host channel. Capabilities follow
 * with `start-dialog.ts`, and the wallet with `start-wallet.ts`. `main.ts` passes the browser.
 */
import { type ClientConfig, type DialogInlineConfig, dialogLimits } from '@latchkey/protocol'
import { createAnalytics } from '../api/analytics.ts'
import { readBrowserIds } from '../api/browser-ids.ts'
import { createApi } from '../api/client.ts'
import { createProofMaker, type ProofKeys } from '../api/proof.ts'
import { createServerTime } from '../api/server-time.ts'
import { createTransport } from '../api/transport.ts'
import type { DialogServices } from '../app/services.ts'
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
import { currentChain } from '../host/chains.ts'
import { getOwnOrigins } from '../host/inline-config.ts'
import { type HostLink, type HostPorts, noHost } from '../host/serve.ts'
import { mustAcceptTerms, needsLogoFetch, type Settings, type Viewport } from '../host/settings.ts'
import { createParametersReceiver } from '../host/url-parameters.ts'
import { type Language, toLanguage } from '../i18n/languages.ts'
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
  /** Opens the channel to the host page, or returns undefined without one. */
  serveHost: ((ports: Omit<HostPorts, 'target'>) => Omit<HostLink, 'destroy'>) | undefined
  /** Loads the flows at the first call that needs one. */
  dialog: HostPorts['dialog']
  /** Warnings about settings without effect. */
  idleSettings: (settings: Settings) => readonly string[]
  /** The page's replacement for host page settings, if any. */
  config?: ClientConfig
  /** The product's own URL parameters, as a query string. */
  parameters: string
  /** Runs when the page is idle. */
  whenIdle: (run: () => void) => void
  /** The page was opened for a call that needs the user. */
  callWaits: boolean
  /** The browser does not support `ancestorOrigins`. */
  isHostUnnamed?: boolean
}

/** The services that flows use. */
export type RunningCore = DialogServices & {
  host: FrameHost
  standalone: boolean
  language: () => Language
  viewport: () => Viewport | undefined
  /** The shell is the only listener of each. */
  onSettings: (listener: (settings: Settings) => void) => void
  onViewport: (listener: (viewport: Viewport) => void) => void
  /** Resolves when the host page has sent its settings, or at once without a host page. */
  configured: Promise<void>
  /** Resolves when a returning full-page login is finished. */
  resumed: () => Promise<void>
  /** Runs when the page is idle and no card is opening. */
  whenIdle: (run: () => void) => void
  /** The shell reports when the card opens and when it has the focus. */
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

  const language = () => toLanguage(settings.config.intl?.locale)

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
      const previousChainId = currentChain(settings)
      changeSettings({ config: clientConfig, hostColorScheme })
      const chainId = currentChain(settings)
      // The first settings are the initial state and no change.
      if (isConfigured && chainId !== previousChainId)
        host?.tellPage({ name: 'chainChanged', data: { chainId } })
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
  // Also for visitors, when idle. A waiting login requests it earlier by itself.
  if (!browser.callWaits) browser.whenIdle(wallet.prepare)
  analytics('sdk_initialize', { standalone })
  void receiveParameters(browser.parameters)
  session.start().catch(() => {
    // The next request for the user gets the error or succeeds.
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
    // A card may begin to open before the page is idle.
    whenIdle: (run) => deferral.run(() => browser.whenIdle(() => deferral.run(run))),
    deferral,
  }
}

/** Defers work while a card opens, until the card has the focus. */
type Deferral = {
  run: (task: () => void) => void
  hold: () => void
  release: () => void
}

export function createDeferral(clock: Clock): Deferral {
  let deferredTasks: (() => void)[] | undefined
  let stopTimer = () => {}

  function release() {
    stopTimer()
    const tasks = deferredTasks ?? []
    deferredTasks = undefined
    for (const task of tasks) task()
  }

  return {
    run(task) {
      if (deferredTasks) deferredTasks.push(task)
      else task()
    },
    hold() {
      if (deferredTasks) return
      deferredTasks = []
      stopTimer = clock.after(dialogLimits.heldMs, release)
    },
    release,
  }
}
