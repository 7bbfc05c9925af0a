import styles from './mark.module.css'

/**
 * A provider's mark, drawn by us for 20 px: shapes from the ground up, each filled or stroked in a colour of the
 * mark's. `currentColor` is for marks that demand one colour alone: black on light, white on dark.
 */
export type MarkDrawing = readonly MarkShape[]
type MarkShape = { fill: string; path: string } | { stroke: string; width: number; path: string }

/** Always beside the provider's name, so never read aloud itself. Comes with the method that shows it. */
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

/** A mark as an image, for what draws images alone. Its colours are its own: there is no text that it could follow. */
export function markUrl(drawing: MarkDrawing): string {
  const paths = drawing.map((shape) =>
    'fill' in shape
      ? `<path d="${shape.path}" fill="${shape.fill}" fill-rule="evenodd"/>`
      : `<path d="${shape.path}" fill="none" stroke="${shape.stroke}" stroke-width="${shape.width}"/>`,
  )
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">${paths.join('')}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`
}
