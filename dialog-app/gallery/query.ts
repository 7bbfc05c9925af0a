/** The gallery's URL parameters. */
export type Query = {
  part: 'screens' | 'components' | 'picture' | 'overview'
  scheme: 'light' | 'dark'
  layout: 'card' | 'sheet' | 'low'
  direction: 'ltr' | 'rtl' | 'long'
  accent: AccentName
  /** A BCP 47 tag, which replaces the language of the direction. Empty in most addresses. */
  language: string
}

export const accents = { blue: '#0a66c9', orange: '#f08a24', yellow: '#ffd400' } as const
export type AccentName = keyof typeof accents

export const choices = {
  part: ['screens', 'components', 'picture', 'overview'],
  scheme: ['light', 'dark'],
  layout: ['card', 'sheet', 'low'],
  direction: ['ltr', 'rtl', 'long'],
  accent: ['blue', 'orange', 'yellow'],
} as const satisfies { [Name in Exclude<keyof Query, 'language'>]: readonly Query[Name][] }

export function readQuery(search: string): Query {
  const parameters = new URLSearchParams(search)
  const choose = <const T extends string>(name: string, values: readonly [T, ...T[]]): T =>
    values.find((value) => value === parameters.get(name)) ?? values[0]
  return {
    part: choose('part', choices.part),
    scheme: choose('scheme', choices.scheme),
    layout: choose('layout', choices.layout),
    direction: choose('direction', choices.direction),
    accent: choose('accent', choices.accent),
    language: parameters.get('language') ?? '',
  }
}

/** Arabic represents right-to-left languages, and the pseudo-locale those with long words. */
export const getLocale = ({ direction, language }: Query) =>
  language || { ltr: 'en', rtl: 'ar', long: 'en-XA' }[direction]

export const toAddress = (query: Query) => `?${new URLSearchParams(query)}`
