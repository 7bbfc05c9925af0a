/** Warns about a wrong clock. Tokens, codes and third-party signatures depend on the time. */
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'
import { clockLimits } from './limits.ts'

type Comparison = {
  /** The clock of the server: that of PostgreSQL, or that of this machine. */
  clock: Clock
  machine: Clock
  log: Logger
  /** The time that third parties report, if one has answered. */
  thirdPartyNowMs: () => number | undefined
}

/** Returns a check that logs a difference once, and again after it had disappeared. */
export function createClockCheck({ clock, machine, log, thirdPartyNowMs }: Comparison): () => void {
  const reported = new Set<string>()

  function compare(name: string, differenceMs: number, message: string): void {
    if (Math.abs(differenceMs) <= clockLimits.toleratedMs) {
      reported.delete(name)
      return
    }
    if (reported.has(name)) return
    reported.add(name)
    log.warn({ aheadSeconds: Math.round(differenceMs / 1_000) }, message)
  }

  return () => {
    const nowMs = clock.nowMs()
    compare(
      'machine',
      machine.nowMs() - nowMs,
      'the clock of this machine differs from the clock of the database',
    )
    const othersMs = thirdPartyNowMs()
    if (othersMs === undefined) return
    compare('others', nowMs - othersMs, 'the clock of this server differs from the clocks of third parties')
  }
}
