import type { NoEvents, PartProps } from '../../../../flow/screen.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { Entrance, type LandingState } from '../../landing-screen.tsx'
import { texts } from './texts.arb'

export function ConnectOrCreateScreen({ state }: PartProps<LandingState, NoEvents>) {
  return <Entrance state={state} words={useTexts(texts)} />
}
