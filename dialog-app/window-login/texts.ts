import { catalogue } from '../i18n/catalogue.ts'
import { english, type WindowLoginTexts } from './texts.en.ts'

export const texts = catalogue<WindowLoginTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
