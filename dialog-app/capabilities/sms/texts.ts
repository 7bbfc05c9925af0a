import { catalogue } from '../../i18n/catalogue.ts'
import { english, type SmsTexts } from './texts.en.ts'

export const texts = catalogue<SmsTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
