/** The ports of the capability in addition to the shared ones: windows, storage and providers. */
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

/** The browser features that tests replace. */
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
  /** Returns the server time, or the browser time if no offset is known. */
  nowMs: () => number
}

export function createParts(ports: CapabilityPorts, given?: CrossAppBrowser): CrossAppParts {
  const { clock, store, settings } = ports
  const appId = settings().app.id
  // Read for each call, because a response may have updated the stored offset.
  const nowMs = () => createServerTime({ appId, clock, store }).nowMs()
  /** Adds a deadline, because IndexedDB may never respond. */
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
