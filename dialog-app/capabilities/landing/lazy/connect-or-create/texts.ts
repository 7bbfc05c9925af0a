import { catalogue } from '../../../../i18n/catalogue.ts'
import { type ConnectOrCreateTexts, english } from './texts.en.ts'

export const texts = catalogue<ConnectOrCreateTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
