import { expect, test } from 'vitest'
import { makeFakeClock } from '../testing/clock.ts'
import { createLaterAnalytics } from './later-analytics.ts'

function setUp() {
  const clock = makeFakeClock()
  const sent: string[] = []
  return { clock, sent, ...createLaterAnalytics((name) => void sent.push(name), clock) }
}

test('what is counted while a card opens is sent when it has the focus, in its order', () => {
  const { analytics, hold, release, sent } = setUp()
  analytics('sdk_initialize')
  hold()
  analytics('modal_open')
  analytics('modal_closed')
  expect(sent).toEqual(['sdk_initialize'])
  release()
  expect(sent).toEqual(['sdk_initialize', 'modal_open', 'modal_closed'])
})

test('a card that is never drawn keeps them 5 s at most', async () => {
  const { analytics, clock, hold, sent } = setUp()
  hold()
  analytics('modal_open')
  await clock.advance(4_999)
  expect(sent).toEqual([])
  await clock.advance(1)
  expect(sent).toEqual(['modal_open'])
})
