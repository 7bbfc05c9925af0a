/** Hooks with which a screen tells the card about itself. */
import { createContext, use, useLayoutEffect, useState } from 'react'
import type { LeaveWords, ScreenOptions } from '../flow/screen.ts'
import { useLate } from '../ui/feedback/late.ts'

type SetOptions = (change: Partial<ScreenOptions>) => void

const Context = createContext<SetOptions>(() => {})
export const OptionsProvider = Context

/** Sets which buttons the header has. */
export function useHeader({ back, close }: { back: boolean; close: boolean }) {
  const setOptions = use(Context)
  useLayoutEffect(() => setOptions({ ways: { back, close } }), [setOptions, back, close])
}

/** Reports that the screen only shows progress at the moment. */
export function useWaits(waits: boolean) {
  const setOptions = use(Context)
  useLayoutEffect(() => setOptions({ waits }), [setOptions, waits])
}

/** Returns the state to draw: a wait is drawn once it has lasted 150 ms, and the state before it until then. */
export function useShownState<State>(state: State, waits: boolean): State {
  useWaits(waits)
  const isShown = useLate(waits) || !waits
  const [last, setLast] = useState(state)
  if (isShown && last !== state) setLast(state)
  return isShown ? state : last
}

/** Sets the question that Escape and a click beside the card ask before they close it. */
export function useLeaveWords(leaveWords: LeaveWords | undefined) {
  const setOptions = use(Context)
  useLayoutEffect(() => setOptions({ leaveWords }), [setOptions, leaveWords])
}

/** Lets the card move the focus to the new title, and announce it, when the content of a screen is replaced. */
export function useContentChange(content: string) {
  const setOptions = use(Context)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the card renders again for each content.
  useLayoutEffect(() => setOptions({}), [setOptions, content])
}
