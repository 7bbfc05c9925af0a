import { catalogue } from '../../i18n/catalogue.ts'
import { english, type SignTexts } from './texts.en.ts'

export const texts = catalogue<SignTexts>(english, { ar: async () => (await import('./texts.ar.ts')).arabic })
