import { catalogue } from '../../i18n/catalogue.ts'
import { english, type SignedInTexts } from './texts.en.ts'

export const texts = catalogue<SignedInTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
