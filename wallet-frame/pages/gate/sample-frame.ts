import { watchVisibility } from '@latchkey/protocol/wallet'
import { measureButton, type Sampler } from './senses.ts'

/**
 * Samples a page in the dialog, which may cover, move or shrink it: `card` must be visible. If the browser
 * cannot detect covered content, the page must have the focus, which it gets by a press.
 */
export const sampleFrame =
  (card: HTMLElement): Sampler =>
  (button, _clock, onLook) =>
    watchVisibility(card, ({ method, visible }) => {
      const isInFront = visible && (method === 'composited' || document.hasFocus())
      onLook({ ...measureButton(button), isFramed: true, isInFront })
    })
