import { catalogue } from './catalogue.ts'
import { type ShellTexts, shellEnglish } from './shell.en.ts'

export const shellTexts = catalogue<ShellTexts>(shellEnglish, {
  ar: async () => (await import('./shell.ar.ts')).shellArabic,
})
