/** What is done where a screen can not be drawn. */
import { LatchkeyError } from '@latchkey/protocol'
import { viewAtom } from '../atoms.ts'
import type { Core } from '../core.ts'

/**
 * React takes down all that it drew, the way out with it, so whoever waits behind the screen is told. The next screen
 * is drawn anew.
 */
export function whenLost({ store, lose }: Core, draw: () => void): (cause: unknown) => void {
  return (cause) => {
    const { step } = store.get(viewAtom)
    const stop = store.sub(viewAtom, () => {
      const view = store.get(viewAtom)
      if (view.screen && view.step === step) return
      stop()
      draw()
    })
    lose(new LatchkeyError('internal_error', 'The dialog could not be drawn', { cause }))
  }
}
