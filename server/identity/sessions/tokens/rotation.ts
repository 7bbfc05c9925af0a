/**
 * What a refresh token is worth, seen from the session's row alone.
 *
 * Tokens of a session are numbered; the row holds the newest number that was given out, and when that was. A
 * token is spent by giving out its successor. While the successor is unused the spent token gives the identical
 * successor again, so a lost answer, a killed tab or a race costs nobody their session; for a short grace after
 * the successor was first used too. A token spent longer ago is in the wrong hands, or its successor is: nobody
 * can tell which, so the whole family ends.
 */
import { serverLimits } from '@latchkey/protocol'

export type Rotation =
  /** The newest token, for the first time: this successor becomes the newest. */
  | { type: 'advance'; successor: number }
  /** A spent token whose successor may still be given again. */
  | { type: 'repeat'; successor: number }
  | { type: 'reuse' }
  /** A number that was never given out. */
  | { type: 'unknown' }

/** Every session's tokens start with 1. Number 0 starts a fork, and is of no use in a refresh. */
export const firstCounter = 1
export const forkedTokenCounter = 0

export function rotate(
  session: { counter: number; rotated_at_ms: number },
  presented: number,
  nowMs: number,
  lowest: number = firstCounter,
): Rotation {
  const { counter, rotated_at_ms } = session
  if (presented > counter || presented < lowest) return { type: 'unknown' }
  if (presented === counter) return { type: 'advance', successor: counter + 1 }
  if (presented === counter - 1) return { type: 'repeat', successor: counter }
  const withinGrace = nowMs < rotated_at_ms + serverLimits.successorGraceSeconds * 1_000
  if (presented === counter - 2 && withinGrace) return { type: 'repeat', successor: counter - 1 }
  return { type: 'reuse' }
}
