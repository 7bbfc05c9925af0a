/** What the login, its methods and the steps after it know of each other. */
import type { AppConfig, LinkedAccount, LoginMethod, UserRecord } from '@latchkey/protocol'
import type { CardHandle } from './flow.ts'
import type { Events, Handlers, Part, ScreenToShow, ShownPart } from './screen.ts'

export type LoggedIn = {
  readonly user: UserRecord
  readonly isNewUser: boolean
  readonly loginMethod: LoginMethod | null
  readonly loginAccount: LinkedAccount | null
}

/** A login method as it is offered: with its switch in the app's configuration, and what starts it. */
export type OfferedMethod = {
  readonly method: LoginMethod
  readonly appSetting: keyof AppConfig
  /** Loads its code; one for each login. */
  readonly start: (login: LoginInProgress) => Promise<StartedMethod>
}

export type StartedMethod = {
  /** How it shows on LANDING now. */
  readonly entry: () => ShownPart
}

/** What a method may do with the login that it is part of. */
export type LoginInProgress = {
  readonly card: CardHandle
  /** An entry of LANDING with its state; what it sends counts while LANDING can be used. */
  readonly entry: <State, E extends Events>(
    part: Part<State, E>,
    state: State,
    handlers: Handlers<E>,
  ) => ShownPart
  /** The user has chosen: what comes after the login is made ready meanwhile. */
  readonly chosen: () => void
  /** Entries changed: LANDING shows them anew. */
  readonly refreshLanding: () => void
  readonly isAtLanding: () => boolean
  /** Shows what an error means, with a way back. */
  readonly refuse: (error: unknown) => void
  readonly complete: (login: LoggedIn) => void
}

/** Something that is due between a login and its end. Steps come in the order of the list of capabilities. */
export type AfterLoginStep = {
  readonly isDue: (user: UserRecord) => boolean
  /** How long the success of the login stays to be seen before it. */
  readonly delayMs: number
  /** Begins its work at once, as soon as the step is known to come. */
  readonly run: (after: AfterLogin) => Promise<StepOutcome>
  /** Makes up for it at a later visit, without a card. A step without this needs the user. */
  readonly catchUp?: () => Promise<unknown>
}

export type AfterLogin = {
  readonly card: CardHandle
  readonly login: LoggedIn
  /** What stands on the card was seen: the step may show itself. */
  readonly seen: Promise<void>
  readonly startOver: () => void
}

export type StepOutcome =
  /** With the screen that says so, and how long that stays to be read. */
  | { readonly type: 'done'; readonly screen: ScreenToShow; readonly holdMs: number }
  /** Nobody is logged in any more, and the step's screen offers to start over. */
  | { readonly type: 'undone' }
