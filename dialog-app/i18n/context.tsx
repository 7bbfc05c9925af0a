import { createContext, use } from 'react'
import { en, type Texts } from './en.ts'

const TextContext = createContext<Texts>(en)
export const TextProvider = TextContext
export const useText = (): Texts => use(TextContext)
