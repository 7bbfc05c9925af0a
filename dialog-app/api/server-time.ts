/**
 * The server's time, on which token expiry and proof ages are based. The `Date` header of responses gives the offset
 * of the browser's clock. The offset is stored for the first call of the next visit.
 */
import { product, sessionLimits } from '@latchkey/protocol'
import type { Clock, KeyValueStore } from '../browser/ports.ts'

const negligibleMs = (sessionLimits.activeLeftSeconds * 1_000) / 2

export type ServerTime = {
  nowMs: () => number
  /** Updates the offset from a `Date` header. Returns whether the clock was wrong. */
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
        // Without storage, the next visit measures it again.
      }
      return true
    },
  }
}

function readOffset(store: KeyValueStore, name: string): number {
  try {
    const storedOffset = Number(store.read(name))
    return Number.isFinite(storedOffset) ? storedOffset : 0
  } catch {
    return 0
  }
}
