import { catalogue } from '../../i18n/catalogue.ts'
import { english, type LinkingTexts } from './texts.en.ts'

export const texts = catalogue<LinkingTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
