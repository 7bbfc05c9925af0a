/** A flow: what a caller waits for, and the screens on the way there. It stands on the stack of the stage. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { ScreenToShow } from './screen.ts'

/** What the caller of a flow gets when the user closes it. */
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
  /** Counted with the opening and closing of the card. */
  kind: string
  /** Begins: asks for what it needs, then shows its first screen. What it throws ends the flow. */
  run: () => void | Promise<void>
  /** What its caller gets when it is closed now. Whether it may be, its present screen says. */
  onClose: () => Ending<Outcome>
  /** What can not be taken back any more: its caller gets it, whatever else ends the flow. */
  whatIsDone?: () => Ending<Outcome> | undefined
  /** What the caller of an interruption gets that back leaves from its first screen. */
  onBack?: () => Ending<Outcome>
  /** Nobody waits for it, so that what is held before it is seen for its whole time. */
  isPatient?: boolean
  /** It stands for as long as its user looks at it, so that whoever waits for the card comes on top of it. */
  isUnderOthers?: boolean
}

/** Several screens of a flow may have one name. A screen that is a component also has an id. */
export type ScreenIdentity = { name: string; id?: string }

/**
 * A flow's place on the card: its own screens, history and timers, whatever stands above it. After the flow has
 * ended, nothing here does anything.
 */
export type CardHandle = {
  go: (screen: ScreenToShow) => void
  replace: (screen: ScreenToShow) => void
  restart: (screen: ScreenToShow) => void
  update: (screen: ScreenToShow) => void
  back: () => void
  /** Whether this is the flow's present screen, even if an interruption covers it. */
  isAt: (screen: ScreenIdentity) => boolean
  /** Whether this is the flow's present screen and nothing covers it, so that input of the user counts. */
  isUsable: (screen: ScreenIdentity) => boolean
  /** A timer of this flow; the answer stops it. */
  after: (delayMs: number, run: () => void) => () => void
  /** What is seen now stays to be read: until the time is over, or the user skips it. */
  hold: (holdMs: number) => Promise<void>
  /** Puts another flow on top; this one goes on where it was when that one ends. */
  interrupt: <Result>(flow: Flow<Result>) => Promise<Result>
  /** Aborted when the flow has ended. */
  signal: AbortSignal
}

export type FlowHandle<Outcome> = CardHandle & {
  /**
   * Tells the caller, and leaves the screen where it is, until another call wants the card: that ends the flow, since
   * it owes nobody anything any more. The first ending counts.
   */
  settle: (ending: Ending<Outcome>) => void
  /** Ends the flow. A caller that was not told yet gets this ending, or that of a close. */
  end: (ending?: Ending<Outcome>) => void
}
