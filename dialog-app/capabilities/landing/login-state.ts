/**
 * How far a login is, as a machine: somebody chooses a method, or is in and has something left to do. No screen, call
 * or clock is in it.
 */
import type { LatchkeyError } from '@latchkey/protocol'
import type { LoggedIn } from '../../contract/login.ts'
import type { Next } from '../../flow/machine.ts'
import type { StepsTaken, TakenSteps } from './lazy/after-login.ts'

export type LoginPhase =
  | { readonly at: 'choosing' }
  /** Somebody was in before, and had left something undone. */
  | { readonly at: 'known'; readonly login: LoggedIn }
  | { readonly at: 'logged in'; readonly login: LoggedIn }

export type LoginState = {
  readonly phase: LoginPhase
  /** What its caller is told where the user leaves, if that is more than that they did. */
  readonly closing: LatchkeyError | undefined
  /** The login brought something that its user is to be told after it. */
  readonly hasNotices: boolean
}

export type LoginEvent =
  | { readonly type: 'closes with'; readonly problem: LatchkeyError | undefined }
  | { readonly type: 'proved'; readonly hasNotices: boolean }
  | { readonly type: 'logged in'; readonly login: LoggedIn }
  /** Somebody is in, and nobody has to log in here. */
  | {
      readonly type: 'present'
      readonly login: LoggedIn
      /** They were in when this login began; else another tab has logged in since. */
      readonly isKnown: boolean
      readonly isUserNeeded: boolean
    }
  | { readonly type: 'steps taken'; readonly login: LoggedIn; readonly taken: StepsTaken }

export type LoginEffect =
  /** A login that was no part of this card shows no success that has to be `seen` first. */
  | { readonly type: 'take steps'; readonly login: LoggedIn; readonly seen: Promise<void> | undefined }
  /** Its caller hears, and the flow ends once its last screen was seen. */
  | {
      readonly type: 'finish'
      readonly login: LoggedIn
      readonly taken: TakenSteps
    }
  | { readonly type: 'end' }

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
