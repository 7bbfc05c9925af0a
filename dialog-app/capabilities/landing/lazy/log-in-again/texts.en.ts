import type { Widen } from '../../../../i18n/catalogue.ts'
import { english as landing } from '../../texts.en.ts'

export const english = {
  ...landing,
  title: 'Log in again to use your wallet here',
  lead: 'This browser no longer holds what connects your session to your wallet. Nothing is lost.',
  otherwise: {
    title: 'Log in with another method',
    lead: 'With one that you had before. Your wallet then comes to this device.',
  },
} as const
export type LogInAgainTexts = Widen<typeof english>
