/**
 * Simulates a hundred users with a mouse. Two published models make their movements: the minimum-jerk law gives the
 * speed (T. Flash and N.
 * Hogan, "The coordination of arm movements", Journal of Neuroscience 5(7), 1985), Fitts's law in Shannon's form
 * gives the duration (I. S.
 * MacKenzie, "Fitts' law as a research and design tool in human-computer interaction", Human-Computer Interaction 7,
 * 1992). Every third user overshoots and corrects. The browser reports whole pixels at 60 or 125 Hz.
 */
import { describe, expect, test } from 'vitest'
import { cardSurface } from './card-surface.ts'
import { createGate, type GateEvent, reduceGate } from './gate.ts'
import { looked } from './testing/samples.ts'

/** Mulberry32, for reproducible users. */
function randomFrom(seed: number) {
  let state = seed
  return (least: number, most: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (most - least)
  }
}
type Random = ReturnType<typeof randomFrom>
type Place = { x: number; y: number }
type Sample = Place & { atMs: number }

/** In CSS pixels of the frame. */
const button = { left: 120, top: 520, right: 472, bottom: 568 }
const isOn = ({ x, y }: Place) =>
  x >= button.left && x <= button.right && y >= button.top && y <= button.bottom

const minimumJerk = (share: number) => share ** 3 * (10 - 15 * share + 6 * share ** 2)

/** For a mouse: 100 ms, plus 150 ms for each bit of difficulty. */
function movementMs(from: Place, to: Place): number {
  const distance = Math.hypot(to.x - from.x, to.y - from.y)
  return 100 + 150 * Math.log2(distance / (button.bottom - button.top) + 1)
}

function movement(
  random: Random,
  from: Place,
  to: Place,
  startMs: number,
  everyMs: number,
): readonly Sample[] {
  const lastsMs = movementMs(from, to)
  const samples: Sample[] = []
  for (let afterMs = everyMs; afterMs < lastsMs + everyMs; afterMs += everyMs) {
    const share = minimumJerk(Math.min(1, afterMs / lastsMs))
    const tremor = () => random(-0.7, 0.7)
    samples.push({
      atMs: startMs + afterMs,
      x: from.x + (to.x - from.x) * share + tremor(),
      y: from.y + (to.y - from.y) * share + tremor(),
    })
  }
  return samples
}

type Way = { samples: readonly Sample[]; pressMs: number; zoom: number }

/** A user who reads, moves to the button, and presses 120 to 400 ms after arriving. */
function wayOf(random: Random): Way {
  const everyMs = random(0, 1) < 0.5 ? 8 : 16
  const zoom = [0.8, 1, 1.25, 1.5, 2][Math.floor(random(0, 5))] ?? 1
  const start = { x: random(20, 570), y: random(20, 470) }
  const aim = {
    x: random(button.left + 40, button.right - 40),
    y: random(button.top + 10, button.bottom - 10),
  }
  const beginsMs = random(600, 3_000)
  const overshoots = random(0, 1) < 0.33
  const first = overshoots ? { x: aim.x, y: aim.y + random(20, 45) } : aim
  const going = movement(random, start, first, beginsMs, everyMs)
  const arrivedMs = going.at(-1)?.atMs ?? 0
  const correcting = overshoots ? movement(random, first, aim, arrivedMs + 60, everyMs) : []
  const samples = [{ ...start, atMs: beginsMs }, ...going, ...correcting]
  const cameMs = samples[samples.findLastIndex((sample) => !isOn(sample)) + 1]?.atMs ?? 0
  return { samples, zoom, pressMs: Math.max(cameMs, samples.at(-1)?.atMs ?? 0) + random(120, 400) }
}
const people = Array.from({ length: 100 }, (_, index) => wayOf(randomFrom(index + 1)))

/** The screen position of the frame at a time, in screen pixels. */
type FrameAt = (atMs: number, way: Way) => Place & { scale?: number }
const stays: FrameAt = () => ({ x: 210, y: 96 })

type Scene = { frameAt?: FrameAt; isSeen?: (atMs: number, way: Way) => boolean }

/** Returns all gate events until the press, ordered by time. */
function noticedOf(way: Way, { frameAt = stays, isSeen = () => true }: Scene): readonly GateEvent[] {
  const { samples, pressMs, zoom } = way
  const random = randomFrom(7)
  const noticed: GateEvent[] = []
  for (let atMs = 0; atMs < pressMs; atMs += random(20, 60))
    noticed.push(looked(atMs, { visible: isSeen(atMs, way), pixelRatio: zoom }))
  let wasOn = false
  const known = stays(0, way)
  const lastMs = samples.at(-1)?.atMs ?? 0
  const rest = { ...samples.at(-1), atMs: pressMs - 1 } as Sample
  for (const sample of pressMs - 1 > lastMs ? [...samples, rest] : samples) {
    const { atMs } = sample
    // The hand moves on the screen, independent of the frame.
    const screen = { x: Math.round(known.x + sample.x * zoom), y: Math.round(known.y + sample.y * zoom) }
    const frame = frameAt(atMs, way)
    const scale = zoom * (frame.scale ?? 1)
    const client = { x: (screen.x - frame.x) / scale, y: (screen.y - frame.y) / scale }
    noticed.push({ type: 'point', atMs, point: { screen, client } })
    if (isOn(client) !== wasOn) {
      wasOn = isOn(client)
      noticed.push({ type: 'over', isOver: wasOn, atMs })
    }
  }
  const press: readonly GateEvent[] = wasOn
    ? [
        { type: 'down', by: 'mouse', atMs: pressMs },
        { type: 'press', atMs: pressMs + 80 },
      ]
    : []
  return [...noticed.sort((one, other) => one.atMs - other.atMs), ...press]
}
const isGiven = (way: Way, scene: Scene = {}) =>
  noticedOf(way, scene).reduce(reduceGate, createGate(cardSurface)).isApproved
const givenIn = (scene: Scene) => people.filter((way) => isGiven(way, scene)).length

test('requires a second press from at most two of a hundred simulated users', () => {
  expect(givenIn({})).toBeGreaterThanOrEqual(98)
})

describe('no simulated user approves', () => {
  test.each([6, 12, 40, 200])('in a frame that moves by %i px during their movement', (byPx) => {
    const frameAt: FrameAt = (atMs, { samples, pressMs }) => {
      const halfwayMs = ((samples[0]?.atMs ?? 0) + pressMs) / 2
      return {
        ...stays(0, people[0] as Way),
        x: stays(0, people[0] as Way).x + (atMs > halfwayMs ? byPx : 0),
      }
    }
    expect(givenIn({ frameAt })).toBe(0)
  })

  test('in a frame that moves under the pointer before the press', () => {
    const frameAt: FrameAt = (atMs, way) => {
      const { x, y } = stays(atMs, way)
      return { x: x + (atMs >= way.pressMs - 60 ? 30 : 0), y }
    }
    expect(givenIn({ frameAt })).toBe(0)
  })

  test('in a frame that keeps its button under the pointer', () => {
    const frameAt: FrameAt = (atMs, { samples, zoom }) => {
      const present = samples.findLast((sample) => sample.atMs <= atMs) ?? samples[0]
      const { x, y } = stays(0, people[0] as Way)
      if (!present) return { x, y }
      return { x: x + (present.x - 300) * zoom, y: y + (present.y - 540) * zoom }
    }
    expect(givenIn({ frameAt })).toBe(0)
  })

  test('in a frame that changes its scale during their movement', () => {
    const frameAt: FrameAt = (atMs, way) => {
      const halfwayMs = ((way.samples[0]?.atMs ?? 0) + way.pressMs) / 2
      return { ...stays(atMs, way), scale: atMs > halfwayMs ? 0.8 : 1 }
    }
    expect(givenIn({ frameAt })).toBe(0)
  })

  test('on a card that was covered until the last half second', () => {
    expect(givenIn({ isSeen: (atMs, { pressMs }) => atMs > pressMs - 500 })).toBe(0)
  })

  test('on a card that was covered in one sample of the last 700 ms', () => {
    const blink: Scene = { isSeen: (atMs, { pressMs }) => atMs < pressMs - 400 || atMs > pressMs - 330 }
    expect(givenIn(blink)).toBe(0)
  })
})

test('does not count a resting pointer under an appearing button as travel', () => {
  const resting = people.map(({ pressMs, zoom }): Way => {
    const place = { x: 300, y: 540 }
    return { zoom, pressMs, samples: [{ ...place, atMs: pressMs - 400 }] }
  })
  expect(resting.filter((way) => isGiven(way))).toHaveLength(0)
})
