import styles from './mark.module.css'

/**
 * A brand mark on a 20 px grid: shapes from back to front, each filled or stroked. Monochrome marks use
 * `currentColor`: black on light, white on dark.
 */
export type MarkDrawing = readonly MarkShape[]
type MarkShape = { fill: string; path: string } | { stroke: string; width: number; path: string }

/** Hidden from assistive technology, because the name is next to it. Loads with the login method that shows it. */
export const Mark = ({ drawing, size = 20 }: { drawing: MarkDrawing; size?: number }) => (
  <svg
    className={styles.mark}
    width={size}
    height={size}
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    {drawing.map((shape) =>
      'fill' in shape ? (
        <path key={shape.path} d={shape.path} fill={shape.fill} fillRule="evenodd" />
      ) : (
        <path key={shape.path} d={shape.path} fill="none" stroke={shape.stroke} strokeWidth={shape.width} />
      ),
    )}
  </svg>
)

/** Returns the mark as an image URL. `currentColor` has no effect there. */
export function markUrl(drawing: MarkDrawing): string {
  const paths = drawing.map((shape) =>
    'fill' in shape
      ? `<path d="${shape.path}" fill="${shape.fill}" fill-rule="evenodd"/>`
      : `<path d="${shape.path}" fill="none" stroke="${shape.stroke}" stroke-width="${shape.width}"/>`,
  )
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">${paths.join('')}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`
}
