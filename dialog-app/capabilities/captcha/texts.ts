import { catalogue } from '../../i18n/catalogue.ts'
import { type CaptchaTexts, english } from './texts.en.ts'

export const texts = catalogue<CaptchaTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
