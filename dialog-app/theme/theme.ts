/**
 * Derives every color of the dialog from one accent and a scheme. Neutrals carry a trace of the accent's hue. Fills
 * use the accent unchanged; text changes its lightness until it has a contrast of 4.5:1, lines, rings and control
 * borders until 3:1.
 */
import type { ErrorCode } from '@latchkey/protocol'
import { contrast, type Oklch, parseHex, readable, toHex, toOklch, toRgb } from './oklch.ts'

export type Scheme = 'light' | 'dark'
export type ThemeInput = {
  /** `#rrggbb`; the default replaces any other value. */
  accent: string | null | undefined
  /** `light`, `dark`, `auto`, or a background color. */
  theme: string | null | undefined
  /** The system's preferred scheme, for `auto`. */
  prefersDark: boolean
}

export const themeTokens = [
  'surface',
  'raised',
  'pressed',
  'line',
  'control-line',
  'text',
  'muted',
  'accent',
  'accent-line',
  'accent-pressed',
  'on-accent',
  'link',
  'focus',
  'danger',
  'danger-surface',
  'warning',
  'warning-surface',
  'success',
  'shadow',
  'backdrop',
] as const
export type ThemeToken = (typeof themeTokens)[number]
/** A setting that is neither a color nor a scheme. The default replaces it. */
export type Refusal = {
  code: ErrorCode
  setting: 'accent' | 'theme'
  given: string
}
export type Theme = {
  scheme: Scheme
  tokens: Readonly<Record<ThemeToken, string>>
  refusals: readonly Refusal[]
}

export const defaultAccent = '#0a66c9'

const TEXT = 4.5
const CONTROL = 3
/** Slightly above the required contrast, because of rounding to 256 steps. */
const SLACK = 0.03

export function deriveTheme({ accent, theme, prefersDark }: ThemeInput): Theme {
  const background = theme ? parseHex(theme) : undefined
  const scheme = chooseScheme(theme, background && toOklch(background), prefersDark)
  const dark = scheme === 'dark'
  const brand = toOklch(parseHex(accent ?? '') ?? parseHex(defaultAccent) ?? { r: 0, g: 0.4, b: 0.8 })
  const trace = Math.min(1, brand.c / 0.15)
  const neutral = (l: number, c: number): Oklch => ({ l, c: c * trace, h: brand.h })

  const surface = background
    ? clampSurface(toOklch(background), dark)
    : dark
      ? neutral(0.205, 0.008)
      : neutral(0.995, 0.002)
  const rise = (by: number, c: number): Oklch => ({
    l: dark ? Math.min(1, surface.l + by) : Math.max(0, surface.l - by * 0.6),
    c: background ? surface.c : c * trace,
    h: background ? surface.h : brand.h,
  })
  const raised = rise(0.045, dark ? 0.009 : 0.004)
  const pressed = rise(0.085, dark ? 0.01 : 0.006)
  const line = rise(0.125, dark ? 0.01 : 0.006)
  const grounds = [surface, raised, pressed]
  const outward = dark ? 'lighter' : 'darker'
  const readableText = (colour: Oklch) => readable(colour, grounds, TEXT + SLACK, outward)

  const onAccent = labelFor(brand)
  // The pressed state moves away from its label, so its contrast increases.
  const accentPressed = {
    ...brand,
    l: Math.min(1, Math.max(0, brand.l + (onAccent.l > brand.l ? -0.04 : 0.04))),
  }
  const link = readableText({
    ...brand,
    l: dark ? Math.max(brand.l, 0.72) : brand.l,
    c: Math.min(brand.c, dark ? 0.13 : 0.2),
  })
  const danger = readableText({ l: dark ? 0.72 : 0.53, c: dark ? 0.15 : 0.19, h: 25 })
  const tint = (colour: Oklch): Oklch => ({ l: surface.l + (dark ? 0.06 : -0.04), c: 0.03, h: colour.h })
  const dangerSurface = tint(danger)
  const warningHue = { l: dark ? 0.8 : 0.55, c: 0.12, h: 70 }
  const warningSurface = tint(warningHue)

  return {
    scheme,
    refusals: listRefusals(accent, theme),
    tokens: {
      surface: toHex(surface),
      raised: toHex(raised),
      pressed: toHex(pressed),
      line: toHex(line),
      'control-line': toHex(readable({ ...line, l: dark ? 0.5 : 0.65 }, grounds, CONTROL + SLACK, outward)),
      text: toHex(readableText(neutral(dark ? 0.95 : 0.24, 0.012))),
      muted: toHex(readableText(neutral(dark ? 0.72 : 0.52, 0.014))),
      accent: toHex(brand),
      // The border of fills, and line drawings: the accent itself if it has enough contrast.
      'accent-line': toHex(readable(brand, [surface, raised], CONTROL + SLACK, outward)),
      'accent-pressed': toHex(accentPressed),
      'on-accent': toHex(onAccent),
      link: toHex(link),
      focus: toHex(readable(link, grounds, CONTROL + SLACK, outward)),
      danger: toHex(readable(danger, [...grounds, dangerSurface], TEXT + SLACK, outward)),
      'danger-surface': toHex(dangerSurface),
      warning: toHex(readable(warningHue, [surface, warningSurface], CONTROL + SLACK, outward)),
      'warning-surface': toHex(warningSurface),
      success: toHex(readableText({ l: dark ? 0.76 : 0.52, c: 0.13, h: 155 })),
      shadow: dark
        ? '0 0 0 1px rgb(255 255 255 / 0.06), 0 24px 64px -12px rgb(0 0 0 / 0.8)'
        : '0 1px 2px rgb(16 24 40 / 0.06), 0 16px 48px -12px rgb(16 24 40 / 0.22)',
      // Dims a dark page less, which black would hide completely.
      backdrop: dark ? 'rgb(0 0 0 / 0.45)' : 'rgb(16 20 28 / 0.42)',
    },
  }
}

const schemes: ReadonlySet<string> = new Set(['light', 'dark', 'auto'])

function listRefusals(accent: ThemeInput['accent'], theme: ThemeInput['theme']): readonly Refusal[] {
  const refuse = (setting: Refusal['setting'], given: string): Refusal => ({
    code: 'invalid_data',
    setting,
    given,
  })
  return [
    ...(accent && !parseHex(accent) ? [refuse('accent', accent)] : []),
    ...(theme && !schemes.has(theme) && !parseHex(theme) ? [refuse('theme', theme)] : []),
  ]
}

function chooseScheme(
  theme: string | null | undefined,
  background: Oklch | undefined,
  prefersDark: boolean,
): Scheme {
  if (background) return background.l < 0.6 ? 'dark' : 'light'
  if (theme === 'light' || theme === 'dark') return theme
  return prefersDark ? 'dark' : 'light'
}

/** A medium background leaves no contrast for text on either side. */
const clampSurface = (colour: Oklch, dark: boolean): Oklch => ({
  ...colour,
  l: dark ? Math.min(colour.l, 0.3) : Math.max(colour.l, 0.9),
  c: Math.min(colour.c, dark ? 0.06 : 0.05),
})

/** Returns white, a near-black of the same hue, or black. White or black has at least 4.58:1 on every color. */
function labelFor(brand: Oklch): Oklch {
  const white: Oklch = { l: 1, c: 0, h: 0 }
  const ink: Oklch = { l: 0.16, c: Math.min(0.03, brand.c), h: brand.h }
  const black: Oklch = { l: 0, c: 0, h: 0 }
  const ground = toRgb(brand)
  const labels = [white, ink, black]
  return labels.find((label) => contrast(toRgb(label), ground) >= TEXT) ?? black
}

const property = (token: ThemeToken) => `--lk-${token}`

/** Uses the style object, because the page's CSP forbids style attributes. */
export function applyTheme(element: HTMLElement, theme: Theme): void {
  for (const token of themeTokens) element.style.setProperty(property(token), theme.tokens[token])
  element.style.setProperty('color-scheme', theme.scheme)
}
