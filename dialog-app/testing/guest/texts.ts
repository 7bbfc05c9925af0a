import { catalogue } from '../../i18n/catalogue.ts'
import { english, type GuestTexts } from './texts.en.ts'

export const texts = catalogue<GuestTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
