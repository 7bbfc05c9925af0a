import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardSurface } from './card-surface.ts'
import { createGate, type GateEvent, type PressSource, reduceGate, toGate } from './gate.ts'
import { looked, seenFrom, tapped } from './testing/samples.ts'
import type { VisibilitySample } from './visibility.ts'

const after = (...all: readonly (GateEvent | readonly GateEvent[])[]) =>
  all.flat().reduce(reduceGate, createGate(cardSurface))
const shown = (...all: readonly (GateEvent | readonly GateEvent[])[]) => toGate(after(...all)).state
const given = (...all: readonly (GateEvent | readonly GateEvent[])[]) => after(...all).isApproved
const asks = (...all: readonly (GateEvent | readonly GateEvent[])[]) => toGate(after(...all)).asks

const over = (atMs: number, isOver = true): GateEvent => ({ type: 'over', isOver, atMs })
const focus = (atMs: number, isFocused = true): GateEvent => ({ type: 'focus', isFocused, atMs })
const change = (atMs: number): GateEvent => ({ type: 'change', atMs })
const press = (atMs: number): GateEvent => ({ type: 'press', atMs })
const pressed = (by: PressSource, atMs: number): readonly GateEvent[] => [
  { type: 'down', by, atMs },
  press(atMs),
]
/** A pointer position in a frame at `frameX`, at 100 % zoom. */
const point = (atMs: number, x: number, frameX = 0): GateEvent => ({
  type: 'point',
  atMs,
  point: { screen: { x, y: 200 }, client: { x: x - frameX, y: 200 } },
})
/** The mouse moves from beside the button onto it. */
const mouseFrom = (atMs: number): readonly GateEvent[] => [point(atMs, 100), point(atMs, 300), over(atMs)]

/** Armed at 500 ms, and visible for as long as the tests below need. */
const armed = seenFrom(-200)
const armedLong = [...armed, ...seenFrom(600), ...seenFrom(1_400)]

describe('card', () => {
  test('arms after 700 ms of visibility', () => {
    expect(shown()).toBe('waiting')
    expect(shown(looked(0), looked(350), looked(699))).toBe('arming')
    expect(shown(looked(0), looked(350), looked(700))).toBe('armed')
  })

  test.each<[string, Partial<VisibilitySample>]>([
    ['covered', { visible: false }],
    ['at another place', { card: { x: 101, y: 50, widthPx: 376, heightPx: 430 } }],
    ['higher', { card: { x: 100, y: 50, widthPx: 376, heightPx: 431 } }],
    ['too narrow', { card: { x: 100, y: 50, widthPx: 279, heightPx: 430 } }],
    ['too low', { card: { x: 100, y: 50, widthPx: 376, heightPx: 199 } }],
    ['drawn too small', { pixelRatio: 0.59 }],
  ])('restarts if the card was %s in one of many samples', (_name, once) => {
    expect(shown(armed, looked(560, once))).not.toMatch(/armed|settling|ready/)
    expect(shown(armed, looked(560, once), ...seenFrom(600).slice(0, -1))).toBe('arming')
    expect(shown(armed, looked(560, once), seenFrom(600))).toBe('armed')
    expect(given(armed, looked(560, once), tapped(561))).toBe(false)
    expect(given(armed, looked(560), tapped(561))).toBe(true)
  })

  test.each<[string, 'hidden' | 'unreadable', Partial<VisibilitySample>]>([
    ['covered', 'hidden', { visible: false }],
    ['too narrow', 'unreadable', { card: { x: 0, y: 0, widthPx: 279, heightPx: 200 } }],
    ['too low', 'unreadable', { card: { x: 0, y: 0, widthPx: 280, heightPx: 199 } }],
    ['drawn too small', 'unreadable', { pixelRatio: 0.59 }],
  ])('that is %s all the time never arms, and no press counts on it', (_name, state, always) => {
    const looks = [...seenFrom(0, always), ...seenFrom(800, always), ...seenFrom(1_400, always)]
    expect(shown(looks)).toBe(state)
    for (const by of ['mouse', 'pen', 'touch', 'key'] as const) {
      const ready = [over(100), focus(100)]
      expect(given(looks, ready, pressed(by, 1_900))).toBe(false)
      expect(given(armedLong, ready, pressed(by, 1_900))).toBe(true)
    }
  })

  test('ignores a press before the card was armed', () => {
    expect(given(armed, tapped(489))).toBe(false)
    expect(given(armed, tapped(500))).toBe(true)
  })

  test('is readable at the minimum size and scale', () => {
    const smallest = { card: { x: 0, y: 0, widthPx: 280, heightPx: 200 }, pixelRatio: 0.6 }
    expect(shown(seenFrom(0, smallest))).toBe('armed')
  })

  test('restarts after a blur, a window change, or half a second without a sample', () => {
    expect(shown(armed, change(510))).toBe('waiting')
    expect(shown(armed, looked(1_001))).toBe('arming')
    expect(given(armed, change(510), tapped(520))).toBe(false)
    expect(given(armed, tapped(1_001))).toBe(false)
    expect(given(armed, tapped(990))).toBe(true)
  })

  test('reports covered or too small only after half a second', () => {
    expect(shown(looked(0, { visible: false }), looked(499, { visible: false }))).toBe('waiting')
    expect(shown(looked(0, { visible: false }), looked(500, { visible: false }))).toBe('hidden')
    expect(shown(seenFrom(0, { pixelRatio: 0.5 }))).toBe('unreadable')
  })

  test('stays covered when its own warning moves it', () => {
    const larger = { visible: false, card: { x: 100, y: 20, widthPx: 376, heightPx: 490 } }
    expect(shown(seenFrom(0, { visible: false }), looked(750, larger))).toBe('hidden')
  })

  test('is too small if the pointer path implies a low zoom, at any pixel ratio', () => {
    const small = (atMs: number, x: number): GateEvent => ({
      type: 'point',
      atMs,
      point: { screen: { x, y: 200 }, client: { x: x / 0.5, y: 400 } },
    })
    const fine = { pixelRatio: 2 }
    expect(shown(seenFrom(0, fine), small(710, 0), small(720, 200), looked(730, fine))).toBe('waiting')
    expect(shown(seenFrom(0, fine), point(710, 0), point(720, 200), looked(730, fine))).toBe('armed')
  })
})

describe('mouse', () => {
  test('approves after half a second over the armed button if it did not travel there', () => {
    expect(given(armedLong, mouseFrom(700), pressed('mouse', 1_199))).toBe(false)
    expect(given(armedLong, mouseFrom(700), pressed('mouse', 1_200))).toBe(true)
  })

  test('starts its wait when the card arms if the mouse was there before', () => {
    expect(given(mouseFrom(0), armed, pressed('mouse', 990))).toBe(false)
    expect(given(mouseFrom(0), armedLong, pressed('mouse', 1_000))).toBe(true)
  })

  test('keeps its arrival time when a second enter event arrives', () => {
    expect(given(armedLong, mouseFrom(600), over(1_050), pressed('mouse', 1_100))).toBe(true)
  })

  test('restarts its wait after leaving the button', () => {
    const away = [over(1_000, false), over(1_100)]
    expect(given(armedLong, mouseFrom(500), away, pressed('mouse', 1_500))).toBe(false)
    expect(given(armedLong, mouseFrom(500), away, pressed('mouse', 1_600))).toBe(true)
  })

  test('restarts its wait when the frame moves under it', () => {
    const seen = [...armedLong, ...mouseFrom(600)]
    expect(given(seen, point(1_200, 302), pressed('mouse', 1_210))).toBe(true)
    const moved = [...seen, point(1_200, 302, 5)]
    expect(given(moved, pressed('mouse', 1_210))).toBe(false)
    // The card must be visible for the full time again before the pointer rests on it.
    const again = [...seenFrom(1_210), looked(2_000), looked(2_300)]
    expect(given(moved, again, pressed('mouse', 2_409))).toBe(false)
    expect(given(moved, again, pressed('mouse', 2_410))).toBe(true)
  })

  test('approves after resting without any movement', () => {
    expect(given(armedLong, point(600, 300), over(600), point(1_200, 300), pressed('mouse', 1_200))).toBe(
      true,
    )
  })

  test('does not approve by holding a press that began too early', () => {
    const early: GateEvent = { type: 'down', by: 'mouse', atMs: 900 }
    expect(given(armedLong, mouseFrom(600), early, press(1_300))).toBe(false)
  })

  /** Moves from 100 px beside the button in the given number of steps. */
  const travels = (atMs: number, steps: number): readonly GateEvent[] => [
    ...Array.from({ length: steps + 1 }, (_, step) =>
      point(atMs - 10 * (steps - step), 200 + (100 * step) / steps),
    ),
    over(atMs),
  ]
  test('approves 120 ms after arriving if it travelled onto the button', () => {
    expect(given(armedLong, travels(700, 3), pressed('mouse', 819))).toBe(false)
    expect(given(armedLong, travels(700, 3), pressed('mouse', 820))).toBe(true)
    expect(given(armedLong, travels(700, 2), pressed('mouse', 820))).toBe(false)
    expect(given(armedLong, travels(700, 2), pressed('mouse', 1_200))).toBe(true)
  })

  test('travels onto an arming card and approves once the card was visible for 700 ms', () => {
    const arming = [...travels(300, 5), ...seenFrom(0)]
    expect(given(travels(300, 5), seenFrom(0).slice(0, -1), looked(699), pressed('mouse', 699))).toBe(false)
    expect(given(arming, pressed('mouse', 700))).toBe(true)
  })

  test('must rest after the frame moved, even if it travelled there', () => {
    const moved = [...armedLong, ...travels(700, 5), point(760, 302, 9), ...seenFrom(770)]
    expect(given(moved, looked(1_900), pressed('mouse', 1_969))).toBe(false)
    expect(given(moved, looked(1_900), pressed('mouse', 1_970))).toBe(true)
  })

  test('does not count repeated reports of one position as movement', () => {
    const told = [690, 692, 694, 696, 698].map((atMs) => point(atMs, 300))
    expect(given(armedLong, told, over(700), pressed('mouse', 820))).toBe(false)
  })

  test('needs a new movement after leaving the button', () => {
    const left = [...armedLong, ...travels(700, 5), over(760, false), point(765, 301), over(770)]
    expect(given(left, pressed('mouse', 900))).toBe(false)
    expect(given(left, over(900, false), travels(1_000, 3), pressed('mouse', 1_120))).toBe(true)
  })

  test('needs a second press after a press that came too early, counted while it stays on the button', () => {
    const quick = [...armedLong, ...mouseFrom(600), ...pressed('mouse', 700)]
    expect(asks(quick)).toBe(true)
    expect(given(quick, pressed('mouse', 1_099))).toBe(false)
    expect(given(quick, pressed('mouse', 1_200))).toBe(true)
    expect(given(quick, over(800, false), over(1_100), pressed('mouse', 1_300))).toBe(false)
  })
})

describe('pen', () => {
  test('approves like a mouse if it hovers', () => {
    expect(given(armedLong, mouseFrom(700), pressed('pen', 1_199))).toBe(false)
    expect(given(armedLong, mouseFrom(700), pressed('pen', 1_200))).toBe(true)
  })

  const touchDown = (atMs: number, frameX = 0) => [
    point(atMs, 300, frameX),
    over(atMs),
    ...pressed('pen', atMs),
    over(atMs, false),
  ]
  test('needs a second press at least half a second later if it cannot hover', () => {
    expect(asks(armedLong, touchDown(600))).toBe(true)
    expect(given(armedLong, touchDown(600), touchDown(1_099))).toBe(false)
    expect(given(armedLong, touchDown(600), touchDown(1_100))).toBe(true)
    expect(given(armedLong, touchDown(600), touchDown(1_100, 40))).toBe(false)
  })
})

describe('finger', () => {
  test('approves with one tap on the armed button', () => {
    expect(given(armed, tapped(500))).toBe(true)
    expect(given(looked(0), looked(350), looked(699), tapped(699))).toBe(false)
  })

  test('does not approve if it went down before arming or during a change', () => {
    const down: GateEvent = { type: 'down', by: 'touch', atMs: 499 }
    expect(given(looked(-200), looked(200), down, looked(500), press(510))).toBe(false)
    const moved = looked(505, { card: { x: 100, y: 60, widthPx: 376, heightPx: 430 } })
    expect(given(armed, { ...down, atMs: 501 }, moved, seenFrom(510), press(1_220))).toBe(false)
  })

  test('drops a touch that became a scroll', () => {
    const scrolled: readonly GateEvent[] = [
      { type: 'down', by: 'touch', atMs: 400 },
      { type: 'cancel', atMs: 450 },
    ]
    expect(given(looked(-200), looked(200), scrolled, looked(500), tapped(510))).toBe(true)
  })

  test('leaves no press behind for another click after a scroll', () => {
    const down: GateEvent = { type: 'down', by: 'touch', atMs: 510 }
    expect(given(armed, down, { type: 'cancel', atMs: 520 }, press(530))).toBe(false)
    expect(given(armed, down, press(530))).toBe(true)
  })
})

describe('keyboard', () => {
  test('approves after half a second of focus', () => {
    expect(given(armedLong, focus(600), pressed('key', 1_099))).toBe(false)
    expect(given(armedLong, focus(600), pressed('key', 1_100))).toBe(true)
  })

  test('does not approve earlier because a pointer rests on the button', () => {
    expect(given(armedLong, mouseFrom(500), focus(1_400), pressed('key', 1_410))).toBe(false)
  })
})

describe('assistive technology, which clicks without pointer or key events', () => {
  test('needs a second click at least half a second later', () => {
    expect(given(armedLong, press(600))).toBe(false)
    expect(asks(armedLong, press(600))).toBe(true)
    expect(given(armedLong, press(600), press(1_099))).toBe(false)
    expect(given(armedLong, press(600), press(1_100))).toBe(true)
  })

  test('needs another click if something changed in between', () => {
    expect(given(armed, press(510), change(520), seenFrom(530), press(1_240))).toBe(false)
    expect(asks(armed, press(510), change(520))).toBe(false)
  })

  test('approves at once on a button that was focused', () => {
    expect(given(armedLong, focus(600), press(1_100))).toBe(true)
  })
})

test('exposes the remaining wait to the button', () => {
  expect(toGate(after(armedLong, mouseFrom(1_700)))).toMatchObject({ state: 'settling', sinceMs: 1_700 })
  expect(shown(armed, focus(510))).toBe('settling')
  expect(shown(armed, focus(510), seenFrom(600))).toBe('ready')
})

/** Properties that hold for every approval, in any order of events. */
describe('random event sequences', () => {
  const kind = fc.oneof(
    { weight: 12, arbitrary: fc.constant('sample') },
    { weight: 6, arbitrary: fc.constantFrom('press', 'mouse', 'touch', 'key', 'pen') },
    { weight: 4, arbitrary: fc.constantFrom('over', 'focus') },
    { weight: 1, arbitrary: fc.constantFrom('covered', 'moved', 'change', 'left', 'unfocused', 'cancel') },
  )
  const history = fc
    .array(fc.record({ kind, gapMs: fc.integer({ min: 1, max: 130 }) }), { minLength: 5, maxLength: 80 })
    .map((steps) => {
      let atMs = 1_000
      return steps.flatMap(({ kind, gapMs }) => {
        atMs += gapMs
        return noticedOf(kind, atMs)
      })
    })
  function noticedOf(kind: string, atMs: number): readonly GateEvent[] {
    switch (kind) {
      case 'sample':
        return [looked(atMs)]
      case 'covered':
        return [looked(atMs, { visible: false })]
      case 'moved':
        return [looked(atMs, { card: { x: 90, y: 50, widthPx: 376, heightPx: 430 } })]
      case 'change':
        return [change(atMs)]
      case 'over':
      case 'left':
        return [over(atMs, kind === 'over')]
      case 'focus':
      case 'unfocused':
        return [focus(atMs, kind === 'focus')]
      case 'cancel':
        return [{ type: 'cancel', atMs }]
      case 'press':
        return [press(atMs)]
      case 'mouse':
      case 'pen':
      case 'touch':
      case 'key':
        return pressed(kind, atMs)
      default:
        throw new Error(kind)
    }
  }
  const isGood = (one: GateEvent) => one.type === 'sample' && one.sample.visible && one.sample.card.x === 100

  test('approve only at a press, after 700 ms of uninterrupted visible samples', () => {
    fc.assert(
      fc.property(history, (all) => {
        const end = all.findIndex((_one, index) => after(all.slice(0, index + 1)).isApproved)
        if (end === -1) return
        const before = all.slice(0, end + 1)
        expect(before.at(-1)?.type).toBe('press')
        const breaks = (one: GateEvent) => one.type === 'change' || (one.type === 'sample' && !isGood(one))
        const unbroken = before.slice(before.findLastIndex(breaks) + 1).filter(isGood)
        const [first, last] = [unbroken[0]?.atMs ?? Number.NaN, unbroken.at(-1)?.atMs ?? Number.NaN]
        expect(last - first).toBeGreaterThanOrEqual(700)
        expect((before.at(-1)?.atMs ?? 0) - last).toBeLessThanOrEqual(500)
      }),
      { numRuns: 1_000 },
    )
  })

  test('never approve a mouse press less than half a second after its arrival', () => {
    fc.assert(
      fc.property(history, (all) => {
        const end = all.findIndex((_one, index) => after(all.slice(0, index + 1)).isApproved)
        const down = all[end - 1]
        if (end === -1 || down?.type !== 'down' || down.by !== 'mouse') return
        const came = all.slice(0, end).findLastIndex((one) => one.type === 'over' && !one.isOver) + 1
        const cameMs = all.slice(came, end).find((one) => one.type === 'over')?.atMs ?? Number.NaN
        expect(down.atMs - cameMs).toBeGreaterThanOrEqual(500)
      }),
      { numRuns: 1_000 },
    )
  })
})
