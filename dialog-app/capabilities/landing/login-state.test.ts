import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { LoggedIn } from '../../contract/login.ts'
import { playing } from '../../testing/machine.ts'
import type { StepsTaken } from './lazy/after-login.ts'
import { type LoginEvent, login, unchosen } from './login-state.ts'

const after = playing(login)
const user = {} as UserRecord
const byMail: LoggedIn = { user, isNewUser: true, loginMethod: 'email', loginAccount: null }
const known: LoggedIn = { user, isNewUser: false, loginMethod: null, loginAccount: null }
const seen = Promise.resolve()
const taken: StepsTaken = { type: 'done', taken: 1, seen }

const loggedIn: LoginEvent = { type: 'logged in', login: byMail }
const present = (isKnown: boolean, isUserNeeded: boolean): LoginEvent => ({
  type: 'present',
  login: known,
  isKnown,
  isUserNeeded,
})
const steps = (taken: StepsTaken): LoginEvent => ({ type: 'steps taken', login: byMail, taken })

describe('the machine of a login', () => {
  test('takes the steps after a login, and is finished when they are', () => {
    const { state, effects } = after(unchosen, loggedIn)
    expect(state.phase).toEqual({ at: 'logged in', login: byMail })
    expect(effects).toEqual([{ type: 'take steps', login: byMail, seen: undefined }])
    const finished = after(state, steps(taken))
    expect(finished.effects).toEqual([{ type: 'finish', login: byMail, taken }])
    expect(finished.state).toBe(state)
  })

  test.each([
    ['nothing that only the user can do is left, ends', false, ['end']],
    ['something is left, takes the steps at once', true, ['take steps']],
  ])('of a user who is in already, and of whom %s', (_, isUserNeeded, expected) => {
    const { at, effects } = after(unchosen, present(true, isUserNeeded))
    expect(at).toBe('known')
    expect(effects.map(({ type }) => type)).toEqual(expected)
    for (const effect of effects) {
      if (effect.type === 'take steps')
        expect(effect).toEqual({ ...effect, login: known, seen: expect.any(Promise) })
    }
  })

  test.each([
    ['who was in before the login began', [present(true, true)], 'known'],
    ['who came in by another tab', [present(false, true)], 'logged in'],
    ['who logged in here', [loggedIn], 'logged in'],
    [
      'who was in before, and is out since a step',
      [present(true, true), steps({ type: 'undone' })],
      'choosing',
    ],
    [
      'who logged in here after that',
      [present(true, true), steps({ type: 'undone' }), loggedIn],
      'logged in',
    ],
  ])('knows of a user %s how they came in', (_, events, expected) => {
    expect(after(unchosen, ...events).at).toBe(expected)
  })

  test.each([
    ['leaves the choice where it is after steps that were undone', 'undone', []],
    ['ends after steps that its user declined', 'declined', ['end']],
  ] as const)('%s, with nobody in', (_, type, expected) => {
    const { at, effects } = after(unchosen, loggedIn, steps({ type }))
    expect(at).toBe('choosing')
    expect(effects.map((effect) => effect.type)).toEqual(expected)
  })

  test('another tab changes nothing once somebody is in', () => {
    const { state } = after(unchosen, loggedIn)
    expect(login(state, present(false, true))).toEqual([state])
  })

  test('tells of the last problem until its user chooses anew, and keeps it through a login', () => {
    const problem = new LatchkeyError('disallowed_login_method', 'no')
    const closing = (...events: readonly LoginEvent[]) => after(unchosen, ...events).state.closing
    expect(closing()).toBeUndefined()
    expect(closing({ type: 'closes with', problem })).toBe(problem)
    expect(closing({ type: 'closes with', problem }, loggedIn)).toBe(problem)
    expect(
      closing({ type: 'closes with', problem }, { type: 'closes with', problem: undefined }),
    ).toBeUndefined()
  })

  test('has the notices of the last proof', () => {
    const hasNotices = (...events: readonly LoginEvent[]) => after(unchosen, ...events).state.hasNotices
    expect(hasNotices()).toBe(false)
    expect(hasNotices({ type: 'proved', hasNotices: true }, loggedIn)).toBe(true)
    expect(hasNotices({ type: 'proved', hasNotices: true }, { type: 'proved', hasNotices: false })).toBe(
      false,
    )
  })
})
