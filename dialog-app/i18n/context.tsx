import type { Catalogue } from '@latchkey/protocol/texts'
import { createContext, use, useEffect, useState } from 'react'
import type { Language } from './languages.ts'

const LanguageContext = createContext<Language>('en')
export const LanguageProvider = LanguageContext
export const useLanguage = () => use(LanguageContext)

/** Returns the texts of a catalogue in the user's language, and renders again when a language loads. */
export function useTexts<Texts>(catalogue: Catalogue<Texts>): Texts {
  const language = useLanguage()
  const [, drawAgain] = useState(0)
  useEffect(() => {
    if (catalogue.isLoaded(language)) return
    let current = true
    catalogue.load(language).then(() => current && drawAgain((count) => count + 1))
    return () => {
      current = false
    }
  }, [catalogue, language])
  return catalogue.in(language)
}
