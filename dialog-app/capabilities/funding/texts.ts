import { catalogue } from '../../i18n/catalogue.ts'
import { english, type FundingTexts } from './texts.en.ts'

export const texts = catalogue<FundingTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
