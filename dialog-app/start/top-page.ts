/**
 * The base of standalone top-level pages: the dialog's stage and shell, API calls without a session, and one flow.
 * They are built separately, so that they add nothing to the dialog. Browsers partition caches, so they could not
 * share its files anyway.
 */

import type { DialogInlineConfig } from '@latchkey/protocol'
import { createStore } from 'jotai/vanilla'
import { readBrowserIds } from '../api/browser-ids.ts'
import { createProofMaker } from '../api/proof.ts'
import { createIndexedDbProofKeys } from '../api/proof-keys.ts'
import { createServerTime } from '../api/server-time.ts'
import { createTransport, type Transport } from '../api/transport.ts'
import { browserNetwork, browserRandom, browserStore } from '../browser/browser-ports.ts'
import { loadWithRetries } from '../browser/loadable.ts'
import { browserClock } from '../browser/ports.ts'
import type { Flow } from '../flow/flow.ts'
import { createStage } from '../flow/stage.ts'
import { closedView } from '../flow/view.ts'
import { getOwnOrigins, readInlineConfig } from '../host/inline-config.ts'
import { noHost } from '../host/serve.ts'
import type { Settings } from '../host/settings.ts'
import { getDirection, type Language, toLanguage } from '../i18n/languages.ts'
import { texts as shellTexts } from '../i18n/shell-texts.arb'
import { settingsAtom, viewAtom } from '../shell/atoms.ts'
import { mountShell } from '../shell/index.tsx'
import { pageRoot, sayPlainly } from './page-root.ts'

export type TopPage = {
  /** The last segment of the page's path. */
  name: string
  settings: () => Settings
  transport: Transport
  /** Closes the tab if the browser allows it. */
  closePage: () => void
}

export function startTopPage(flow: (page: TopPage) => Flow<void>): void {
  const config = readInlineConfig(document)
  const locale = new URLSearchParams(location.search).get('locale') ?? undefined
  const clock = browserClock
  const settings: Settings = {
    app: config.app,
    config: locale === undefined ? {} : { intl: { locale } },
    hostColorScheme: 'normal',
    ownOrigins: getOwnOrigins(config),
    pageAddress: undefined,
    hostOrigin: null,
    walletOrigin: config.walletOrigin,
    addresses: config.addresses,
  }
  const store = createStore()
  store.set(viewAtom, { ...closedView, open: true, shown: true, standalone: true })
  store.set(settingsAtom, settings)
  const language = toLanguage(locale)
  const load = <T>(code: () => Promise<T>) => loadWithRetries(clock, code)
  const stage = createStage({
    clock,
    host: noHost,
    analytics: () => {},
    standalone: true,
    loading: {
      isLoaded: (screen) => screen.isLoaded(language),
      load: (screen) => load(() => screen.load(language)),
    },
    setView: (view) => store.set(viewAtom, view),
  })
  const { back, close, skip, lose } = stage
  mountShell(pageRoot(), {
    store,
    back,
    close,
    skip,
    lose,
    drawn: () => {},
    focused: () => {},
  })
  const page = flow({
    name: location.pathname.split('/').at(-1) ?? '',
    settings: () => settings,
    transport: createPageTransport(config, language),
    closePage: () => window.close(),
  })
  // No host page receives this failure.
  stage.begin(page).catch(async () => {
    await shellTexts.load(language)
    // After the card is gone, a lost shell is rendered again into a detached element.
    const root = pageRoot()
    root.replaceWith(root.cloneNode())
    Object.assign(document.documentElement, { lang: language, dir: getDirection(language) })
    const { words, again } = shellTexts.in(language).lost
    sayPlainly(words, again)
  })
}

/**
 * No user is logged in on this page, so its calls have no session and no proof. A cookie of this origin identifies a
 * page that began in a window, so the API must be called on this origin.
 */
function createPageTransport({ app }: DialogInlineConfig, language: Language) {
  const ports = { appId: app.id, clock: browserClock, store: browserStore }
  const serverTime = createServerTime(ports)
  return createTransport({
    ...ports,
    apiOrigin: location.origin,
    credentials: 'same-origin',
    fetch: (...call) => fetch(...call),
    network: browserNetwork,
    serverTime,
    random: browserRandom,
    ids: readBrowserIds({ ...ports, random: browserRandom }),
    language: () => language,
    proofs: createProofMaker({
      keys: createIndexedDbProofKeys({ ...ports, database: () => indexedDB }),
      nowMs: serverTime.nowMs,
    }),
    cookieCounter: () => undefined,
  })
}
