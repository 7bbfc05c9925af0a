import { catalogue } from '../../i18n/catalogue.ts'
import { type AccountDeletionTexts, english } from './texts.en.ts'

export const texts = catalogue<AccountDeletionTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
