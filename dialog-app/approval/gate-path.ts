/**
 * Whether the frame stayed where it is on the screen, as the path of a pointer tells. Each point of a path has a
 * place on the screen and one in the frame, and
 *
 *     screen = place of the frame + zoom × client
 *
 * So the zoom comes out of the pointer's own movement: kept are the zooms that explain every point since the path
 * began. Where a point leaves none, the frame moved. A pointer that rests is explained by every zoom.
 */
import { approvalLimits } from '@latchkey/protocol'

export type Place = { x: number; y: number }
export type PathPoint = {
  screen: Place
  client: Place
  /** The type of the pointer is a mouse, a pen or a finger: browsers may not say the screen alike for each. */
  pointer?: string
}
export type Zooms = { least: number; most: number }
export type Path = {
  start: PathPoint
  zooms: Zooms
  /** The last point, and how often it was at another place of the screen than the one before. */
  last: PathPoint
  moves: number
}

/** Half of what is allowed for each end of a path, so that between two points it is all of it. */
const tolerancePx = approvalLimits.framePlacePx / 2

/** Some engines count the screen in pixels of the page: the zoom is 1 there, whatever it is. */
export const beginPath = (start: PathPoint, pixelRatio: number): Path => ({
  start,
  last: start,
  moves: 0,
  zooms: { least: Math.min(1, pixelRatio / approvalLimits.mostScreenScale), most: approvalLimits.mostZoom },
})

/** The path with one more point; nothing where the frame moved. */
export function follow({ start, zooms, last, moves }: Path, point: PathPoint): Path | undefined {
  const { screen, client } = point
  const alongX = zoomsBetween(screen.x - start.screen.x, client.x - start.client.x)
  const alongY = zoomsBetween(screen.y - start.screen.y, client.y - start.client.y)
  const least = Math.max(zooms.least, alongX.least, alongY.least)
  const most = Math.min(zooms.most, alongX.most, alongY.most)
  if (least > most) return undefined
  const isMove = screen.x !== last.screen.x || screen.y !== last.screen.y
  return { start, zooms: { least, most }, last: point, moves: moves + (isMove ? 1 : 0) }
}

/** The zooms with which a way in the frame is that way on the screen. */
function zoomsBetween(onScreenPx: number, inFramePx: number): Zooms {
  if (inFramePx < 0) return zoomsBetween(-onScreenPx, -inFramePx)
  const { POSITIVE_INFINITY: any } = Number
  if (inFramePx > 0) {
    return { least: (onScreenPx - tolerancePx) / inFramePx, most: (onScreenPx + tolerancePx) / inFramePx }
  }
  return Math.abs(onScreenPx) <= tolerancePx ? { least: -any, most: any } : { least: any, most: -any }
}
