import { catalogue } from '../../i18n/catalogue.ts'
import { type ConnectOrCreateTexts, english } from './later-connect-or-create-texts.en.ts'

export const texts = catalogue<ConnectOrCreateTexts>(english, {
  ar: async () => (await import('./later-connect-or-create-texts.ar.ts')).arabic,
})
