/** Applies the dialog's colours to a page. Only valid colours in the URL have an effect. */
import { exportLimits } from '@latchkey/protocol'

const tokens = [
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
] as const
const colour = /^#[0-9a-f]{6}$/i
/** Query parameters that define the look of a page. */
export const lookParameters: readonly string[] = ['scheme', ...tokens]
const schemes: ReadonlySet<string> = new Set(['light', 'dark'])

/** Applies each valid token; an invalid one keeps the page's own value. */
export function applyLook(root: HTMLElement, search: string): void {
  const parameters = new URLSearchParams(search)
  const { style } = root
  for (const token of tokens) {
    const value = parameters.get(token) ?? ''
    if (colour.test(value)) style.setProperty(`--lk-${token}`, value)
  }
  const scheme = parameters.get('scheme') ?? ''
  if (schemes.has(scheme)) style.setProperty('color-scheme', scheme)
  const width = Number(parameters.get('width') ?? Number.NaN)
  const { least, most } = exportLimits.widthPx
  if (Number.isInteger(width) && width >= least && width <= most) {
    style.setProperty('max-inline-size', `${width}px`)
  }
}

/** Pairs of text and background that must be readable (WCAG 2.2, 1.4.3). */
const readablePairs = [
  ['text', 'surface'],
  ['muted', 'surface'],
  ['text', 'raised'],
  ['text', 'pressed'],
  ['danger', 'surface'],
  ['on-accent', 'accent'],
] as const
const LEAST_CONTRAST = 4.5

/**
 * Applies the look of the dialog to a top-level page. A script in the dialog could choose colours that hide a
 * warning, so a look with an unreadable pair has no effect.
 */
export function applyTopLevelLook(root: HTMLElement, search: string): void {
  const query = new URLSearchParams(search)
  const isReadable = readablePairs.every(([text, ground]) => {
    const [one, other] = [query.get(text) ?? '', query.get(ground) ?? '']
    return colour.test(one) && colour.test(other) && contrast(one, other) >= LEAST_CONTRAST
  })
  if (!isReadable) return
  query.delete('width')
  applyLook(root, query.toString())
  root.dataset.look = query.get('scheme') === 'dark' ? 'dark' : 'light'
}

function contrast(one: string, other: string): number {
  const [least = 0, most = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (most + 0.05) / (least + 0.05)
}

/** Returns the relative luminance of a colour `#rrggbb` (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
