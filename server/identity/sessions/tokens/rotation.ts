/**
 * Decides about a refresh token from its session's row alone.
 *
 * The row contains the newest counter and the time when it was issued. Issuing a successor spends a token. While the
 * successor is unused, the spent token returns the identical successor again, so that a lost response, a killed tab or
 * a race ends no session. A short grace period after the first use of the successor has the same purpose. Reuse of an
 * older token means that it or its successor was stolen, so the whole family ends.
 */
import { serverLimits } from '@latchkey/protocol'

export type Rotation =
  /** The newest token, presented for the first time. Its successor becomes the newest. */
  | { type: 'advance'; successor: number }
  /** A spent token. Its successor may be returned again. */
  | { type: 'repeat'; successor: number }
  | { type: 'reuse' }
  /** A counter that was never issued. */
  | { type: 'unknown' }

/** The tokens of every session start at 1. Token 0 starts a fork and can not be refreshed. */
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
