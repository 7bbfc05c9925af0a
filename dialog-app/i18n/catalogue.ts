import { en, type Texts } from './en.ts'

/** English is there at once; another language comes when it is wanted. */
const others: Readonly<Record<string, () => Promise<Texts>>> = {
  ar: async () => (await import('./ar.ts')).ar,
}

/** By the language of a tag as `ar-EG`; English for what we do not speak. */
export async function loadTexts(locale: string | undefined): Promise<Texts> {
  const language = locale?.split('-')[0]?.toLowerCase() ?? ''
  const load = Object.hasOwn(others, language) ? others[language] : undefined
  return load ? load().catch(() => en) : en
}
