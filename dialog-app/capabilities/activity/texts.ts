import { catalogue } from '../../i18n/catalogue.ts'
import { type ActivityTexts, english } from './texts.en.ts'

export const texts = catalogue<ActivityTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
