import { type Pictures, pictured } from '../../contract/picture.ts'
import { consentScreen } from './screens.ts'

const both = {
  status: 'asking',
  termsUrl: 'https://fieldnotes.example/terms',
  privacyUrl: 'https://fieldnotes.example/privacy',
} as const

export const pictures: Pictures = {
  screens: [
    { caption: 'Consent', screen: pictured(consentScreen, both) },
    { caption: 'Consent, accepting', screen: pictured(consentScreen, { ...both, status: 'accepting' }) },
    {
      caption: 'Consent, without links',
      screen: pictured(consentScreen, { status: 'asking', termsUrl: undefined, privacyUrl: undefined }),
    },
  ],
}
