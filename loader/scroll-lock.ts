/**
 * Stops the page from scrolling, and nothing on it moves: the room of a classic scrollbar stays reserved, for
 * fixed elements too. Returns the way back, to exactly the inline styles that were there.
 */
export function lockScroll(): () => void {
  const { documentElement: root, body } = document
  const rootStyle = getComputedStyle(root)
  // The body's overflow is the window's where the root has none of its own (CSS Overflow 3, "propagation").
  const bodyScrolls =
    body && rootStyle.overflow === 'visible' && getComputedStyle(body).overflow !== 'visible'
  const undo: (() => void)[] = []
  if (innerWidth > root.clientWidth && rootStyle.scrollbarGutter === 'auto') {
    undo.push(setStyle(root, 'scrollbar-gutter', 'stable'))
  }
  undo.push(setStyle(bodyScrolls ? body : root, 'overflow', 'hidden'))
  return () => {
    for (const back of undo) back()
  }
}

function setStyle({ style }: HTMLElement, name: string, value: string): () => void {
  const before = style.getPropertyValue(name)
  const priority = style.getPropertyPriority(name)
  style.setProperty(name, value, 'important')
  return () => {
    style.removeProperty(name)
    if (before) style.setProperty(name, before, priority)
  }
}
