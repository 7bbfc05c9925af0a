/**
 * Starts the dialog's page. The core runs at once, without React; the face comes when the page is idle, or when
 * there is something to see.
 */
import { apiLimits, type DialogInlineConfig, toLatchkeyError } from '@latchkey/protocol'
import { indexedDbProofKeys } from './api/proof-keys.ts'
import { browserLocks, browserNotices, browserRandom, browserStore } from './browser-ports.ts'
import type { Core } from './core.ts'
import { readInlineConfig } from './host/inline-config.ts'
import { takeOneUseCode } from './host/one-use-code.ts'
import { serveHost } from './host/serve.ts'
import { browserClock, wait } from './ports.ts'
import { cookieMarker, noMarker } from './session/marker.ts'
import { startCore } from './start-core.ts'
import { mountHiddenFrame, openWalletChannel, walletFrameUrl } from './wallet/frame.ts'

// Before anything else, so that no code stays in an address that is copied, or in a history.
const oneUseCode = takeOneUseCode(window)

function start(config: DialogInlineConfig): Core {
  const { app, hostOrigin, walletOrigin, sessionMode } = config
  const isFramed = window.parent !== window
  return startCore(config, {
    fetch: (...call) => fetch(...call),
    clock: browserClock,
    random: browserRandom,
    store: browserStore,
    locks: browserLocks,
    notices: browserNotices(app.id),
    marker: sessionMode === 'cookie' ? cookieMarker(app.id, document) : noMarker,
    proofKeys: indexedDbProofKeys(app.id),
    mountWalletFrame: (analyticsId) =>
      mountHiddenFrame(document, walletFrameUrl({ walletOrigin, appId: app.id, analyticsId })),
    openWalletChannel: openWalletChannel(walletOrigin),
    serveHost:
      isFramed && hostOrigin !== null
        ? (ports) => serveHost({ ...ports, target: { window: window.parent, origin: hostOrigin } })
        : undefined,
    oneUseCode,
  })
}

/** Ahead of its use when the page is idle, else with its use. */
function bringFace(core: Core): void {
  let coming = false
  const isOpen = () => core.store.get(core.viewAtom).open
  async function bring() {
    if (coming) return
    coming = true
    const module = await importFace()
    if (module) module.mountFace(root(), core)
    else {
      coming = false
      // A dialog that can not be seen must not keep the host's page waiting behind it.
      if (isOpen()) core.send({ type: 'close' })
    }
  }
  core.store.sub(core.viewAtom, () => {
    if (isOpen()) void bring()
  })
  if (isOpen()) void bring()
  else whenIdle(bring)
}

/** With the same patience as a call of the server. */
async function importFace() {
  let delayMs: number = apiLimits.firstRetryDelayMs
  for (let retried = 0; retried <= apiLimits.retries; retried += 1) {
    try {
      return await import('./face/index.tsx')
    } catch {
      await wait(browserClock, delayMs)
      delayMs *= apiLimits.retryDelayFactor
    }
  }
  return undefined
}

const whenIdle = (run: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(run) : setTimeout(run)

function root(): HTMLElement {
  const found = document.getElementById('root')
  if (found) return found
  const made = document.createElement('div')
  made.id = 'root'
  document.body.append(made)
  return made
}

/** Nothing can be shown in the app's own clothes: in plain words, then. */
function explain(error: unknown): void {
  const { code, message } = toLatchkeyError(error, 'internal_error', 'This page can not start')
  const words = document.createElement('p')
  words.role = 'alert'
  words.textContent = `${message} (${code}).`
  document.body.append(words)
}

try {
  bringFace(start(readInlineConfig(document)))
} catch (error) {
  explain(error)
  throw error
}
