/** The screen that is here, and the one that is just leaving. */
import { useState } from 'react'
import type { ShownScreen } from '../core/screen.ts'
import type { View } from '../core/view.ts'

export type Layer = { readonly step: number; readonly screen: ShownScreen; readonly leaving: boolean }

export function useScreenLayers(view: View): {
  readonly layers: readonly Layer[]
  readonly onLeft: (step: number) => void
} {
  const [present, setPresent] = useState<Layer>()
  const [leaving, setLeaving] = useState<Layer>()
  const { screen, step } = view
  if (screen && (present?.step !== step || present.screen !== screen)) {
    // Derived during render: the new screen never waits for a second pass.
    // https://react.dev/reference/react/useState#storing-information-from-previous-renders
    if (present && present.step !== step) setLeaving({ ...present, leaving: true })
    setPresent({ step, screen, leaving: false })
  }
  return {
    layers: [leaving, present].filter((layer) => layer !== undefined),
    onLeft: (left) => setLeaving((layer) => (layer?.step === left ? undefined : layer)),
  }
}
