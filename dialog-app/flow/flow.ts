/** A flow: a call on the stage, with its screens and its outcome. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { ShownScreen } from './screen.ts'

/** The error code of a call that the user closes. */
export const exitCodes = {
  login: 'exited_auth_flow',
  link: 'exited_link_flow',
  approval: 'user_rejected_request',
  password: 'user_exited_set_password_flow',
} as const satisfies { [kind: string]: ErrorCode }

export type Ending<Outcome> = { type: 'done'; value: Outcome } | { type: 'failed'; error: LatchkeyError }

export const done = <Outcome>(value: Outcome): Ending<Outcome> => ({ type: 'done', value })
export const failed = (error: LatchkeyError): Ending<never> => ({ type: 'failed', error })

export type Flow<Outcome> = (handle: FlowHandle<Outcome>) => RunningFlow<Outcome>

export type RunningFlow<Outcome> = {
  /** The name in analytics events. */
  kind: string
  /** Starts the flow. An exception ends it. */
  run: () => void | Promise<void>
  /** Returns the ending of the call if the user closes it now. */
  onClose: () => Ending<Outcome>
  /** Returns the ending of an action that is already done. It takes precedence over an error. */
  whatIsDone?: () => Ending<Outcome> | undefined
  /** Returns the ending of an interruption that the user leaves by the back button. */
  onBack?: () => Ending<Outcome>
  /** No caller waits for it, so the hold before it is not shortened. */
  isPatient?: boolean
  /** Stays open while the user reads it. Waiting calls open above it. */
  isUnderOthers?: boolean
}

/** Several screens of a flow may have one name. */
export type ScreenIdentity = { name: string; id?: string }

/** The screens, history and timers of a flow. After the flow has ended, its functions have no effect. */
export type CardHandle = {
  go: (screen: ShownScreen) => void
  replace: (screen: ShownScreen) => void
  restart: (screen: ShownScreen) => void
  update: (screen: ShownScreen) => void
  back: () => void
  /** Whether this is the flow's present screen, even if an interruption covers it. */
  isAt: (screen: ScreenIdentity) => boolean
  /** Whether this is the flow's present screen and nothing covers it, so that input of the user counts. */
  isUsable: (screen: ScreenIdentity) => boolean
  /** Starts a timer of this flow. The returned function stops it. */
  after: (delayMs: number, run: () => void) => () => void
  /** Keeps the present screen visible for this time, or until the user skips it. */
  hold: (holdMs: number) => Promise<void>
  /** Runs another flow above this one. */
  interrupt: <Result>(flow: Flow<Result>) => Promise<Result>
  /** Aborted when the flow has ended. */
  signal: AbortSignal
}

export type FlowHandle<Outcome> = CardHandle & {
  /** Settles the caller while the screens stay open, until another call takes the card. The first ending counts. */
  settle: (ending: Ending<Outcome>) => void
  /** Ends the flow. An unsettled caller gets this ending, or that of a close. */
  end: (ending?: Ending<Outcome>) => void
}
