/** Theme and accent of this site, which the dialog is told too, so that both look like one product; and its language. */
import { keep, readKept } from './kept.ts'

export const themes = ['light', 'dark', 'auto'] as const
export type Theme = (typeof themes)[number]

export const accents = {
  moss: '#2c6e49',
  lake: '#1f5f99',
  heather: '#74489a',
  ochre: '#9a5b13',
  ink: '#2b2f36',
} as const
export type Accent = keyof typeof accents

export const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

export type Look = { readonly theme: Theme; readonly accent: Accent; readonly language: Language }

const storageName = 'fieldnotes:look'
const usual: Look = { theme: 'auto', accent: 'moss', language: 'en' }

const isAccent = (value: unknown): value is Accent =>
  typeof value === 'string' && Object.hasOwn(accents, value)

const parseLook = (text: string | null): Look => {
  const [theme, accent, language] = text?.split(' ') ?? []
  return {
    theme: themes.find((known) => known === theme) ?? usual.theme,
    accent: isAccent(accent) ? accent : usual.accent,
    language: languages.find((known) => known === language) ?? usual.language,
  }
}

/** The parts of a look, in the order in which they are kept. */
const parts = ['theme', 'accent', 'language'] as const

const checkedValue = (name: string) =>
  document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`)?.value

const check = (name: string, value: string) => {
  const input = document.querySelector<HTMLInputElement>(`input[name="${name}"][value="${value}"]`)
  if (input !== null) input.checked = true
}

const wear = ({ theme, accent }: Look) => {
  document.documentElement.dataset.theme = theme
  document.documentElement.dataset.accent = accent
}

/** Shows the look of the last visit, and tells of each change. */
export const startLook = (onChange: (look: Look) => void): Look => {
  const kept = parseLook(readKept(storageName))
  for (const part of parts) check(part, kept[part])
  wear(kept)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !parts.some((part) => part === target.name)) return
    const text = parts.map(checkedValue).join(' ')
    const look = parseLook(text)
    keep(storageName, text)
    wear(look)
    onChange(look)
  })
  return kept
}
