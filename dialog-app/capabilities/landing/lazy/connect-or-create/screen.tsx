import { useTexts } from '../../../../i18n/context.tsx'
import { Entrance, type LandingProps } from '../../landing-screen.tsx'
import { texts } from './texts.arb'

export const ConnectOrCreateScreen = ({ methods }: LandingProps) => (
  <Entrance methods={methods} words={useTexts(texts)} />
)
