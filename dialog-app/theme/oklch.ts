/** Converts between OKLCH and sRGB (Björn Ottosson's matrices), and computes the WCAG 2 contrast. */

export type Oklch = { l: number; c: number; h: number }
export type Rgb = { r: number; g: number; b: number }

const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const toGamma = (channel: number) =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055

export function parseHex(text: string): Rgb | undefined {
  const [, digits] = /^#([0-9a-f]{6})$/i.exec(text) ?? []
  if (digits === undefined) return undefined
  const at = (index: number) => Number.parseInt(digits.slice(index, index + 2), 16) / 255
  return { r: at(0), g: at(2), b: at(4) }
}

export function toOklch({ r, g, b }: Rgb): Oklch {
  const [lr, lg, lb] = [toLinear(r), toLinear(g), toLinear(b)]
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb)
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb)
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360,
  }
}

function toLinearRgb({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const ll = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const mm = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const ss = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return {
    r: 4.0767416621 * ll - 3.3077115913 * mm + 0.2309699292 * ss,
    g: -1.2684380046 * ll + 2.6097574011 * mm - 0.3413193965 * ss,
    b: -0.0041960863 * ll - 0.7034186147 * mm + 1.707614701 * ss,
  }
}

const fits = ({ r, g, b }: Rgb) => [r, g, b].every((channel) => channel >= -1e-4 && channel <= 1.0001)

/** Returns the color with the largest chroma that fits into sRGB. */
export function toRgb(colour: Oklch): Rgb {
  let linear = toLinearRgb(colour)
  if (!fits(linear)) {
    let [low, high] = [0, colour.c]
    while (high - low > 1e-4) {
      const middle = (low + high) / 2
      if (fits(toLinearRgb({ ...colour, c: middle }))) low = middle
      else high = middle
    }
    linear = toLinearRgb({ ...colour, c: low })
  }
  const channel = (value: number) => Math.round(toGamma(Math.min(1, Math.max(0, value))) * 255) / 255
  return { r: channel(linear.r), g: channel(linear.g), b: channel(linear.b) }
}

export const toHex = (colour: Oklch) => {
  const { r, g, b } = toRgb(colour)
  const pair = (channel: number) =>
    Math.round(channel * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${pair(r)}${pair(g)}${pair(b)}`
}

const luminance = ({ r, g, b }: Rgb) => 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b)

export function contrast(first: Rgb, second: Rgb): number {
  const [one, two] = [luminance(first), luminance(second)]
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)
}

/**
 * Returns the nearest lightness in this direction with enough contrast on every background, or the end of the scale.
 */
export function readable(
  colour: Oklch,
  grounds: readonly Oklch[],
  ratio: number,
  direction: 'lighter' | 'darker',
): Oklch {
  const step = direction === 'lighter' ? 0.005 : -0.005
  const onGrounds = grounds.map(toRgb)
  for (let l = colour.l; l >= 0 && l <= 1; l += step) {
    const moved = { ...colour, l }
    const rgb = toRgb(moved)
    if (onGrounds.every((ground) => contrast(rgb, ground) >= ratio)) return moved
  }
  return { l: direction === 'lighter' ? 1 : 0, c: 0, h: colour.h }
}
