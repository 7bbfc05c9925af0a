/** Where the focus goes when the screen changes, and what is said to who does not see it go. */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { View } from '../flow/view.ts'

/** Long enough to be read; then it is no second title to come across. */
const SAID_MS = 1_000
/** Animation frames: about a second. */
const TRIES = 60

/**
 * A new screen gives the focus to its first field, else to its title; a control that goes gives it to the title.
 * A title that gets the focus is read because of it. The answer is any other new title, to be announced.
 * `onDrawn` runs in the frame in which a screen is drawn, `onFocused` when it has the focus, or can not have it.
 */
export function useFocus(
  content: RefObject<HTMLElement | null>,
  { open, shown, step, screen }: View,
  { onDrawn, onFocused }: { onDrawn: () => void; onFocused: () => void },
): string {
  const [announcement, announce] = useState('')
  const drawn = useEffectEvent(onDrawn)
  const focused = useEffectEvent(onFocused)
  const last = useRef<{ step: number; title: string }>(undefined)

  useLayoutEffect(() => {
    if (!shown || !screen) return
    const title = titleOf(content.current)
    const text = title?.textContent ?? ''
    const before = last.current
    last.current = { step, title: text }
    const isNew = before?.step !== step
    if (isNew || isFree()) focusScreen(content.current, isNew)
    if (document.activeElement !== title && (isNew || before.title !== text)) announce(text)
  }, [content, shown, step, screen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is a new screen.
  useEffect(() => {
    if (!open) return
    const next = requestAnimationFrame(() => drawn())
    return () => cancelAnimationFrame(next)
  }, [open, step])

  // A frame is told that it has the focus a moment after its host gave it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is a new screen, which may need another try.
  useEffect(() => {
    if (!shown) return
    let left = TRIES
    let next = requestAnimationFrame(function tryAgain() {
      if ((!isFree() && document.hasFocus()) || left === 0) {
        // A title that has the focus by now is read because of it, and needs no announcement any more.
        if (document.activeElement === titleOf(content.current)) announce('')
        return focused()
      }
      if (isFree()) focusScreen(content.current, true)
      left -= 1
      next = requestAnimationFrame(tryAgain)
    })
    return () => cancelAnimationFrame(next)
  }, [content, shown, step])

  useFreeFocus(content, open, step)

  useEffect(() => {
    if (announcement === '') return
    const timer = setTimeout(() => announce(''), SAID_MS)
    return () => clearTimeout(timer)
  }, [announcement])
  return announcement
}

/**
 * Two browsers leave a screen without the focus that it was given.
 *
 * WebKit gives a field in a frame that nobody touched no focus that keys reach. So what is typed while no control
 * has the focus goes into the first field: the field gets it before the character is written.
 *
 * On a busy machine Chromium may give the focus back to the host's page up to half a second after the frame got it,
 * and clears the field; no script asks for that. In Blink a process that starts for one more frame of the page and
 * has not heard yet which frame has the focus gives it to the topmost one (`FocusController::FocusHasChanged`). The
 * host's own `focus()` does nothing then: the frame is its active element already. Where nobody has touched a screen
 * nobody has taken the focus from it, so it takes it again; in a window that a person left the field keeps its place,
 * and is left alone.
 */
function useFreeFocus(content: RefObject<HTMLElement | null>, open: boolean, step: number) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is a new screen, which nobody has touched.
  useEffect(() => {
    if (!open) return
    const listening = new AbortController()
    let isTouched = false
    const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      isTouched = true
      const isPrintable = [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
      const isTaken = !isFree() && document.activeElement !== titleOf(content.current)
      if (isPrintable && !isTaken) fieldOf(content.current)?.focus({ preventScroll: true })
    }
    const onPointerDown = () => {
      isTouched = true
    }
    const takeAgain = () => {
      if (!isTouched && isFree()) focusScreen(content.current, true)
    }
    document.addEventListener('keydown', onKeyDown, listening)
    document.addEventListener('pointerdown', onPointerDown, listening)
    // Within the event itself the browser refuses the focus.
    window.addEventListener('blur', () => setTimeout(takeAgain), listening)
    return () => listening.abort()
  }, [content, open, step])
}

/** No control has the focus of this document. */
const isFree = () => document.activeElement === document.body

const layerOf = (content: HTMLElement | null) => content?.querySelector('[data-leaving="false"]')
const titleOf = (content: HTMLElement | null) => layerOf(content)?.querySelector('h2')

/** A form may begin with another field than the one that stands first in it. */
function fieldOf(content: HTMLElement | null) {
  const first = layerOf(content)?.querySelector<HTMLElement>('input, select, textarea')
  return first?.closest('form')?.querySelector<HTMLElement>('[data-first-field]') ?? first
}

function focusScreen(content: HTMLElement | null, fieldFirst: boolean) {
  const field = fieldFirst && fieldOf(content)
  const target = field || titleOf(content)
  target?.focus({ preventScroll: true })
}
