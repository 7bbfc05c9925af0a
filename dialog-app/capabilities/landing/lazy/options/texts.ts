import { catalogue } from '../../../../i18n/catalogue.ts'
import { english, type OptionsTexts } from './texts.en.ts'

export const texts = catalogue<OptionsTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
