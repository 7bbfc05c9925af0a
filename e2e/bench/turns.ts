/** Alternates two servers on the same work, so that other load on the machine affects both. */
import { load } from './server.ts'
import { line, median } from './statistics.ts'

export type Side = {
  work: (worker: number) => Promise<unknown>
  /** The number of concurrent workers. */
  workers?: number
  /** Returns the CPU time of each measured process so far. */
  cpuMs: () => Readonly<Record<string, number>>
}

/** The cost and duration of one unit of work in one turn. */
export type Turn = {
  perSecond: number
  waitMs: number
  cpuMs: Readonly<Record<string, number>>
}
export type Pair = { one: Turn; other: Turn }

/** An odd number, so that the median is a measured value. */
const TURNS = 9

/** Runs both sides in turns. The first turn of each is a warm-up and does not count. */
export async function inTurns(count: number, one: Side, other: Side): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const pair = { one: await measureTurn(count, one), other: await measureTurn(count, other) }
    if (turn > 0) pairs.push(pair)
  }
  return pairs
}

async function measureTurn(count: number, { work, workers, cpuMs }: Side): Promise<Turn> {
  const waits: number[] = []
  const cpuBefore = cpuMs()
  const startedAt = performance.now()
  const timed = async (worker: number) => {
    const askedAt = performance.now()
    await work(worker)
    waits.push(performance.now() - askedAt)
  }
  await load(count, timed, workers)
  const ms = performance.now() - startedAt
  const after = Object.entries(cpuMs())
  return {
    perSecond: (count / ms) * 1_000,
    waitMs: median(waits),
    cpuMs: Object.fromEntries(after.map(([name, value]) => [name, (value - (cpuBefore[name] ?? 0)) / count])),
  }
}

/** Prints the ratio over pairs of turns, and the medians. */
export function ratio(
  label: string,
  pairs: readonly Pair[],
  of: (turn: Turn) => number | undefined,
  { unit, note = '' }: { unit: string; note?: string },
): void {
  const value = (turn: Turn) => of(turn) ?? Number.NaN
  const middle = (side: keyof Pair) => median(pairs.map((pair) => value(pair[side]))).toFixed(2)
  line(
    label,
    pairs.map(({ one, other }) => value(one) / value(other)),
    '×',
    `${middle('one')} beside ${middle('other')} ${unit}${note && ` (${note})`}`,
  )
}
