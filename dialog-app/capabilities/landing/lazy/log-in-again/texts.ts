import { catalogue } from '../../../../i18n/catalogue.ts'
import { english, type LogInAgainTexts } from './texts.en.ts'

export const texts = catalogue<LogInAgainTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
