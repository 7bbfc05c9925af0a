import { catalogue } from '../../i18n/catalogue.ts'
import { type ConnectedAppsTexts, english } from './texts.en.ts'

export const texts = catalogue<ConnectedAppsTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
