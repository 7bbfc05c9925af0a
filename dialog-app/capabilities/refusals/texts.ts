import { catalogue } from '../../i18n/catalogue.ts'
import { english, type RefusalTexts } from './texts.en.ts'

export const texts = catalogue<RefusalTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
