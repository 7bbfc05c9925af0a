import { catalogue } from '../../i18n/catalogue.ts'
import { english, type RecoveryTexts } from './texts.en.ts'

export const texts = catalogue<RecoveryTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
