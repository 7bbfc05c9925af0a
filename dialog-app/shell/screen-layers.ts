/** The screen that is here, and the one that is just leaving. */
import { useState } from 'react'
import type { ShownScreen } from '../flow/screen.ts'
import type { View } from '../flow/view.ts'

export type Layer = {
  readonly step: number
  readonly screen: ShownScreen
  /** How it came; nothing came before the first one that it could have come from. */
  readonly came: View['direction'] | undefined
  /** How it leaves. */
  readonly leaves: View['direction'] | undefined
}

export function useScreenLayers(view: View): {
  readonly layers: readonly Layer[]
  readonly onLeft: (step: number) => void
} {
  const [present, setPresent] = useState<Layer>()
  const [leaving, setLeaving] = useState<Layer>()
  const { screen, step, direction } = view
  if (screen && (present?.step !== step || present.screen !== screen)) {
    // Derived during render: the new screen never waits for a second pass.
    // https://react.dev/reference/react/useState#storing-information-from-previous-renders
    const isNew = present?.step !== step
    if (present && isNew) setLeaving({ ...present, leaves: direction })
    setPresent({ step, screen, came: isNew ? present && direction : present.came, leaves: undefined })
  }
  return {
    layers: [leaving, present].filter((layer) => layer !== undefined),
    onLeft: (left) => setLeaving((layer) => (layer?.step === left ? undefined : layer)),
  }
}
