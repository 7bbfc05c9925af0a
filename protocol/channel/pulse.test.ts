import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPulse } from './open.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function makePulse() {
  const beats: PromiseWithResolvers<void>[] = []
  const onSilent = vi.fn()
  const beat = vi.fn(() => {
    const answer = Promise.withResolvers<void>()
    beats.push(answer)
    return answer.promise
  })
  return { pulse: createPulse(beat, onSilent), beat, onSilent, answer: () => beats.at(-1)?.resolve() }
}

it('a pulse beats every five seconds while it is active', () => {
  const { pulse, beat } = makePulse()
  pulse.keep(false)
  vi.advanceTimersByTime(60_000)
  expect(beat).not.toHaveBeenCalled()
  pulse.keep(true)
  vi.advanceTimersByTime(4_999)
  expect(beat).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(beat).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(5_000)
  expect(beat).toHaveBeenCalledTimes(2)
  pulse.keep(false)
  vi.advanceTimersByTime(60_000)
  expect(beat).toHaveBeenCalledTimes(2)
})

it('a pulse reports silence when a third beat is due after two unanswered ones', async () => {
  const { pulse, beat, onSilent } = makePulse()
  pulse.keep(true)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(onSilent).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onSilent).toHaveBeenCalledTimes(1)
  expect(beat).toHaveBeenCalledTimes(2)
})

it('a pulse counts from the last answer', async () => {
  const { pulse, onSilent, answer } = makePulse()
  pulse.keep(true)
  for (let beat = 0; beat < 6; beat += 1) {
    await vi.advanceTimersByTimeAsync(5_000)
    answer()
  }
  await vi.advanceTimersByTimeAsync(14_999)
  expect(onSilent).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onSilent).toHaveBeenCalledTimes(1)
})

it('a pulse that is activated twice keeps its rhythm', () => {
  const { pulse, beat } = makePulse()
  pulse.keep(true)
  vi.advanceTimersByTime(3_000)
  pulse.keep(true)
  vi.advanceTimersByTime(2_000)
  expect(beat).toHaveBeenCalledTimes(1)
})

it('a restarted pulse has its full deadline', async () => {
  const { pulse, onSilent } = makePulse()
  pulse.keep(true)
  await vi.advanceTimersByTimeAsync(12_000)
  pulse.keep(false)
  pulse.keep(true)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(onSilent).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onSilent).toHaveBeenCalledTimes(1)
})
