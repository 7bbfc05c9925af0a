import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { createShared } from './shared.ts'

const gone = new LatchkeyError('call_cancelled', 'Gone')

function setUp() {
  const join = createShared<string>()
  const runs: { signal: AbortSignal; resolve: (value: string) => void }[] = []
  const run = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      runs.push({ signal, resolve })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { runs, ask: (signal?: AbortSignal) => watch(join(run, signal)) }
}

test('shares a run among concurrent callers, and starts another for later ones', async () => {
  const { runs, ask } = setUp()
  const both = [ask(), ask()]
  runs[0]?.resolve('first')
  await settle()
  expect(both.map(({ value }) => value)).toEqual(['first', 'first'])
  ask()
  expect(runs).toHaveLength(2)
})

test('rejects an aborted caller and keeps the run for the others', async () => {
  const { runs, ask } = setUp()
  const caller = new AbortController()
  const [leaving, staying] = [ask(caller.signal), ask()]
  caller.abort(gone)
  await settle()
  expect(leaving.error).toBe(gone)
  expect(runs[0]?.signal.aborted).toBe(false)
  runs[0]?.resolve('done')
  await settle()
  expect(staying.value).toBe('done')
})

test('aborts the run with its last caller, and starts another for the next', async () => {
  const { runs, ask } = setUp()
  const callers = [new AbortController(), new AbortController()]
  const asked = callers.map(({ signal }) => ask(signal))
  callers[0]?.abort(gone)
  expect(runs[0]?.signal.aborted).toBe(false)
  callers[1]?.abort(gone)
  expect(runs[0]?.signal.aborted).toBe(true)
  const next = ask()
  expect(runs).toHaveLength(2)
  runs[1]?.resolve('anew')
  await settle()
  expect(asked.map(({ error }) => error)).toEqual([gone, gone])
  expect(next.value).toBe('anew')
})

test('starts no run for an aborted caller', async () => {
  const { runs, ask } = setUp()
  const asked = ask(AbortSignal.abort(gone))
  await settle()
  expect(asked.error).toBe(gone)
  expect(runs).toHaveLength(0)
})
