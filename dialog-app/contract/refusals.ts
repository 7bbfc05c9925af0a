/** Errors that a screen tells of, whatever was being done. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { ScreenToShow } from '../flow/screen.ts'

export type RefusalWays = {
  /** The user goes back to where it failed. */
  goBack: () => void
  /** To the first screen, for somebody who may not come in this way. */
  startOver: () => void
}

export type Refusals = {
  /** The code has a screen of its own; any other error is told by ERROR_SCREEN. */
  hasOwnScreen: (code: ErrorCode) => boolean
  screenFor: (error: LatchkeyError, ways: RefusalWays) => Promise<ScreenToShow>
  /** Tells the user on a card of its own, and resolves when that was read. */
  tell: (error: unknown) => Promise<void>
}
