import { catalogue } from '../../i18n/catalogue.ts'
import { english, type NoticeTexts } from './texts.en.ts'

export const texts = catalogue<NoticeTexts>(english, {
  ar: async () => (await import('./texts.ar.ts')).arabic,
})
