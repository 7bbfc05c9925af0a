import { catalogue } from '../../i18n/catalogue.ts'
import { english, type WalletCreateTexts } from './texts.en.ts'

export const texts = catalogue<WalletCreateTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
