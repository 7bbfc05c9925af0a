import { catalogue } from '../../i18n/catalogue.ts'
import { type CodeTexts, english } from './texts.en.ts'

export const texts = catalogue<CodeTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
