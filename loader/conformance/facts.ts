/** A sentence about a wallet, and what shows it. Any runner takes it: `for (const { name, prove } of facts) test(name, prove)`. */
export type Fact = { name: string; prove: () => Promise<void> }

export const fact = (name: string, prove: () => Promise<void>): Fact => ({ name, prove })

/** Who has the wallet, as the runner plays them. */
export type WalletUser = {
  /** Agrees to whatever they are asked for until `asked` settles, logging in where they have to. */
  approve<T>(asked: Promise<T>): Promise<T>
  /** Refuses it, or closes what was opened. Settles as `asked` does. */
  refuse<T>(asked: Promise<T>): Promise<T>
  /** Logs out by other means than what is tested, as in another tab. */
  logOut(): Promise<void>
  /** How often something was opened for them to see. */
  timesAsked(): Promise<number>
}

export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
}

export function holds(condition: boolean, sentence: string, seen?: unknown): asserts condition {
  if (!condition) throw new ConformanceError(`${sentence}; it was ${shown(seen)}`)
}
export const isSame = (seen: unknown, wanted: unknown, what: string) =>
  holds(shown(seen) === shown(wanted), `${what} is to be ${shown(wanted)}`, seen)

/** What it rejects with; that it does not reject is a failure. */
export async function failureOf(asked: Promise<unknown>, what: string): Promise<Failure> {
  try {
    const answer = await asked
    throw new ConformanceError(`${what} is to be refused; it answered ${shown(answer)}`)
  } catch (error) {
    if (error instanceof ConformanceError) throw error
    return error as Failure
  }
}
export type Failure = Error & { code?: unknown; cause?: Failure }

/** It and its causes, the nearest first. */
export const causesOf = (failure: Failure | undefined): readonly Failure[] =>
  failure ? [failure, ...causesOf(failure.cause)] : []

/** Looks again until it is so, for as long as a person would wait. */
export async function becomes(look: () => unknown, wanted: unknown, what: string): Promise<void> {
  const untilMs = Date.now() + PATIENCE_MS
  while (shown(look()) !== shown(wanted)) {
    if (Date.now() > untilMs) isSame(look(), wanted, what)
    await pause(LOOK_MS)
  }
}
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const PATIENCE_MS = 10_000
const LOOK_MS = 20

const shown = (value: unknown): string =>
  value instanceof Error
    ? `${value.name} (${Reflect.get(value, 'code')}): ${value.message}`
    : (JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? String(value))
