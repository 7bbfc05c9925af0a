import { catalogue } from '../../i18n/catalogue.ts'
import { english, type OptionsTexts } from './later-texts.en.ts'

export const texts = catalogue<OptionsTexts>(english, {
  ar: async () => (await import('./later-texts.ar.ts')).arabic,
})
