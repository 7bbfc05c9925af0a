/** Keys and presses that close the card or skip a held screen. */
import { useEffectEvent, useLayoutEffect } from 'react'

const closing = ['Escape']
const skipping = ['Escape', 'Enter', ' ']

export const useEscape = (active: boolean, onEscape: () => void) => useKeys(active, closing, onEscape)

/** Skips a held screen. Ignores a key or press that began before the screen was held. */
export function useSkip(held: boolean, step: number, onSkip: () => void) {
  useKeys(held, skipping, onSkip)
  const skip = useEffectEvent(onSkip)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press begins and ends on one screen.
  useLayoutEffect(() => {
    if (!held) return
    const listening = new AbortController()
    let began = false
    const begin = () => {
      began = true
    }
    const end = ({ target }: Event) => began && !isControl(target) && skip()
    document.addEventListener('pointerdown', begin, listening)
    document.addEventListener('click', end, listening)
    return () => listening.abort()
  }, [held, step])
}

function useKeys(active: boolean, keys: readonly string[], run: () => void) {
  const pressed = useEffectEvent(run)
  useLayoutEffect(() => {
    if (!active) return
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event
      if (!keys.includes(key) || !isPlain(event)) return
      // Enter and Space press a control; Escape does not.
      if (key !== 'Escape' && isControl(target)) return
      event.preventDefault()
      pressed()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [active, keys])
}

const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a') !== null

const isPlain = (event: KeyboardEvent) =>
  !(
    event.repeat ||
    event.isComposing ||
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
