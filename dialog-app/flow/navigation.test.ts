import { expect, test } from 'vitest'
import { type Move, move, type Navigation, nowhere } from './navigation.ts'

type Screen = { id: string; name: string; state?: string }
const landing: Screen = { id: '1', name: 'LANDING' }
const code: Screen = { id: '2', name: 'CODE' }
const problem: Screen = { id: '3', name: 'PROBLEM' }
const first: Navigation<Screen> = nowhere
const after = (...moves: Move<Screen>[]) => moves.reduce(move<Screen>, first)
const open: Move<Screen> = { type: 'forward', screen: landing }

test('back restores the previous screen with its state', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'back' })
  expect(at).toMatchObject({ screen: landing, direction: 'back', history: [] })
})

// spec L4.17
test('an error screen keeps the previous screen in the history', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'forward', screen: problem })
  expect(move(at, { type: 'back' })).toMatchObject({ screen: code, history: [landing] })
})

test('back without a history keeps the present screen', () => {
  const at = after(open)
  expect(move(at, { type: 'back' })).toBe(at)
})

test('replacing a screen leaves no way back to it', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'replace', screen: problem })
  expect(move(at, { type: 'back' }).screen).toBe(landing)
})

test('restarting returns to a first screen without a history', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'restart', screen: landing })
  expect(at).toMatchObject({ screen: landing, history: [], direction: 'back' })
})

test('ignores a late update of a screen that is gone', () => {
  const at = after(open)
  expect(move(at, { type: 'update', screen: code })).toBe(at)
})

test('applies an update to a screen in the history', () => {
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

test('counts each step, but not a new state of the same screen', () => {
  const at = after(open, { type: 'forward', screen: code }, { type: 'back' })
  expect(at.arrivals).toBe(3)
  expect(move(at, { type: 'update', screen: landing }).arrivals).toBe(3)
})
