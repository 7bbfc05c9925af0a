import { catalogue } from '../../i18n/catalogue.ts'
import { english, type FarcasterTexts } from './texts.en.ts'

export const texts = catalogue<FarcasterTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
