/**
 * Merges identical concurrent calls: StrictMode, a double click or a retry in a second tab must not create
 * two wallets.
 */
import { untilAborted } from '../abort.ts'
import { findSubject } from '../shares/token-subject.ts'

type PendingCall<Output> = { outcome: Promise<Output>; leader: AbortSignal }

/**
 * Returns a function that merges concurrent calls with the same key. The first caller leads, and its input is
 * used. If it aborts, its work stops, and the caller that has waited longest leads again with its own input.
 */
export function mergeCalls<Input, Output>(
  getKey: (input: Input) => string,
  work: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input, signal: AbortSignal) => Promise<Output> {
  const pending = new Map<string, PendingCall<Output>>()

  async function lead(key: string, input: Input, leader: AbortSignal): Promise<Output> {
    const outcome = untilAborted(work(input, leader), leader).finally(() => pending.delete(key))
    pending.set(key, { outcome, leader })
    return outcome
  }

  return async (input, signal) => {
    const key = getKey(input)
    for (let present = pending.get(key); present; present = pending.get(key)) {
      try {
        return await untilAborted(present.outcome, signal)
      } catch (error) {
        if (!present.leader.aborted || signal.aborted) throw error
      }
    }
    return lead(key, input, signal)
  }
}

/**
 * Returns the key by which creations are merged: the token's subject and the inputs, without token and
 * operation.
 */
export function getCreateKey(call: { accessToken: string; operation: unknown; place?: unknown }): string {
  const { accessToken, operation: _own, place: _slot, ...inputs } = call
  const fields = Object.entries(inputs).sort(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify([findSubject(accessToken) ?? accessToken, fields])
}
