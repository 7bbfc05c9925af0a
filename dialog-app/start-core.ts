/**
 * Puts together what runs at once, without a screen and without React: calls, session, wallet frame, host link.
 * Flows come later, with `start-dialog.ts`. Knows no browser: `main.ts` brings that.
 */
import type { DialogInlineConfig } from '@latchkey/protocol'
import { type Analytics, createAnalytics } from './api/analytics.ts'
import { readBrowserIds } from './api/browser-ids.ts'
import { type Api, createApi } from './api/client.ts'
import { createProofMaker, type ProofKeys } from './api/proof.ts'
import { createServerTime } from './api/server-time.ts'
import { createTransport } from './api/transport.ts'
import type { Settings } from './core.ts'
import { type HostPorts, noHost } from './host/serve.ts'
import type { Clock, FrameHost, KeyValueStore, Locks, Notices, Random } from './ports.ts'
import { createForkCode } from './session/fork.ts'
import { createSessionKeeper } from './session/kept-session.ts'
import type { SessionMarker } from './session/marker.ts'
import { createSession, type Session } from './session/session.ts'
import { createWalletFrame, type MountedFrame, type OpenWalletChannel } from './wallet/frame.ts'
import { createWallet, type Wallet } from './wallet/wallet.ts'

export type BrowserPorts = {
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly random: Random
  readonly store: KeyValueStore
  readonly locks: Locks
  readonly notices: Notices
  readonly marker: SessionMarker
  readonly proofKeys: ProofKeys
  readonly mountWalletFrame: (analyticsId: string) => MountedFrame
  readonly openWalletChannel: OpenWalletChannel
  /** Opens the channel to the host page; undefined where there is none. */
  readonly serveHost: ((ports: Omit<HostPorts, 'target'>) => FrameHost) | undefined
  /** Brings the flows; asked for at the first call that needs one. */
  readonly dialog: HostPorts['dialog']
  /** Settings that do nothing here, a sentence each. */
  readonly idleSettings: (settings: Settings) => readonly string[]
  readonly oneUseCode: string | undefined
}

/** What flows run on. */
export type RunningCore = {
  readonly api: Api
  readonly session: Session
  readonly wallet: Wallet
  readonly clock: Clock
  readonly analytics: Analytics
  readonly settings: () => Settings
  readonly host: FrameHost
  readonly standalone: boolean
  readonly onSettings: (listener: (settings: Settings) => void) => void
}

export function startCore(config: DialogInlineConfig, browser: BrowserPorts): RunningCore {
  const { clock, random, store } = browser
  const { app, hostOrigin } = config
  const appId = app.id
  const standalone = browser.serveHost === undefined

  const listeners = new Set<(settings: Settings) => void>()
  let settings: Settings = { app, config: {}, hostColorScheme: 'normal', viewport: undefined, hostOrigin }
  function changeSettings(change: Partial<Settings>) {
    settings = { ...settings, ...change }
    for (const listener of listeners) listener(settings)
  }

  const serverTime = createServerTime({ appId, clock, store })
  const ids = readBrowserIds({ appId, store, random })
  const proofs = createProofMaker({ keys: browser.proofKeys, nowMs: serverTime.nowMs })
  const transport = createTransport({
    appId,
    apiOrigin: config.apiOrigin,
    credentials: config.sessionMode === 'cookie' ? 'include' : 'same-origin',
    fetch: browser.fetch,
    clock,
    serverTime,
    random,
    ids,
    proofs,
    cookieCounter: browser.marker.counter,
  })
  const session = createSession({
    appId,
    mode: config.sessionMode,
    transport,
    proofs,
    keeper: createSessionKeeper({ appId, store }),
    marker: browser.marker,
    locks: browser.locks,
    notices: browser.notices,
    clock,
    serverTime,
  })
  const api = createApi({ transport, tokens: session })
  const analytics = createAnalytics({ transport, clock, token: session.storedToken })
  const frame = createWalletFrame({
    clock,
    mountFrame: () => browser.mountWalletFrame(ids.analytics),
    open: browser.openWalletChannel,
  })
  const wallet = createWallet({ frame, api, clock, session })
  const host =
    browser.serveHost?.({
      session,
      forkCode: createForkCode({ api, tokens: session }),
      dialog: browser.dialog,
      configure: (clientConfig, hostColorScheme) => changeSettings({ config: clientConfig, hostColorScheme }),
      setViewport: (viewport) => changeSettings({ viewport }),
      idleSettings: () => browser.idleSettings(settings),
    }) ?? noHost

  session.subscribe((state, before) => {
    if (state.status === 'visitor' && before.status === 'authenticated') {
      wallet.forget(before.user.id).catch(() => {})
    }
  })
  wallet.prepare()
  analytics('sdk_initialize', { standalone })
  session.start(browser.oneUseCode).catch(() => {
    // Whoever asks for the user next hears of it, or finds that it works again.
  })

  return {
    api,
    session,
    wallet,
    clock,
    analytics,
    settings: () => settings,
    host,
    standalone,
    onSettings: (listener) => void listeners.add(listener),
  }
}
