import { catalogue } from '../../i18n/catalogue.ts'
import { type EmailTexts, english } from './texts.en.ts'

export const texts = catalogue<EmailTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
