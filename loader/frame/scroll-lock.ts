import { adoptStyles } from './style-sheet.ts'

/** Raises the specificity above host rules for the root and the body. */
const heavy = ':not(#_,#_#_)'

/**
 * Prevents the page from scrolling, without layout shift: the space of a classic scrollbar stays reserved, also
 * for fixed elements. The rules are in our own style sheet, so no style of the host is changed or restored.
 */
export function lockScroll(): () => void {
  const { documentElement: root, body } = document
  const rootStyle = getComputedStyle(root)
  // If the root has no overflow of its own, the body's applies to the viewport (CSS Overflow 3, "propagation").
  const bodyScrolls =
    body && rootStyle.overflow === 'visible' && getComputedStyle(body).overflow !== 'visible'
  const reservesScrollbar = innerWidth > root.clientWidth && rootStyle.scrollbarGutter === 'auto'
  return adoptStyles(
    `${bodyScrolls ? 'body' : 'html'}${heavy}{overflow:hidden!important}` +
      (reservesScrollbar ? `html${heavy}{scrollbar-gutter:stable!important}` : ''),
  )
}
