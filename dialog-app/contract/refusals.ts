/** Errors that have a screen of their own, in any flow. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { CardHandle } from '../flow/flow.ts'

/** The user tries again where the error occurred, or starts over with another account. */
export type AfterError = 'try again' | 'start over'

export type Refusals = {
  /** Returns whether the code has a screen of its own. Other errors are shown on ERROR_SCREEN. */
  hasOwnScreen: (code: ErrorCode) => boolean
  /** Opens the error on the card. Back leads to the present screen. Resolves when the user presses its button. */
  show: (card: CardHandle, error: LatchkeyError) => Promise<AfterError>
  /** Shows the error on a card of its own, and resolves when the user leaves it. */
  tell: (error: unknown) => Promise<void>
}
