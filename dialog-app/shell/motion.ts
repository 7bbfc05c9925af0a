/**
 * Movement that CSS alone can not say: the card's height from one content to the next, by transforms alone, so that
 * nothing is laid out or painted anew on the way.
 *
 * The card is laid out at the larger of both heights. What is not yet, or no more, to be seen of it is cut off by two
 * boxes of its own size, one in the other: the outer one moves down and cuts at the top, the inner one moves up and
 * cuts at the bottom. What is in them moves back to where it belongs; the shadow behind them is stretched.
 */
import { type RefObject, useLayoutEffect } from 'react'

const timing = { duration: 220, easing: 'ease-out' }
const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** What each part of the card, called so by its `data-part`, does while so much is hidden at its top and in all. */
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
  // A sheet stands on its ground, so that all of it is hidden at the top.
  const share = getComputedStyle(card).alignSelf === 'end' ? 1 : 0.5
  // Not the least height: that would be more than a keyboard that comes up meanwhile leaves the card.
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

/** The card grows and shrinks with its content, whatever made it change. */
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
 * A card that opens, grows or shrinks is not where it was when a person chose where to press. What goes with the
 * scrolling, as the line above the buttons does, moves nothing by itself and never ends.
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
