/** Puts the core together from its parts. Knows no browser: `main.ts` brings that. */
import type { DialogInlineConfig } from '@latchkey/protocol'
import { atom, createStore } from 'jotai/vanilla'
import { createAnalytics } from './api/analytics.ts'
import { readBrowserIds } from './api/browser-ids.ts'
import { createApi } from './api/client.ts'
import { createProofMaker, type ProofKeys } from './api/proof.ts'
import { createServerTime } from './api/server-time.ts'
import { createTransport } from './api/transport.ts'
import type { Core, Settings, View } from './core.ts'
import { createDialog } from './flows/dialog.ts'
import type { FlowPorts, FrameHost } from './flows/ports.ts'
import { createStage } from './flows/stage.ts'
import { runStandalone } from './flows/standalone.ts'
import { createWalletCreation } from './flows/wallet-create.ts'
import { type HostPorts, noHost } from './host/serve.ts'
import type { Clock, KeyValueStore, Locks, Notices, Random } from './ports.ts'
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
  readonly oneUseCode: string | undefined
}

export type StartedCore = Core & {
  readonly session: Session
  readonly wallet: Wallet
}

export function startCore(config: DialogInlineConfig, browser: BrowserPorts): StartedCore {
  const { clock, random, store: kept } = browser
  const { app, hostOrigin } = config
  const appId = app.id
  const standalone = browser.serveHost === undefined

  const store = createStore()
  const viewAtom = atom<View>({
    open: standalone,
    screen: undefined,
    step: 0,
    direction: 'forward',
    header: { back: false, info: false, close: false },
    standalone,
  })
  const settingsAtom = atom<Settings>({
    app,
    config: {},
    hostColorScheme: 'normal',
    viewport: undefined,
    hostOrigin,
  })
  const settings = () => store.get(settingsAtom)
  const changeSettings = (change: Partial<Settings>) =>
    store.set(settingsAtom, { ...store.get(settingsAtom), ...change })

  const serverTime = createServerTime({ appId, clock, store: kept })
  const ids = readBrowserIds({ appId, store: kept, random })
  const transport = createTransport({
    appId,
    apiOrigin: config.apiOrigin,
    credentials: config.sessionMode === 'cookie' ? 'include' : 'same-origin',
    fetch: browser.fetch,
    clock,
    serverTime,
    random,
    ids,
    makeProof: createProofMaker({ keys: browser.proofKeys, nowMs: serverTime.nowMs, random }),
  })
  const session = createSession({
    appId,
    mode: config.sessionMode,
    transport,
    keeper: createSessionKeeper({ appId, store: kept }),
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
  const wallet = createWallet({ frame, api })

  const host =
    browser.serveHost?.({
      session,
      dialog: () => dialog,
      configure: (clientConfig, hostColorScheme) => changeSettings({ config: clientConfig, hostColorScheme }),
      setViewport: (viewport) => changeSettings({ viewport }),
    }) ?? noHost
  const stage = createStage({
    clock,
    host,
    analytics,
    standalone,
    setView: (view) => store.set(viewAtom, view),
  })
  const flowPorts: FlowPorts = { api, session, wallet, clock, analytics, settings }
  const dialog = createDialog({
    ...flowPorts,
    stage,
    createUserWallet: createWalletCreation(flowPorts),
  })

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
  if (standalone) runStandalone({ session, dialog, stage })

  return { store, viewAtom, settingsAtom, send: dialog.send, session, wallet }
}
