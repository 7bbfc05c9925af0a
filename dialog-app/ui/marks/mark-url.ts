import type { MarkDrawing } from './mark.tsx'

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
