/**
 * Starts the dialog's page. The core starts at once and serves calls without a screen. Capabilities and shell load
 * when the page is idle, or at once for a waiting call.
 */
import { type AppConfig, type DialogInlineConfig, loginSettings, toLatchkeyError } from '@latchkey/protocol'
import { takeUrlParameters } from '@latchkey/protocol/host'
import { createIndexedDbProofKeys } from '../api/proof-keys.ts'
import {
  browserLocks,
  browserNetwork,
  browserNotices,
  browserRandom,
  browserStore,
} from '../browser/browser-ports.ts'
import { loadWithRetries } from '../browser/loadable.ts'
import { browserClock } from '../browser/ports.ts'
import type { PageOfAuthorization } from '../capabilities/authorize.ts'
import { usedSettings } from '../capabilities/client-settings.ts'
import type { Capability } from '../contract/capability.ts'
import { idleClientSettings, idleLoginMethods } from '../host/idle-settings.ts'
import { readInlineConfig } from '../host/inline-config.ts'
import { serveHost } from '../host/serve.ts'
import { createCookieMarker, noMarker } from '../session/marker.ts'
import type { StartedDialog } from './lazy/start-dialog.ts'
import { pageRoot, sayPlainly } from './page-root.ts'
import { showShell } from './show-shell.ts'
import { type BrowserPorts, startCore } from './start-core.ts'

// First of all, so that no code stays in a URL that is copied or stored in the history.
const parameters = takeUrlParameters()

function start(config: DialogInlineConfig, authorization?: PageOfAuthorization): void {
  const { app, hostOrigin, sessionMode } = config
  const isFramed = window.parent !== window
  /** Whether this page is `open.html`. */
  const callWaits = document.documentElement.hasAttribute('data-call-waits')
  let started: Promise<StartedDialog> | undefined

  function dialog(): Promise<StartedDialog> {
    started ??= Promise.all([
      load(() => import('./lazy/start-dialog.ts')),
      importWithSetting(app),
      preloadShell(),
    ]).then(([{ startDialog }, withSetting]) => {
      const startedDialog = authorization
        ? startDialog(authorization.coreFor(running), [authorization.capability, ...withSetting])
        : startDialog(running, withSetting)
      const { core, isOpen, watch } = startedDialog
      const mount = async () => void (await load(importShell)).mountShell(pageRoot(), core)
      showShell({
        isOpen,
        watch,
        mount,
        onMissing(error) {
          core.lose(error)
          startAnew()
          // No host page receives this failure.
          if (running.standalone) showStartProblem(error)
        },
      })
      return startedDialog
    })
    started.catch(() => {
      started = undefined
    })
    return started
  }

  const ports: BrowserPorts = {
    fetch: (...call) => fetch(...call),
    clock: browserClock,
    network: browserNetwork,
    random: browserRandom,
    store: browserStore,
    locks: browserLocks,
    notices: browserNotices(app.id),
    marker: sessionMode === 'cookie' ? createCookieMarker(app.id, document) : noMarker,
    proofKeys: createIndexedDbProofKeys({ appId: app.id, clock: browserClock, database: () => indexedDB }),
    loadWallet: async (parts) => {
      const { startWallet } = await load(() => import('../wallet/start-wallet.ts'))
      return startWallet(config, document, parts)
    },
    serveHost:
      isFramed && hostOrigin !== null
        ? (ports) => serveHost({ ...ports, target: { window: window.parent, origin: hostOrigin } })
        : undefined,
    dialog: async () => {
      const starting = dialog()
      starting.catch(startAnew)
      return (await starting).dialog
    },
    idleSettings: (settings) => [
      ...idleLoginMethods(settings.config),
      ...idleClientSettings(settings.config, usedSettings),
    ],
    parameters,
    whenIdle,
    callWaits,
    isHostUnnamed: !('ancestorOrigins' in location),
  }
  const running = startCore(config, authorization?.portsFor(ports) ?? ports)
  if (running.standalone) {
    dialog()
      .then(async (begun) => {
        // Resumes a returning full-page login first. A new login would start too early and miss it.
        await running.resumed()
        await begun.dialog.runStandalone()
      })
      .catch(showStartProblem)
  } else if (callWaits) dialog().catch(() => {})
  else whenIdle(() => void dialog().catch(() => {}))
}

const load = <T>(code: () => Promise<T>) => loadWithRetries(browserClock, code)
const importShell = () => import('../shell/index.tsx')

async function importWithSetting(app: AppConfig): Promise<readonly Capability[]> {
  const hasMore = loginSettings.some((setting) => setting !== 'emailAuth' && app[setting])
  // A host page may enable a captcha if the app has a key.
  if (!hasMore && app.captchaSiteKey === null) return []
  return (await load(() => import('../capabilities/lazy/with-setting.ts'))).withSetting
}

/** Loads in parallel with the capabilities; a failure is handled when it is shown. */
const preloadShell = () => void importShell().catch(() => {})

/**
 * Reloads the page, if the server has it. Engines may cache a failed module load for the lifetime of a document
 * (https://github.com/whatwg/html/pull/10327).
 */
function startAnew(): void {
  fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok && location.reload(),
    () => {},
  )
}

function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else setTimeout(run)
}

function showStartProblem(error: unknown): void {
  const { code, message } = toLatchkeyError(error, 'internal_error', 'The page could not start')
  sayPlainly(`${message} (${code}).`, 'Try again')
}

async function startAuthorization(config: DialogInlineConfig): Promise<void> {
  const { authorizationPage } = await load(() => import('../capabilities/authorize.ts'))
  start(config, await authorizationPage(config, window))
}

try {
  const config = readInlineConfig(document)
  if (config.handover) startAuthorization(config).catch(showStartProblem)
  else start(config)
} catch (error) {
  showStartProblem(error)
  throw error
}
