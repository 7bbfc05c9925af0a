/**
 * Detects from pointer positions whether the frame moved on the screen. Each point has a screen position and a client
 * position, and
 *
 *     screen = frame position + zoom × client
 *
 * The pointer's own movement bounds the zoom: a path keeps the zooms that explain all of its points. A point that
 * leaves no zoom proves that the frame moved. Every zoom explains a resting pointer.
 */
import { approvalLimits } from '../../limits/approval.ts'

export type Place = { x: number; y: number }
export type PathPoint = {
  screen: Place
  client: Place
  /** The pointer type. Browsers may report screen positions differently for mouse, pen and touch. */
  pointer?: string
}
export type Zooms = { least: number; most: number }
export type Path = {
  start: PathPoint
  zooms: Zooms
  /** The last point, and the number of points at a new screen position. */
  last: PathPoint
  moves: number
}

/** Each end of a path gets half of the allowed error. */
const tolerancePx = approvalLimits.framePlacePx / 2

/** Some engines report screen positions in CSS pixels, which looks like zoom 1. */
export const beginPath = (start: PathPoint, pixelRatio: number): Path => ({
  start,
  last: start,
  moves: 0,
  zooms: { least: Math.min(1, pixelRatio / approvalLimits.mostScreenScale), most: approvalLimits.mostZoom },
})

/** Adds a point to the path. Returns undefined if the frame moved. */
export function extendPath({ start, zooms, last, moves }: Path, point: PathPoint): Path | undefined {
  const { screen, client } = point
  const alongX = zoomsBetween(screen.x - start.screen.x, client.x - start.client.x)
  const alongY = zoomsBetween(screen.y - start.screen.y, client.y - start.client.y)
  const least = Math.max(zooms.least, alongX.least, alongY.least)
  const most = Math.min(zooms.most, alongX.most, alongY.most)
  if (least > most) return undefined
  const isMove = screen.x !== last.screen.x || screen.y !== last.screen.y
  return { start, zooms: { least, most }, last: point, moves: moves + (isMove ? 1 : 0) }
}

/** Returns the zooms that map a distance in the frame to the distance on the screen. */
function zoomsBetween(onScreenPx: number, inFramePx: number): Zooms {
  if (inFramePx < 0) return zoomsBetween(-onScreenPx, -inFramePx)
  const { POSITIVE_INFINITY: any } = Number
  if (inFramePx > 0) {
    return { least: (onScreenPx - tolerancePx) / inFramePx, most: (onScreenPx + tolerancePx) / inFramePx }
  }
  return Math.abs(onScreenPx) <= tolerancePx ? { least: -any, most: any } : { least: any, most: -any }
}
