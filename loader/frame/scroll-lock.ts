import { adoptStyles } from './style-sheet.ts'

/** Makes a rule heavier than those that a host writes for its root and body. */
const heavy = ':not(#_,#_#_)'

/**
 * Stops the page from scrolling, and nothing on it moves: the room of a classic scrollbar stays reserved, for
 * fixed elements too. The rules are a sheet of ours that goes again, so nothing of the host's is changed or
 * restored.
 */
export function lockScroll(): () => void {
  const { documentElement: root, body } = document
  const rootStyle = getComputedStyle(root)
  // The body's overflow is the window's where the root has none of its own (CSS Overflow 3, "propagation").
  const bodyScrolls =
    body && rootStyle.overflow === 'visible' && getComputedStyle(body).overflow !== 'visible'
  const reservesScrollbar = innerWidth > root.clientWidth && rootStyle.scrollbarGutter === 'auto'
  return adoptStyles(
    `${bodyScrolls ? 'body' : 'html'}${heavy}{overflow:hidden!important}` +
      (reservesScrollbar ? `html${heavy}{scrollbar-gutter:stable!important}` : ''),
  )
}
