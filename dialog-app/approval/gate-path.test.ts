import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginPath, follow, type Path, type PathPoint, type Place } from './gate-path.ts'

/** Where a pointer is said to be, in a frame at a place on the screen, under a zoom of the browser. */
const pointAt = (screen: Place, frame: Place, zoom: number): PathPoint => ({
  screen,
  client: { x: (screen.x - frame.x) / zoom, y: (screen.y - frame.y) / zoom },
})
const walk = (path: Path | undefined, points: readonly PathPoint[]) =>
  points.reduce<Path | undefined>((walked, point) => walked && follow(walked, point), path)

const place = fc.record({
  x: fc.integer({ min: -500, max: 3_000 }),
  y: fc.integer({ min: -500, max: 2_000 }),
})
const frame = { x: 310, y: 140 }
const offered = [0.25, 0.5, 0.67, 0.8, 1, 1.1, 1.25, 1.5, 1.75, 2, 3, 4, 5]

test('a frame that stays is told as one that stays, at every zoom of a browser and wherever the pointer goes', () => {
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
  'a frame that moves by more than 4 px is told at %d, once the pointer has moved',
  (zoom) => {
    const beside = { x: 500, y: 300 }
    const onButton = { x: 600, y: 380 }
    const path = walk(beginPath(pointAt(beside, frame, zoom), zoom), [pointAt(onButton, frame, zoom)])
    if (!path) throw new Error('it did not move')
    for (const [x, y] of [
      [5, 0],
      [0, 5],
      [-5, 0],
      [0, -5],
      [40, 40],
    ] as const) {
      const moved = { x: frame.x + x, y: frame.y + y }
      expect([x, y, follow(path, pointAt(onButton, moved, zoom))]).toEqual([x, y, undefined])
    }
    for (const [x, y] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const shaken = { x: frame.x + x, y: frame.y + y }
      expect(follow(path, pointAt(onButton, shaken, zoom))).toBeDefined()
    }
  },
)

test('a frame that is moved under a pointer that rests is told before anything is known of the zoom', () => {
  const start = pointAt({ x: 500, y: 300 }, frame, 1)
  const path = beginPath(start, 1)
  expect(follow(path, start)).toBeDefined()
  expect(follow(path, pointAt({ x: 500, y: 300 }, { x: 330, y: 140 }, 1))).toBeUndefined()
})

test('a frame stays also where the engine counts the screen in pixels of the page', () => {
  const start = pointAt({ x: 500, y: 300 }, frame, 1)
  expect(follow(beginPath(start, 5), pointAt({ x: 700, y: 400 }, frame, 1))).toBeDefined()
})

test('the zoom comes out of the way that the pointer went', () => {
  const points = [pointAt({ x: 400, y: 300 }, frame, 0.5), pointAt({ x: 600, y: 300 }, frame, 0.5)]
  const [start, end] = points
  const path = start && end && follow(beginPath(start, 1), end)
  expect(path?.zooms.least).toBeCloseTo(0.495, 4)
  expect(path?.zooms.most).toBeCloseTo(0.505, 4)
})

test('a frame that goes along with the pointer, which stays where it is in the frame, is told', () => {
  const client = { x: 190, y: 160 }
  const start = { screen: { x: 500, y: 300 }, client }
  for (const screen of [
    { x: 505, y: 300 },
    { x: 495, y: 300 },
    { x: 500, y: 305 },
    { x: 500, y: 295 },
  ]) {
    expect([screen, follow(beginPath(start, 1), { screen, client })]).toEqual([screen, undefined])
  }
  expect(follow(beginPath(start, 1), { screen: { x: 501, y: 299 }, client })).toBeDefined()
})
