/**
 * What the shell draws and sends: its whole interface to the flows.
 *
 * The view is one value, in a store that needs no React (`atoms.ts` says what else is). The shell draws it and sends what
 * the user does. One that mounts late finds the present view; nothing is lost before it came.
 */
import type { LatchkeyError } from '@latchkey/protocol'
import type { createStore } from 'jotai/vanilla'

export type Core = {
  store: ReturnType<typeof createStore>
  back: () => void
  close: () => void
  skip: () => void
  /** The card can not be seen, so nobody is to wait behind it. */
  lose: (error: LatchkeyError) => void
  /** A screen is drawn. */
  drawn: () => void
  /** And has the focus: what nobody waits for may go on. */
  focused: () => void
}
