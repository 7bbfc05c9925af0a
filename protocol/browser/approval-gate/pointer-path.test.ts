import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginPath, extendPath, type Path, type PathPoint, type Place } from './pointer-path.ts'

/** The reported pointer position for a frame at a place on the screen and a browser zoom. */
const pointAt = (screen: Place, frame: Place, zoom: number): PathPoint => ({
  screen,
  client: { x: (screen.x - frame.x) / zoom, y: (screen.y - frame.y) / zoom },
})
const walk = (path: Path | undefined, points: readonly PathPoint[]) =>
  points.reduce<Path | undefined>((walked, point) => walked && extendPath(walked, point), path)

const place = fc.record({
  x: fc.integer({ min: -500, max: 3_000 }),
  y: fc.integer({ min: -500, max: 2_000 }),
})
const frame = { x: 310, y: 140 }
const offered = [0.25, 0.5, 0.67, 0.8, 1, 1.1, 1.25, 1.5, 1.75, 2, 3, 4, 5]

test('keeps the path of a frame at rest for every zoom and every pointer movement', () => {
  fc.assert(
    fc.property(fc.constantFrom(...offered), fc.array(place, { minLength: 1 }), (zoom, places) => {
      const points = places.map((screen) => pointAt(screen, frame, zoom))
      const path = walk(beginPath(points[0] ?? pointAt(frame, frame, zoom), zoom), points)
      expect(path).toBeDefined()
      expect(path?.zooms.least).toBeLessThanOrEqual(zoom)
      expect(path?.zooms.most).toBeGreaterThanOrEqual(zoom)
    }),
  )
})

test.each([0.67, 1, 1.5, 2])(
  'detects a frame that moves by more than 4 px at zoom %d once the pointer has moved',
  (zoom) => {
    const beside = { x: 500, y: 300 }
    const onButton = { x: 600, y: 380 }
    const path = walk(beginPath(pointAt(beside, frame, zoom), zoom), [pointAt(onButton, frame, zoom)])
    if (!path) throw new Error('The path ended early')
    for (const [x, y] of [
      [5, 0],
      [0, 5],
      [-5, 0],
      [0, -5],
      [40, 40],
    ] as const) {
      const moved = { x: frame.x + x, y: frame.y + y }
      expect([x, y, extendPath(path, pointAt(onButton, moved, zoom))]).toEqual([x, y, undefined])
    }
    for (const [x, y] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const shaken = { x: frame.x + x, y: frame.y + y }
      expect(extendPath(path, pointAt(onButton, shaken, zoom))).toBeDefined()
    }
  },
)

test('detects a frame that moves under a resting pointer before the zoom is known', () => {
  const start = pointAt({ x: 500, y: 300 }, frame, 1)
  const path = beginPath(start, 1)
  expect(extendPath(path, start)).toBeDefined()
  expect(extendPath(path, pointAt({ x: 500, y: 300 }, { x: 330, y: 140 }, 1))).toBeUndefined()
})

test('keeps the path in engines that report screen positions in CSS pixels', () => {
  const start = pointAt({ x: 500, y: 300 }, frame, 1)
  expect(extendPath(beginPath(start, 5), pointAt({ x: 700, y: 400 }, frame, 1))).toBeDefined()
})

test("derives the zoom from the pointer's movement", () => {
  const points = [pointAt({ x: 400, y: 300 }, frame, 0.5), pointAt({ x: 600, y: 300 }, frame, 0.5)]
  const [start, end] = points
  const path = start && end && extendPath(beginPath(start, 1), end)
  expect(path?.zooms.least).toBeCloseTo(0.495, 4)
  expect(path?.zooms.most).toBeCloseTo(0.505, 4)
})

test('detects a frame that follows the pointer', () => {
  const client = { x: 190, y: 160 }
  const start = { screen: { x: 500, y: 300 }, client }
  for (const screen of [
    { x: 505, y: 300 },
    { x: 495, y: 300 },
    { x: 500, y: 305 },
    { x: 500, y: 295 },
  ]) {
    expect([screen, extendPath(beginPath(start, 1), { screen, client })]).toEqual([screen, undefined])
  }
  expect(extendPath(beginPath(start, 1), { screen: { x: 501, y: 299 }, client })).toBeDefined()
})
