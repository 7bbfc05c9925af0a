/**
 * How far a login is, as a machine: somebody chooses a method, or is in and has something left to do. No screen, call
 * or clock is in it.
 */
import type { LatchkeyError } from '@latchkey/protocol'
import type { LoggedIn } from '../../contract/login.ts'
import type { Next } from '../../flow/machine.ts'
import type { StepsTaken, TakenSteps } from './lazy/after-login.ts'

export type LoginPhase =
  | { at: 'choosing' }
  /** Somebody was in before, and had left something undone. */
  | { at: 'known'; login: LoggedIn }
  | { at: 'logged in'; login: LoggedIn }

export type LoginState = {
  phase: LoginPhase
  /** What its caller is told where the user leaves, if that is more than that they did. */
  closing: LatchkeyError | undefined
  /** The login brought something that its user is to be told after it. */
  hasNotices: boolean
}

export type LoginEvent =
  | { type: 'closes with'; problem: LatchkeyError | undefined }
  | { type: 'proved'; hasNotices: boolean }
  | { type: 'logged in'; login: LoggedIn }
  /** Somebody is in, and nobody has to log in here. */
  | {
      type: 'present'
      login: LoggedIn
      /** They were in when this login began; else another tab has logged in since. */
      isKnown: boolean
      isUserNeeded: boolean
    }
  | { type: 'steps taken'; login: LoggedIn; taken: StepsTaken }

export type LoginEffect =
  /** A login that was no part of this card shows no success that has to be `seen` first. */
  | { type: 'take steps'; login: LoggedIn; seen: Promise<void> | undefined }
  /** Its caller hears, and the flow ends once its last screen was seen. */
  | {
      type: 'finish'
      login: LoggedIn
      taken: TakenSteps
    }
  | { type: 'end' }

type Step = Next<LoginState, LoginEffect>

export const unchosen: LoginState = {
  phase: { at: 'choosing' },
  closing: undefined,
  hasNotices: false,
}

/** The state after the event, and what is to be done then; the same state where the event has no meaning. */
export function login(state: LoginState, event: LoginEvent): Step {
  switch (event.type) {
    case 'closes with':
      return [{ ...state, closing: event.problem }]
    case 'proved':
      return [{ ...state, hasNotices: event.hasNotices }]
    case 'logged in': {
      const { login } = event
      return [
        { ...state, phase: { at: 'logged in', login } },
        { type: 'take steps', login, seen: undefined },
      ]
    }
    case 'present': {
      if (state.phase.at !== 'choosing') return [state]
      const { login, isKnown, isUserNeeded } = event
      return [
        { ...state, phase: { at: isKnown ? 'known' : 'logged in', login } },
        isUserNeeded ? { type: 'take steps', login, seen: Promise.resolve() } : { type: 'end' },
      ]
    }
    case 'steps taken': {
      const { login, taken } = event
      if (taken.type === 'done') return [state, { type: 'finish', login, taken }]
      const left: LoginState = { ...state, phase: { at: 'choosing' } }
      return taken.type === 'declined' ? [left, { type: 'end' }] : [left]
    }
    default:
      return event satisfies never
  }
}
