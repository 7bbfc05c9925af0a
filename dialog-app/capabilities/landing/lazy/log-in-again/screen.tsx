import type { NoEvents, PartProps } from '../../../../flow/screen.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { type LandingState, OwnWords } from '../../landing-screen.tsx'
import { texts } from './texts.arb'

export function LogInAgainScreen({ state }: PartProps<LandingState, NoEvents>) {
  return <OwnWords state={state} words={useTexts(texts)} />
}

/** The user logs in with an account that they had before. */
export function LogInOtherwiseScreen({ state }: PartProps<LandingState, NoEvents>) {
  const { otherwise, ...words } = useTexts(texts)
  return <OwnWords state={state} words={{ ...words, ...otherwise }} />
}
