import { catalogue } from '../../i18n/catalogue.ts'
import { english, type PasskeyTexts } from './texts.en.ts'

export const texts = catalogue<PasskeyTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
