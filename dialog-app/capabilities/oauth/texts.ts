import { catalogue } from '../../i18n/catalogue.ts'
import { english, type OAuthTexts } from './texts.en.ts'

export const texts = catalogue<OAuthTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
