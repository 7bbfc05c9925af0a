/**
 * A statement about a wallet, with its proof. Works with any runner: `for (const { name, prove } of facts)
 * test(name, prove)`.
 */
export type Fact = { name: string; prove: () => Promise<void> }

export const fact = (name: string, prove: () => Promise<void>): Fact => ({ name, prove })

/** The wallet's user, simulated by the test runner. */
export type WalletUser = {
  /** Approves every prompt until the promise settles, logging in if necessary. */
  approve<T>(call: Promise<T>): Promise<T>
  /** Refuses or closes every prompt. Settles like the promise. */
  refuse<T>(call: Promise<T>): Promise<T>
  /** Logs out outside the tested object, for example in another tab. */
  logOut(): Promise<void>
  /** Returns how often the user was prompted. */
  timesAsked(): Promise<number>
}

export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
}

export function holds(condition: boolean, sentence: string, seen?: unknown): asserts condition {
  if (!condition) throw new ConformanceError(`${sentence}; it was ${format(seen)}`)
}
export const isSame = (seen: unknown, expected: unknown, what: string) =>
  holds(format(seen) === format(expected), `${what} must be ${format(expected)}`, seen)

/** Returns the error of a promise. Throws if it resolves. */
export async function getFailure(call: Promise<unknown>, what: string): Promise<Failure> {
  try {
    const result = await call
    throw new ConformanceError(`${what} must reject; it resolved with ${format(result)}`)
  } catch (error) {
    if (error instanceof ConformanceError) throw error
    return error as Failure
  }
}
export type Failure = Error & { code?: unknown; cause?: Failure }

/** Returns the error and its causes, the nearest first. */
export const listCauses = (failure: Failure | undefined): readonly Failure[] =>
  failure ? [failure, ...listCauses(failure.cause)] : []

/** Polls until the value is as expected. */
export async function becomes(read: () => unknown, expected: unknown, what: string): Promise<void> {
  const untilMs = Date.now() + DEADLINE_MS
  while (format(read()) !== format(expected)) {
    if (Date.now() > untilMs) isSame(read(), expected, what)
    await pause(POLL_MS)
  }
}
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const DEADLINE_MS = 10_000
const POLL_MS = 20

const format = (value: unknown): string =>
  value instanceof Error
    ? `${value.name} (${Reflect.get(value, 'code')}): ${value.message}`
    : (JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? String(value))
