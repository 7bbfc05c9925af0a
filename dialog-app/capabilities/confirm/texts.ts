import { catalogue } from '../../i18n/catalogue.ts'
import { type ConfirmTexts, english } from './texts.en.ts'

export const texts = catalogue<ConfirmTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
