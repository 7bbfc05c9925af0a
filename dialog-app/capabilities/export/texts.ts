import { catalogue } from '../../i18n/catalogue.ts'
import { type ExportTexts, english } from './texts.en.ts'

export const texts = catalogue<ExportTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
