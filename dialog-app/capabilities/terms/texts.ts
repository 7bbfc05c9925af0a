import { catalogue } from '../../i18n/catalogue.ts'
import { english, type TermsTexts } from './texts.en.ts'

export const texts = catalogue<TermsTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
