import { catalogue } from '../../i18n/catalogue.ts'
import { english, type MfaTexts } from './texts.en.ts'

export const texts = catalogue<MfaTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
