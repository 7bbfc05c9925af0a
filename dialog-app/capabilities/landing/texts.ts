import { catalogue } from '../../i18n/catalogue.ts'
import { english, type LandingTexts } from './texts.en.ts'

export const texts = catalogue<LandingTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
