import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rotate } from './rotation.ts'

const session = { counter: 7, rotated_at_ms: 1_000_000 }
const at = (presented: number, sinceMs: number) => rotate(session, presented, session.rotated_at_ms + sinceMs)

test('the newest token advances to its successor', () => {
  expect(at(7, 0)).toEqual({ type: 'advance', successor: 8 })
})

test('the parent token repeats the identical successor while it is unused', () => {
  expect(at(6, 0)).toEqual({ type: 'repeat', successor: 7 })
  expect(at(6, 29 * 86_400_000)).toEqual({ type: 'repeat', successor: 7 })
})

test('a token whose successor was used repeats for ten seconds, then counts as reuse', () => {
  expect(at(5, 0)).toEqual({ type: 'repeat', successor: 6 })
  expect(at(5, 9_999)).toEqual({ type: 'repeat', successor: 6 })
  expect(at(5, 10_000)).toEqual({ type: 'reuse' })
})

test('an older token counts as reuse immediately', () => {
  expect(at(4, 0)).toEqual({ type: 'reuse' })
  expect(at(1, 0)).toEqual({ type: 'reuse' })
})

test('an unissued token and a fork’s token are unknown', () => {
  expect(at(8, 0)).toEqual({ type: 'unknown' })
  expect(at(0, 0)).toEqual({ type: 'unknown' })
  expect(rotate({ counter: 1, rotated_at_ms: 0 }, 0, 0)).toEqual({ type: 'unknown' })
})

test('a fork’s start token repeats like any parent', () => {
  const start = (counter: number, sinceMs: number) => rotate({ counter, rotated_at_ms: 0 }, 0, sinceMs, 0)
  expect(start(0, 0)).toEqual({ type: 'advance', successor: 1 })
  expect(start(1, 86_400_000)).toEqual({ type: 'repeat', successor: 1 })
  expect(start(2, 9_999)).toEqual({ type: 'repeat', successor: 1 })
  expect(start(2, 10_000)).toEqual({ type: 'reuse' })
})

test('a returned successor was always issued before or is the next one', () => {
  const counts = fc.integer({ min: 0, max: 50 })
  fc.assert(
    fc.property(counts, counts, fc.integer({ min: 0, max: 100_000 }), (counter, presented, sinceMs) => {
      const rotation = rotate({ counter, rotated_at_ms: 5_000 }, presented, 5_000 + sinceMs)
      if (!('successor' in rotation)) return
      expect(rotation.successor).toBe(presented + 1)
      expect(rotation.successor).toBeLessThanOrEqual(counter + 1)
      expect(rotation.successor).toBeGreaterThanOrEqual(counter - 1)
      expect(rotation.type).toBe(presented === counter ? 'advance' : 'repeat')
    }),
  )
})
