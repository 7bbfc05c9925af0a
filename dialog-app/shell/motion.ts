/**
 * Animates the card's height from one content to the next by transforms alone, so that no frame needs layout or paint.
 * CSS alone cannot do this.
 *
 * The card is laid out at the larger of both heights. Two nested boxes of its size clip the hidden part: the outer box
 * moves down and clips the top, the inner box moves up and clips the bottom. Their content moves back to its place, and
 * the shadow behind them is scaled.
 */
import { type RefObject, useLayoutEffect } from 'react'

const timing = { duration: 220, easing: 'ease-out' }
const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The transform of each `data-part` of the card, by the hidden height at the top and in total. */
const transforms = {
  shadow: (topPx: number, allPx: number, heightPx: number) =>
    `translateY(${topPx}px) scaleY(${1 - allPx / heightPx})`,
  outer: (topPx: number) => `translateY(${topPx}px)`,
  inner: (_: number, allPx: number) => `translateY(${-allPx}px)`,
  inside: (_: number, allPx: number) => `translateY(${allPx}px)`,
  footer: (_: number, allPx: number) => `translateY(${-allPx}px)`,
}

function moveHeight(card: HTMLElement, fromPx: number, toPx: number) {
  const heightPx = Math.max(fromPx, toPx)
  // A sheet is aligned to the bottom, so its whole hidden height is at the top.
  const share = getComputedStyle(card).alignSelf === 'end' ? 1 : 0.5
  // Not `min-block-size`: it would exceed the space above a keyboard that opens during the animation.
  card.style.blockSize = `${heightPx}px`
  const animations = Object.entries(transforms).flatMap(([part, transform]) => {
    const at = (px: number) => transform((heightPx - px) * share, heightPx - px, heightPx)
    const element = card.querySelector(`[data-part=${part}]`)
    return element ? element.animate({ transform: [at(fromPx), at(toPx)] }, timing) : []
  })
  const [first] = animations
  return {
    first,
    seenPx: () => fromPx + (toPx - fromPx) * (first?.effect?.getComputedTiming().progress ?? 1),
    stop() {
      card.style.blockSize = ''
      for (const one of animations) one.cancel()
    },
  }
}

/** Animates every height change of the content. */
export function useSmoothHeight(card: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const box = card.current
    const inner = content.current
    if (!box || !inner) return
    let restsPx: number | undefined
    let move: ReturnType<typeof moveHeight> | undefined
    function rest() {
      move?.stop()
      move = undefined
    }
    const observer = new ResizeObserver(() => {
      const fromPx = move?.seenPx() ?? restsPx
      rest()
      const toPx = box.offsetHeight
      restsPx = toPx
      if (fromPx === undefined || Math.abs(fromPx - toPx) < 1 || calm()) return
      move = moveHeight(box, fromPx, toPx)
      if (move.first) move.first.onfinish = rest
    })
    observer.observe(inner)
    return () => observer.disconnect()
  }, [card, content])
}

/**
 * Returns whether the card opens, grows or shrinks, so that a press may have been aimed at its earlier position.
 * Excludes scroll-driven animations, which never end.
 */
export const isMoving = (card: Element | null) =>
  card
    ?.getAnimations({ subtree: true })
    .some(
      ({ effect, timeline }) =>
        timeline === document.timeline &&
        effect instanceof KeyframeEffect &&
        effect.target?.hasAttribute('data-part'),
    )
