import { describe, expect, test } from 'vitest'
import { closedNavigation, exitCodes, flowKinds, headerFlags, type Move, move } from './navigation.ts'
import { initialCode } from './otp.ts'
import type { ScreenView } from './view-state.ts'

const landing: ScreenView = {
  name: 'LANDING',
  state: { status: 'ready', methods: ['email'], email: 'a@b.c' },
}
const code: ScreenView = { name: 'AWAITING_PASSWORDLESS_CODE', state: initialCode('a@b.c') }
const problem: ScreenView = { name: 'ERROR_SCREEN', state: { title: 't', detail: 'd', button: 'b' } }
const after = (...moves: Move[]) => moves.reduce(move, closedNavigation)
const open: Move = { type: 'open', flow: 'login', screen: landing }

describe('moving between screens', () => {
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
    const closed = after(open, { type: 'close' })
    expect(move(closed, { type: 'update', screen: landing })).toBe(closed)
  })

  test('each step has a number of its own, also over a close and an open', () => {
    const at = after(open, { type: 'forward', screen: code }, { type: 'close' }, { type: 'reset' }, open)
    expect(at).toMatchObject({ step: 3, open: true, history: [] })
  })

  test('closing keeps the screen until the reset', () => {
    const closed = after(open, { type: 'close' })
    expect(closed).toMatchObject({ open: false, screen: landing })
    expect(move(closed, { type: 'reset' })).toMatchObject({ screen: undefined, history: [] })
  })
})

describe('the header', () => {
  // spec L2.2
  test('shows back only where there is somewhere to go', () => {
    expect(headerFlags(after(open), false)).toEqual({ back: false, info: false, close: true })
    expect(headerFlags(after(open, { type: 'forward', screen: code }), false).back).toBe(true)
  })

  // spec L2.3
  test('never shows close in standalone mode', () => {
    expect(headerFlags(after(open), true).close).toBe(false)
    expect(headerFlags(after(open, { type: 'forward', screen: code }), true)).toMatchObject({ back: true })
  })

  // spec L2.4
  test('hides close while the dialog can not be closed', () => {
    const creating: ScreenView = {
      name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN',
      state: { status: 'creating' },
    }
    expect(headerFlags(after(open, { type: 'replace', screen: creating }), false)).toEqual({
      back: false,
      info: false,
      close: false,
    })
  })
})

// spec L4.12
test('each flow has a code for being closed', () => {
  expect(exitCodes).toEqual({
    login: 'exited_auth_flow',
    link: 'exited_link_flow',
    approval: 'user_rejected_request',
  })
  expect(Object.keys(exitCodes)).toEqual([...flowKinds])
})
