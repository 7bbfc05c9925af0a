import type { ScreenStates, ViewEvent } from '../flows/view-state.ts'

/** A screen draws its state and says what the user does; it knows no network. */
export type ScreenProps<Name extends keyof ScreenStates> = {
  readonly state: ScreenStates[Name]
  readonly send: (event: ViewEvent) => void
}
