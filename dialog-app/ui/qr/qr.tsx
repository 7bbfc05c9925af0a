import { type ReactNode, useMemo } from 'react'
import { encode } from 'uqr'
import styles from './qr.module.css'

type QrProps = {
  value: string
  label: string
  sizePx?: number
  /** An image in the middle, for which the code uses a higher error correction level. */
  logoUrl?: string | undefined
  /** Content in the middle other than an image, at most 28 px wide and high. */
  children?: ReactNode
}

const SIZE_PX = 160
const FINDER = 7
/** Modules of the quiet zone; the standard requires four. */
const QUIET = 4
/** The relative side of a logo: it hides about 6 % of the area, well below the 25 % of level Q. */
const LOGO_PART = 0.24
/** The size of the content in the middle, including its margin. */
const MARK_PX = 36

/** A QR code, always dark on light because many cameras read no other. */
export function Qr({ value, label, sizePx = SIZE_PX, logoUrl, children }: QrProps) {
  const picture = logoUrl === undefined ? 0 : 1
  const middle = children === undefined ? picture : MARK_PX / sizePx
  const { size, dots } = useMemo(() => encodeQr(value, middle), [value, middle])
  const far = size - FINDER
  const logo = Math.round(size * LOGO_PART)
  const code = (
    <svg
      className={styles.qr}
      width={sizePx}
      height={sizePx}
      viewBox={`${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`}
      role="img"
      aria-label={label}
    >
      <path className={styles.dots} d={dots} />
      <Finder x={0} y={0} />
      <Finder x={far} y={0} />
      <Finder x={0} y={far} />
      {logoUrl !== undefined && (
        <image
          href={logoUrl}
          x={(size - logo) / 2 + 1}
          y={(size - logo) / 2 + 1}
          width={logo - 2}
          height={logo - 2}
        />
      )}
    </svg>
  )
  if (children === undefined) return code
  return (
    <div className={styles.place}>
      {code}
      <div className={styles.middle} aria-hidden="true">
        {children}
      </div>
    </div>
  )
}

const Finder = ({ x, y }: { x: number; y: number }) => (
  <>
    <rect className={styles.eye} x={x + 0.5} y={y + 0.5} width={6} height={6} rx={1.8} />
    <rect className={styles.pupil} x={x + 2} y={y + 2} width={3} height={3} rx={0.9} />
  </>
)

/** `middle` is the relative side of the logo, or 0. */
function encodeQr(value: string, middle: number) {
  const hasLogo = middle > 0
  const { data, size } = encode(value, { ecc: hasLogo ? 'Q' : 'M', border: 0 })
  const inFinder = (x: number, y: number) =>
    (x < FINDER && y < FINDER) || (x >= size - FINDER && y < FINDER) || (x < FINDER && y >= size - FINDER)
  const half = Math.min(Math.round(size * LOGO_PART), Math.ceil(middle * (size + 2 * QUIET))) / 2
  const underLogo = (x: number, y: number) =>
    hasLogo && Math.abs(x + 0.5 - size / 2) < half && Math.abs(y + 0.5 - size / 2) < half
  const dots = data
    .flatMap((row, y) =>
      row.map((dark, x) => (dark && !inFinder(x, y) && !underLogo(x, y) ? `M${x} ${y}h1v1h-1z` : '')),
    )
    .join('')
  return { size, dots }
}
