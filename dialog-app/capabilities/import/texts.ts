import { catalogue } from '../../i18n/catalogue.ts'
import { english, type ImportTexts } from './texts.en.ts'

export const texts = catalogue<ImportTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
