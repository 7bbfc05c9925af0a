/** Identical work at once is done once: StrictMode, a double click and a second tab's retry must not make two wallets. */
import { untilAborted } from '../abort.ts'
import { subjectOf } from '../shares/token-subject.ts'

type UnderWay<Output> = { outcome: Promise<Output>; leader: AbortSignal }

/**
 * The first caller leads: its input is what the work is done with. When it leaves before the end, the work is
 * given up, and whoever has waited longest leads anew with an input of its own.
 */
export function merging<Input, Output>(
  keyOf: (input: Input) => string,
  work: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input, signal: AbortSignal) => Promise<Output> {
  const underWay = new Map<string, UnderWay<Output>>()

  async function lead(key: string, input: Input, leader: AbortSignal): Promise<Output> {
    const outcome = untilAborted(work(input, leader), leader).finally(() => underWay.delete(key))
    underWay.set(key, { outcome, leader })
    return outcome
  }

  return async (input, signal) => {
    const key = keyOf(input)
    for (let present = underWay.get(key); present; present = underWay.get(key)) {
      try {
        return await untilAborted(present.outcome, signal)
      } catch (error) {
        if (!present.leader.aborted || signal.aborted) throw error
      }
    }
    return lead(key, input, signal)
  }
}

/** Each call has a token and an operation of its own. What must be the same is what is asked, and whose token it is. */
export function identityOfCreate(call: { accessToken: string; operation: unknown }): string {
  const { accessToken, operation: _own, ...asked } = call
  const fields = Object.entries(asked).sort(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify([subjectOf(accessToken) ?? accessToken, fields])
}
