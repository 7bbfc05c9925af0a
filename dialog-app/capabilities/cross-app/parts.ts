/** What the capability runs on beside the ports of all: a browser's windows, its stores, and the providers. */
import { sessionLimits } from '@latchkey/protocol'
import { createServerTime } from '../../api/server-time.ts'
import { browserLocks } from '../../browser/browser-ports.ts'
import type { Locks } from '../../browser/ports.ts'
import { storageUnavailable } from '../../browser/storage.ts'
import { withDeadline } from '../../browser/waiting.ts'
import type { Fetch } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type WindowBrowser, windowBrowser } from '../../window-login/browser.ts'
import { type Connections, createConnections } from './connections.ts'
import { indexedDbRows, rowsWithFallback, type TokenRows } from './provider/token-rows.ts'
import { createTokens, type ProviderTokens } from './provider/tokens.ts'

/** Of a test its own; of a browser, its. */
export type CrossAppBrowser = {
  window: WindowBrowser
  fetch: Fetch
  rows: TokenRows
  locks: Locks
}

export type CrossAppParts = CapabilityPorts & {
  browser: () => WindowBrowser
  fetch: Fetch
  connections: Connections
  tokens: ProviderTokens
  /** By the server's clock, as far as it is known. */
  nowMs: () => number
}

export function createParts(ports: CapabilityPorts, given?: CrossAppBrowser): CrossAppParts {
  const { clock, store, settings } = ports
  const appId = settings().app.id
  // It may have been measured since.
  const nowMs = () => createServerTime({ appId, clock, store }).nowMs()
  /** A browser may never answer. */
  const inTime = <T>(running: Promise<T>) =>
    withDeadline(clock, sessionLimits.proofKeyDeadlineMs, running, () => storageUnavailable())
  const rows =
    given?.rows ??
    rowsWithFallback(
      indexedDbRows(appId, () => indexedDB),
      inTime,
    )
  return {
    ...ports,
    browser: () => given?.window ?? windowBrowser(window),
    fetch: given?.fetch ?? ((...call) => fetch(...call)),
    connections: createConnections(ports),
    tokens: createTokens({ ...ports, rows, locks: given?.locks ?? browserLocks, nowMs }),
    nowMs,
  }
}
