/**
 * The server's time. Tokens expire and proofs age by it, and a browser's clock may be hours off: the `Date` of
 * every answer says by how much. Kept, so that the first call of the next visit is right too.
 */
import { product, sessionLimits } from '@latchkey/protocol'
import type { Clock, KeyValueStore } from '../browser/ports.ts'

const negligibleMs = (sessionLimits.activeLeftSeconds * 1_000) / 2

export type ServerTime = {
  nowMs: () => number
  /** Takes the `Date` header of an answer; tells whether the clock was found wrong by it. */
  learn: (dateHeader: string | null) => boolean
}

export function createServerTime(ports: { appId: string; clock: Clock; store: KeyValueStore }): ServerTime {
  const { clock, store } = ports
  const name = product.storageName(ports.appId, 'clock-offset')
  let offsetMs = readOffset(store, name)
  return {
    nowMs: () => clock.nowMs() + offsetMs,
    learn(dateHeader) {
      const serverMs = Date.parse(dateHeader ?? '')
      if (Number.isNaN(serverMs)) return false
      const measuredMs = serverMs - clock.nowMs()
      const nextMs = Math.abs(measuredMs) < negligibleMs ? 0 : measuredMs
      if (Math.abs(nextMs - offsetMs) < negligibleMs) return false
      offsetMs = nextMs
      try {
        store.write(name, String(offsetMs))
      } catch {
        // Without storage it is measured again at the next visit.
      }
      return true
    },
  }
}

function readOffset(store: KeyValueStore, name: string): number {
  try {
    const kept = Number(store.read(name))
    return Number.isFinite(kept) ? kept : 0
  } catch {
    return 0
  }
}
