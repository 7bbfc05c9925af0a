/** Proofs age by the server's time, and a browser's clock may be hours off: the `Date` of every answer says by how much. */

/** An answer was on its way for a moment, and says whole seconds. */
const negligibleMs = 5_000

export type ServerTime = {
  readonly nowSeconds: () => number
  /** Takes the `Date` of an answer. */
  readonly learn: (dateHeader: string | null) => void
}

export function createServerTime(nowMs: () => number): ServerTime {
  let offsetMs = 0
  return {
    nowSeconds: () => Math.floor((nowMs() + offsetMs) / 1_000),
    learn(dateHeader) {
      const measuredMs = Date.parse(dateHeader ?? '') - nowMs()
      if (!Number.isNaN(measuredMs)) offsetMs = Math.abs(measuredMs) < negligibleMs ? 0 : measuredMs
    },
  }
}
