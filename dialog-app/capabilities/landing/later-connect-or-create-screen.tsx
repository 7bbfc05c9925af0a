import type { NoEvents, PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Entrance, type LandingState } from './landing-screen.tsx'
import { texts } from './later-connect-or-create-texts.ts'

export function ConnectOrCreateScreen({ state }: PartProps<LandingState, NoEvents>) {
  return <Entrance state={state} words={useTexts(texts)} />
}
