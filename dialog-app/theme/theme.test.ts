import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, parseHex, toHex, toOklch } from './oklch.ts'
import { defaultAccent, deriveTheme, type Theme, type ThemeToken } from './theme.ts'

const ratio = ({ tokens }: Theme, front: ThemeToken, back: ThemeToken) => {
  const [one, two] = [parseHex(tokens[front]), parseHex(tokens[back])]
  if (!one || !two) throw new Error(`${front} or ${back} is no colour`)
  return contrast(one, two)
}

const hexColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)
const theme = fc.oneof(fc.constantFrom('light', 'dark', 'auto'), hexColour)

describe('theme', () => {
  it('is readable for every accent, in both schemes and on any background', () => {
    fc.assert(
      fc.property(hexColour, theme, fc.boolean(), (accent, wanted, prefersDark) => {
        const derived = deriveTheme({ accent, theme: wanted, prefersDark })
        for (const front of ['text', 'muted', 'link', 'danger', 'success'] as const) {
          for (const back of ['surface', 'raised', 'pressed'] as const) {
            expect(ratio(derived, front, back)).toBeGreaterThanOrEqual(4.5)
          }
        }
        expect(ratio(derived, 'danger', 'danger-surface')).toBeGreaterThanOrEqual(4.5)
        expect(ratio(derived, 'on-accent', 'accent')).toBeGreaterThanOrEqual(4.5)
        expect(ratio(derived, 'on-accent', 'accent-pressed')).toBeGreaterThanOrEqual(4.5)
        expect(ratio(derived, 'accent-line', 'surface')).toBeGreaterThanOrEqual(3)
        expect(ratio(derived, 'accent-line', 'raised')).toBeGreaterThanOrEqual(3)
        expect(ratio(derived, 'focus', 'surface')).toBeGreaterThanOrEqual(3)
        expect(ratio(derived, 'text', 'warning-surface')).toBeGreaterThanOrEqual(4.5)
        expect(ratio(derived, 'warning', 'warning-surface')).toBeGreaterThanOrEqual(3)
      }),
      { numRuns: 2_000 },
    )
  })

  it("fills with the host page's accent unchanged, in both schemes and on any background", () => {
    fc.assert(
      fc.property(hexColour, theme, fc.boolean(), (accent, wanted, prefersDark) => {
        expect(deriveTheme({ accent, theme: wanted, prefersDark }).tokens.accent).toBe(accent)
      }),
    )
  })

  it('draws a border only around fills with too little contrast to their background', () => {
    const lineOf = (accent: string, wanted: 'light' | 'dark') =>
      deriveTheme({ accent, theme: wanted, prefersDark: false }).tokens['accent-line']
    expect(lineOf('#0a66c9', 'light')).toBe('#0a66c9')
    expect(lineOf('#ffd400', 'dark')).toBe('#ffd400')
    expect(lineOf('#ffd400', 'light')).not.toBe('#ffd400')
    expect(lineOf('#101014', 'dark')).not.toBe('#101014')
  })

  it('keeps a dark page legible under the backdrop of a dark card', () => {
    const { backdrop } = deriveTheme({ accent: null, theme: 'dark', prefersDark: true }).tokens
    const alpha = Number(/^rgb\(0 0 0 \/ ([\d.]+)\)$/.exec(backdrop)?.[1])
    const dimmed = (level: number) => {
      const channel = (level / 255) * (1 - alpha)
      return { r: channel, g: channel, b: channel }
    }
    expect(contrast(dimmed(0xe8), dimmed(0x18))).toBeGreaterThanOrEqual(4.5)
  })

  // spec L1.15
  it('follows the host page: accent, scheme and background', () => {
    const light = deriveTheme({ accent: '#0a66c9', theme: 'light', prefersDark: true })
    const dark = deriveTheme({ accent: '#0a66c9', theme: 'dark', prefersDark: false })
    expect([light.scheme, dark.scheme]).toEqual(['light', 'dark'])
    expect(deriveTheme({ accent: null, theme: 'auto', prefersDark: true }).scheme).toBe('dark')
    expect(deriveTheme({ accent: null, theme: '#101418', prefersDark: false }).tokens.surface).toBe('#101418')
    expect(deriveTheme({ accent: '#d0342c', theme: 'light', prefersDark: false }).tokens.accent).not.toBe(
      light.tokens.accent,
    )
  })

  it.each(['red', '#fff', 'url(https://evil.test)', '#12345g', '', 'expression(alert(1))'])(
    'takes the default for %j, which is no colour',
    (accent) => {
      const { tokens } = deriveTheme({ accent, theme: accent, prefersDark: false })
      expect(tokens).toEqual(
        deriveTheme({ accent: defaultAccent, theme: 'light', prefersDark: false }).tokens,
      )
    },
  )

  it('returns each rejected setting with the reason', () => {
    const { refusals } = deriveTheme({ accent: 'red', theme: 'url(https://evil.test)', prefersDark: false })
    expect(refusals).toEqual([
      { code: 'invalid_data', setting: 'accent', given: 'red' },
      { code: 'invalid_data', setting: 'theme', given: 'url(https://evil.test)' },
    ])
    for (const good of ['light', 'dark', 'auto', '#101418', null]) {
      expect(deriveTheme({ accent: '#0a66c9', theme: good, prefersDark: false }).refusals).toEqual([])
    }
  })

  it('converts a color to OKLCH and back without loss', () => {
    fc.assert(
      fc.property(hexColour, (hex) => {
        const rgb = parseHex(hex)
        expect(rgb && toHex(toOklch(rgb))).toBe(hex)
      }),
    )
  })
})
