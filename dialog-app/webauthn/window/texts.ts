import { catalogue } from '../../i18n/catalogue.ts'
import { english, type PasskeyWindowTexts } from './texts.en.ts'

export const texts = catalogue<PasskeyWindowTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
