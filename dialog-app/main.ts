/**
 * Starts the dialog's page. The core runs at once and serves the calls that need no screen; flows and face come
 * when the page is idle, or with the first call that needs them.
 */
import { apiLimits, type DialogInlineConfig, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { indexedDbProofKeys } from './api/proof-keys.ts'
import { browserLocks, browserNotices, browserRandom, browserStore } from './browser-ports.ts'
import type { Core } from './core.ts'
import { madeMethods } from './flows/made-methods.ts'
import { idleLoginMethods } from './host/idle-login-methods.ts'
import { readInlineConfig } from './host/inline-config.ts'
import { takeOneUseCode } from './host/one-use-code.ts'
import { serveHost } from './host/serve.ts'
import { browserClock } from './ports.ts'
import { cookieMarker, noMarker } from './session/marker.ts'
import { startCore } from './start-core.ts'
import type { StartedDialog } from './start-dialog.ts'
import { wait } from './waiting.ts'
import { mountHiddenFrame, openWalletChannel, walletFrameUrl } from './wallet/frame.ts'

// Before anything else, so that no code stays in an address that is copied, or in a history.
const oneUseCode = takeOneUseCode(window)

function start(config: DialogInlineConfig): void {
  const { app, hostOrigin, walletOrigin, sessionMode, isolated } = config
  const isFramed = window.parent !== window
  let started: Promise<StartedDialog> | undefined

  function dialog(): Promise<StartedDialog> {
    started ??= Promise.all([persistently(() => import('./start-dialog.ts')), preloadFace()]).then(
      ([{ startDialog }]) => {
        const begun = startDialog(running)
        showFace(begun.core)
        return begun
      },
    )
    started.catch(() => {
      started = undefined
    })
    return started
  }

  const running = startCore(config, {
    fetch: (...call) => fetch(...call),
    clock: browserClock,
    random: browserRandom,
    store: browserStore,
    locks: browserLocks,
    notices: browserNotices(app.id),
    marker: sessionMode === 'cookie' ? cookieMarker(app.id, document) : noMarker,
    proofKeys: indexedDbProofKeys({ appId: app.id, clock: browserClock, database: () => indexedDB }),
    mountWalletFrame: (analyticsId) =>
      mountHiddenFrame(document, walletFrameUrl({ walletOrigin, appId: app.id, analyticsId, isolated })),
    openWalletChannel: openWalletChannel(walletOrigin),
    serveHost:
      isFramed && hostOrigin !== null
        ? (ports) => serveHost({ ...ports, target: { window: window.parent, origin: hostOrigin } })
        : undefined,
    dialog: async () => (await dialog()).dialog,
    idleSettings: (settings) => idleLoginMethods(settings, madeMethods),
    oneUseCode,
  })
  if (running.standalone) dialog().catch(explain)
  else whenIdle(() => void dialog().catch(() => {}))
}

const importFace = () => import('./face/index.tsx')

/** Beside the flows, not after them; whether it came is found out when it is shown. */
const preloadFace = () => void importFace().catch(() => {})

function showFace(core: Core): void {
  persistently(importFace).then(
    ({ mountFace }) => mountFace(root(), core),
    () => {
      // A dialog that can not be seen must not keep the host's page waiting behind it.
      const closeUnseen = () => {
        if (core.store.get(core.viewAtom).open) core.send({ type: 'close' })
      }
      core.store.sub(core.viewAtom, closeUnseen)
      closeUnseen()
    },
  )
}

/** Scripts are asked for with the same patience as calls. */
async function persistently<T>(load: () => Promise<T>): Promise<T> {
  let delayMs: number = apiLimits.firstRetryDelayMs
  for (let retried = 0; ; retried += 1) {
    try {
      return await load()
    } catch (cause) {
      if (retried === apiLimits.retries) {
        throw new LatchkeyError('server_unreachable', 'The dialog could not be loaded.', { cause })
      }
      await wait(browserClock, delayMs)
      delayMs *= apiLimits.retryDelayFactor
    }
  }
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
  start(readInlineConfig(document))
} catch (error) {
  explain(error)
  throw error
}
