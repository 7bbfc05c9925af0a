/**
 * The interface between the shell and the flows.
 *
 * The view is one value in a store that does not depend on React (`atoms.ts` lists the other values). The shell draws
 * it and sends the user's actions. A shell that mounts late reads the present view, so no change is lost.
 */
import type { LatchkeyError } from '@latchkey/protocol'
import type { createStore } from 'jotai/vanilla'

export type Core = {
  store: ReturnType<typeof createStore>
  back: () => void
  close: () => void
  skip: () => void
  /** Rejects the pending calls, because the card is not visible. */
  lose: (error: LatchkeyError) => void
  /** Called when a screen is drawn. */
  drawn: () => void
  /** Called when the screen has the focus, so that background work may continue. */
  focused: () => void
}
