import { catalogue } from '../../i18n/catalogue.ts'
import { type AuthorizeTexts, english } from './texts.en.ts'

export const texts = catalogue<AuthorizeTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
