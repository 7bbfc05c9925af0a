import { expect, test } from 'vitest'
import { makeFakeClock } from '../testing/clock.ts'
import { createDeferral } from './start-core.ts'

function setUp() {
  const clock = makeFakeClock()
  const done: string[] = []
  const deferral = createDeferral(clock)
  return { ...deferral, clock, done, run: (name: string) => deferral.run(() => done.push(name)) }
}

test('runs deferred work in order once the opening card has the focus', () => {
  const { run, hold, release, done } = setUp()
  run('sdk_initialize')
  hold()
  run('modal_open')
  run('modal_closed')
  expect(done).toEqual(['sdk_initialize'])
  release()
  expect(done).toEqual(['sdk_initialize', 'modal_open', 'modal_closed'])
  run('after it')
  expect(done.at(-1)).toBe('after it')
})

test('runs deferred work after 5 s at most if the card is never drawn', async () => {
  const { run, clock, hold, done } = setUp()
  hold()
  run('modal_open')
  await clock.advance(4_999)
  expect(done).toEqual([])
  await clock.advance(1)
  expect(done).toEqual(['modal_open'])
})
