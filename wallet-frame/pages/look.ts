/** How a page looks in the dialog that frames it: what its address says, where that is a colour and nothing else. */
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
const schemes: ReadonlySet<string> = new Set(['light', 'dark'])

/** Applies each valid token; an invalid one keeps the page's own value. */
export function applyLook(root: HTMLElement, search: string): void {
  const given = new URLSearchParams(search)
  const { style } = root
  for (const token of tokens) {
    const value = given.get(token) ?? ''
    if (colour.test(value)) style.setProperty(`--lk-${token}`, value)
  }
  const scheme = given.get('scheme') ?? ''
  if (schemes.has(scheme)) style.setProperty('color-scheme', scheme)
  const width = Number(given.get('width') ?? Number.NaN)
  const { least, most } = exportLimits.widthPx
  if (Number.isInteger(width) && width >= least && width <= most) {
    style.setProperty('max-inline-size', `${width}px`)
  }
}
