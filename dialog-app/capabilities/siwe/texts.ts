import { catalogue } from '../../i18n/catalogue.ts'
import { english, type WalletTexts } from './texts.en.ts'

export const texts = catalogue<WalletTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
