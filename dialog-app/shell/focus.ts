/** Moves the focus when the screen changes, and announces new titles to screen readers. */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { View } from '../flow/view.ts'

/** Long enough for a screen reader. Later it would find the title twice. */
const SAID_MS = 1_000
/** In animation frames: about a second. */
const TRIES = 60

/**
 * Focuses the first field of a new screen, else its title. If the focused control disappears, focuses the title.
 * Screen readers read a focused title. Returns any other new title, to be announced. `onDrawn` runs in the frame that
 * draws a screen. `onFocused` runs when the screen has the focus, or after the last try.
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
    const title = findTitle(content.current)
    const text = title?.textContent ?? ''
    const previous = last.current
    last.current = { step, title: text }
    const isNew = previous?.step !== step
    if (isNew || isFree()) focusScreen(content.current, isNew)
    if (document.activeElement !== title && (isNew || previous.title !== text)) announce(text)
  }, [content, shown, step, screen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is a new screen.
  useEffect(() => {
    if (!open) return
    const next = requestAnimationFrame(() => drawn())
    return () => cancelAnimationFrame(next)
  }, [open, step])

  // A frame receives the focus a moment after its host focused it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is a new screen, which may need another try.
  useEffect(() => {
    if (!shown) return
    let left = TRIES
    let next = requestAnimationFrame(function tryAgain() {
      if ((!isFree() && document.hasFocus()) || left === 0) {
        // Screen readers read a focused title, so it needs no announcement.
        if (document.activeElement === findTitle(content.current)) announce('')
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
 * Restores the focus that two browsers take from a screen.
 *
 * WebKit sends no keys to a focused field in a frame without user interaction. A key typed while no control has the
 * focus therefore focuses the first field, before the character is inserted.
 *
 * Under load, Chromium may return the focus to the host page up to half a second after the frame received it. A Blink
 * process that starts for another frame does not know the focused frame yet and focuses the topmost one
 * (`FocusController::FocusHasChanged`). The host's own `focus()` has no effect then, because the frame is already its
 * active element. A screen that the user has not touched takes the focus again. If the user leaves the window, the
 * field stays the active element and nothing happens.
 */
function useFreeFocus(content: RefObject<HTMLElement | null>, open: boolean, step: number) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is a new, untouched screen.
  useEffect(() => {
    if (!open) return
    const listening = new AbortController()
    let isTouched = false
    const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      isTouched = true
      const isPrintable = [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
      const isTaken = !isFree() && document.activeElement !== findTitle(content.current)
      if (isPrintable && !isTaken) findField(content.current)?.focus({ preventScroll: true })
    }
    const onPointerDown = () => {
      isTouched = true
    }
    const takeAgain = () => {
      if (!isTouched && isFree()) focusScreen(content.current, true)
    }
    document.addEventListener('keydown', onKeyDown, listening)
    document.addEventListener('pointerdown', onPointerDown, listening)
    // Browsers ignore `focus()` during the event itself.
    window.addEventListener('blur', () => setTimeout(takeAgain), listening)
    return () => listening.abort()
  }, [content, open, step])
}

/** Returns whether no control of this document has the focus. */
const isFree = () => document.activeElement === document.body

const findLayer = (content: HTMLElement | null) => content?.querySelector('[data-leaving="false"]')
const findTitle = (content: HTMLElement | null) => findLayer(content)?.querySelector('h2')

/** Returns the field that a form marks with `data-first-field`, else the first field. */
function findField(content: HTMLElement | null) {
  const first = findLayer(content)?.querySelector<HTMLElement>('input, select, textarea')
  return first?.closest('form')?.querySelector<HTMLElement>('[data-first-field]') ?? first
}

function focusScreen(content: HTMLElement | null, fieldFirst: boolean) {
  const field = fieldFirst && findField(content)
  const target = field || findTitle(content)
  target?.focus({ preventScroll: true })
}
