/** Handles a screen that cannot be rendered. */
import { LatchkeyError } from '@latchkey/protocol'
import { viewAtom } from '../atoms.ts'
import type { Core } from '../core.ts'

/**
 * Rejects the pending calls, because React has unmounted the whole tree with its close button. Renders again for the
 * next screen.
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
