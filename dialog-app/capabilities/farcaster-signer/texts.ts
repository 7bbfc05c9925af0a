import { catalogue } from '../../i18n/catalogue.ts'
import { english, type SignerTexts } from './texts.en.ts'

export const texts = catalogue<SignerTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
