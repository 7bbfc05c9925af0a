import { useTexts } from '../../../../i18n/context.tsx'
import { type LandingProps, OwnWords } from '../../landing-screen.tsx'
import { texts } from './texts.arb'

export const LogInAgainScreen = ({ methods }: LandingProps) => (
  <OwnWords methods={methods} words={useTexts(texts)} />
)

/** The user logs in with an account that they had before. */
export function LogInOtherwiseScreen({ methods }: LandingProps) {
  const { otherwise, ...words } = useTexts(texts)
  return <OwnWords methods={methods} words={{ ...words, ...otherwise }} />
}
