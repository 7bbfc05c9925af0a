import { catalogue } from '../../i18n/catalogue.ts'
import { english, type LogInAgainTexts } from './later-log-in-again-texts.en.ts'

export const texts = catalogue<LogInAgainTexts>(english, {
  ar: async () => (await import('./later-log-in-again-texts.ar.ts')).arabic,
})
