import { catalogue } from '../../i18n/catalogue.ts'
import { english, type SendTexts } from './texts.en.ts'

export const texts = catalogue<SendTexts>(english, { ar: async () => (await import('./texts.ar.ts')).arabic })
