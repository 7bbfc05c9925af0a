/**
 * The theme, accent and language of this site. The dialog gets the same, so that both look like one product.
 */
import type { ClientConfig } from '@latchkey/loader'
import { readKept, storeText } from './kept.ts'

const themes = ['light', 'dark', 'auto'] as const
type Theme = (typeof themes)[number]

const accents = {
  moss: '#2c6e49',
  lake: '#1f5f99',
  heather: '#74489a',
  ochre: '#9a5b13',
  ink: '#2b2f36',
} as const
type Accent = keyof typeof accents

/** The build adds an option for each language of the dialog. */
const languageSelect = document.querySelector<HTMLSelectElement>('select[name="language"]')
const languages = Array.from(languageSelect?.options ?? [], ({ value }) => value)

type Appearance = { theme: Theme; accent: Accent; language: string }

const storageName = 'latchkey-demo:look'
const usual: Appearance = { theme: 'auto', accent: 'lake', language: 'en' }

const isAccent = (value: unknown): value is Accent =>
  typeof value === 'string' && Object.hasOwn(accents, value)

const parseLook = (text: string | null): Appearance => {
  const [theme, accent, language] = text?.split(' ') ?? []
  return {
    theme: themes.find((known) => known === theme) ?? usual.theme,
    accent: isAccent(accent) ? accent : usual.accent,
    language: languages.find((known) => known === language) ?? usual.language,
  }
}

/** The parts of a look, in storage order. */
const parts = ['theme', 'accent', 'language'] as const

const readControl = (name: string) =>
  document.querySelector<HTMLInputElement | HTMLSelectElement>(
    `input[name="${name}"]:checked, select[name="${name}"]`,
  )?.value

const setControl = (name: string, value: string) => {
  const input = document.querySelector<HTMLInputElement>(`input[name="${name}"][value="${value}"]`)
  if (input !== null) input.checked = true
  else if (languageSelect?.name === name) languageSelect.value = value
}

const wear = ({ theme, accent }: Appearance) => {
  document.documentElement.dataset.theme = theme
  document.documentElement.dataset.accent = accent
}

let look = parseLook(readKept(storageName))
for (const part of parts) setControl(part, look[part])
wear(look)

/** The dialog uses the page's theme. `?dialog=dark` overrides it, to test a dark dialog on a light page. */
const dialogTheme = themes.find((known) => known === new URLSearchParams(location.search).get('dialog'))

/** Returns the page's configuration with the current look. */
export const settings = (): ClientConfig => ({
  intl: { locale: look.language },
  appearance: { theme: dialogTheme ?? look.theme, accentColor: accents[look.accent] },
  embeddedWallets: { priceDisplay: { primary: 'fiat-currency', secondary: 'native-token' } },
})

/** Calls back after each change. */
export const onLook = (changed: () => void) =>
  document.addEventListener('change', ({ target }) => {
    const isControl = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    if (!isControl || !parts.some((part) => part === target.name)) return
    const text = parts.map(readControl).join(' ')
    look = parseLook(text)
    storeText(storageName, text)
    wear(look)
    changed()
  })
