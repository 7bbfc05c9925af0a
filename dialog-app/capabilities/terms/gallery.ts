import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { ConsentView, type ConsentViewProps } from './consent-screen.tsx'
import { consentScreen } from './screens.ts'

const consent = (caption: string, change: Partial<ConsentViewProps> = {}): Picture => ({
  caption,
  screen: picturedView(
    consentScreen,
    ConsentView,
    (press): ConsentViewProps => ({
      isAccepting: false,
      termsUrl: 'https://fieldnotes.example/terms',
      privacyUrl: 'https://fieldnotes.example/privacy',
      onAccept: press('accept'),
      onDecline: press('decline'),
      ...change,
    }),
  ),
})

export const pictures: Pictures = {
  screens: [
    consent('Consent'),
    consent('Consent, accepting', { isAccepting: true }),
    consent('Consent, without links', { termsUrl: undefined, privacyUrl: undefined }),
  ],
}
