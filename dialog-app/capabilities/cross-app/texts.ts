import { catalogue } from '../../i18n/catalogue.ts'
import { type CrossAppTexts, english } from './texts.en.ts'

export const texts = catalogue<CrossAppTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
