import { directions } from '@latchkey/protocol/texts/directions'
import type { Language } from '../i18n/languages.ts'

/** The gallery's URL parameters. */
export type Query = {
  part: 'screens' | 'components' | 'picture' | 'overview'
  scheme: 'light' | 'dark'
  layout: 'card' | 'sheet' | 'low'
  language: Language
  accent: AccentName
}

export const accents = { blue: '#0a66c9', orange: '#f08a24', yellow: '#ffd400' } as const
export type AccentName = keyof typeof accents

export const choices = {
  part: ['screens', 'components', 'picture', 'overview'],
  scheme: ['light', 'dark'],
  layout: ['card', 'sheet', 'low'],
  language: ['en', ...Object.keys(directions).filter((tag) => tag !== 'en')],
  accent: ['blue', 'orange', 'yellow'],
} as const satisfies { [Name in keyof Query]: readonly Query[Name][] }

export function readQuery(search: string): Query {
  const parameters = new URLSearchParams(search)
  const choose = <const T extends string>(name: string, values: readonly [T, ...T[]]): T =>
    values.find((value) => value === parameters.get(name)) ?? values[0]
  return {
    part: choose('part', choices.part),
    scheme: choose('scheme', choices.scheme),
    layout: choose('layout', choices.layout),
    language: choose('language', choices.language),
    accent: choose('accent', choices.accent),
  }
}

export const toAddress = (query: Query) => `?${new URLSearchParams(query)}`
