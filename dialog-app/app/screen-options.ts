/** Hooks with which a screen tells the card about itself. */
import { createContext, use, useLayoutEffect } from 'react'
import type { ScreenOptions } from './screen.ts'

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
