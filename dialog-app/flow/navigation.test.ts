import { expect, test } from 'vitest'
import { type Move, move, type Navigation, nowhere } from './navigation.ts'

type Screen = { name: string; state?: string }
const landing: Screen = { name: 'LANDING' }
const code: Screen = { name: 'CODE' }
const problem: Screen = { name: 'PROBLEM' }
const first: Navigation<Screen> = nowhere
const after = (...moves: Move<Screen>[]) => moves.reduce(move<Screen>, first)
const open: Move<Screen> = { type: 'forward', screen: landing }

test('back returns to the screen before, as it was', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'back' })
  expect(at).toMatchObject({ screen: landing, direction: 'back', history: [] })
})

// spec L4.17
test('an error remembers the screen before it', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'forward', screen: problem })
  expect(move(at, { type: 'back' })).toMatchObject({ screen: code, history: [landing] })
})

test('back with no history stays', () => {
  const at = after(open)
  expect(move(at, { type: 'back' })).toBe(at)
})

test('replacing leaves no way back to what was replaced', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'replace', screen: problem })
  expect(move(at, { type: 'back' }).screen).toBe(landing)
})

test('restarting goes back to a first screen', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'restart', screen: landing })
  expect(at).toMatchObject({ screen: landing, history: [], direction: 'back' })
})

test('what comes late for a screen that is gone changes nothing', () => {
  const at = after(open)
  expect(move(at, { type: 'update', screen: code })).toBe(at)
})

test('what comes for a screen on the way back is there when it is seen again', () => {
  const changed = { ...landing, state: 'changed' }
  const at = after(open, { type: 'forward', screen: code }, { type: 'update', screen: changed })
  expect(at.screen).toBe(code)
  expect(move(at, { type: 'back' }).screen).toBe(changed)
})

test('ignores an update of a component that another one with the same name replaced', () => {
  const first = { ...code, id: 'first' }
  const second = { ...code, id: 'second' }
  const at = after(open, { type: 'forward', screen: first }, { type: 'replace', screen: second })
  expect(move(at, { type: 'update', screen: first })).toBe(at)
})

test('each step has a number of its own, and a new state is no step', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'back' })
  expect(at.arrivals).toBe(3)
  expect(move(at, { type: 'update', screen: landing }).arrivals).toBe(3)
})
