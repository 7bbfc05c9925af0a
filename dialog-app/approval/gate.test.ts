import type { VisibilitySample } from '@latchkey/protocol/wallet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { looked, seenFrom, tapped } from '../testing/approval.ts'
import { closedGate, gateOf, gateRefusal, type Noticed, notice, type PressedBy } from './gate.ts'

const after = (...all: readonly (Noticed | readonly Noticed[])[]) => all.flat().reduce(notice, closedGate)
const shown = (...all: readonly (Noticed | readonly Noticed[])[]) => gateOf(after(...all)).state
const given = (...all: readonly (Noticed | readonly Noticed[])[]) => after(...all).isGiven
const asks = (...all: readonly (Noticed | readonly Noticed[])[]) => gateOf(after(...all)).asks

const over = (atMs: number, isOver = true): Noticed => ({ what: 'over', isOver, atMs })
const focus = (atMs: number, isFocused = true): Noticed => ({ what: 'focus', isFocused, atMs })
const change = (atMs: number): Noticed => ({ what: 'change', atMs })
const press = (atMs: number): Noticed => ({ what: 'press', atMs })
const pressed = (by: PressedBy, atMs: number): readonly Noticed[] => [{ what: 'down', by, atMs }, press(atMs)]
/** A pointer on the screen, in a frame that lies at `frameX`, at 100 %. */
const point = (atMs: number, x: number, frameX = 0): Noticed => ({
  what: 'point',
  atMs,
  point: { screen: { x, y: 200 }, client: { x: x - frameX, y: 200 } },
})
/** The mouse comes from beside the button and rests on it. */
const mouseFrom = (atMs: number): readonly Noticed[] => [point(atMs, 100), point(atMs, 300), over(atMs)]

/** Armed at 500, and seen until the end of the time that the tests below need. */
const armed = seenFrom(-200)
const armedLong = [...armed, ...seenFrom(600), ...seenFrom(1_400)]

describe('the card', () => {
  test('arms when it was seen for 700 ms', () => {
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
  ])('that was %s in one look of many begins anew', (_name, once) => {
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

  test('counts for no press of a time before it was armed', () => {
    expect(given(armed, tapped(489))).toBe(false)
    expect(given(armed, tapped(500))).toBe(true)
  })

  test('is readable at the smallest size and scale', () => {
    const smallest = { card: { x: 0, y: 0, widthPx: 280, heightPx: 200 }, pixelRatio: 0.6 }
    expect(shown(seenFrom(0, smallest))).toBe('armed')
  })

  test('begins anew after a blur or a change of the window, and where no look came for half a second', () => {
    expect(shown(armed, change(510))).toBe('waiting')
    expect(shown(armed, looked(1_001))).toBe('arming')
    expect(given(armed, change(510), tapped(520))).toBe(false)
    expect(given(armed, tapped(1_001))).toBe(false)
    expect(given(armed, tapped(990))).toBe(true)
  })

  test('is said to be covered, or too small, only when that lasts half a second', () => {
    expect(shown(looked(0, { visible: false }), looked(499, { visible: false }))).toBe('waiting')
    expect(shown(looked(0, { visible: false }), looked(500, { visible: false }))).toBe('hidden')
    expect(shown(seenFrom(0, { pixelRatio: 0.5 }))).toBe('unreadable')
  })

  test('stays covered where it moves because that is said', () => {
    const larger = { visible: false, card: { x: 100, y: 20, widthPx: 376, heightPx: 490 } }
    expect(shown(seenFrom(0, { visible: false }), looked(750, larger))).toBe('hidden')
  })

  test('is too small where the way of the pointer says so, whatever the pixels of the screen', () => {
    const small = (atMs: number, x: number): Noticed => ({
      what: 'point',
      atMs,
      point: { screen: { x, y: 200 }, client: { x: x / 0.5, y: 400 } },
    })
    const fine = { pixelRatio: 2 }
    expect(shown(seenFrom(0, fine), small(710, 0), small(720, 200), looked(730, fine))).toBe('waiting')
    expect(shown(seenFrom(0, fine), point(710, 0), point(720, 200), looked(730, fine))).toBe('armed')
  })
})

describe('a mouse', () => {
  test('that came without a way approves after half a second over the armed button', () => {
    expect(given(armedLong, mouseFrom(700), pressed('mouse', 1_199))).toBe(false)
    expect(given(armedLong, mouseFrom(700), pressed('mouse', 1_200))).toBe(true)
  })

  test('that lay there before the card was armed waits from then on', () => {
    expect(given(mouseFrom(0), armed, pressed('mouse', 990))).toBe(false)
    expect(given(mouseFrom(0), armedLong, pressed('mouse', 1_000))).toBe(true)
  })

  test('that is said to be over the button once more has come when it came', () => {
    expect(given(armedLong, mouseFrom(600), over(1_050), pressed('mouse', 1_100))).toBe(true)
  })

  test('that left and came back begins anew', () => {
    const away = [over(1_000, false), over(1_100)]
    expect(given(armedLong, mouseFrom(500), away, pressed('mouse', 1_500))).toBe(false)
    expect(given(armedLong, mouseFrom(500), away, pressed('mouse', 1_600))).toBe(true)
  })

  test('under which the frame was moved begins anew', () => {
    const seen = [...armedLong, ...mouseFrom(600)]
    expect(given(seen, point(1_200, 302), pressed('mouse', 1_210))).toBe(true)
    const moved = [...seen, point(1_200, 302, 5)]
    expect(given(moved, pressed('mouse', 1_210))).toBe(false)
    // The card is seen anew, and then the pointer rests on it.
    const again = [...seenFrom(1_210), looked(2_000), looked(2_300)]
    expect(given(moved, again, pressed('mouse', 2_409))).toBe(false)
    expect(given(moved, again, pressed('mouse', 2_410))).toBe(true)
  })

  test('that rests approves, though it never moved', () => {
    expect(given(armedLong, point(600, 300), over(600), point(1_200, 300), pressed('mouse', 1_200))).toBe(
      true,
    )
  })

  test('that went down too early does not approve by being held', () => {
    const early: Noticed = { what: 'down', by: 'mouse', atMs: 900 }
    expect(given(armedLong, mouseFrom(600), early, press(1_300))).toBe(false)
  })

  /** From 100 px beside it, in as many steps. */
  const travels = (atMs: number, steps: number): readonly Noticed[] => [
    ...Array.from({ length: steps + 1 }, (_, step) =>
      point(atMs - 10 * (steps - step), 200 + (100 * step) / steps),
    ),
    over(atMs),
  ]
  test('that travelled onto the button approves 120 ms after it came', () => {
    expect(given(armedLong, travels(700, 3), pressed('mouse', 819))).toBe(false)
    expect(given(armedLong, travels(700, 3), pressed('mouse', 820))).toBe(true)
    expect(given(armedLong, travels(700, 2), pressed('mouse', 820))).toBe(false)
    expect(given(armedLong, travels(700, 2), pressed('mouse', 1_200))).toBe(true)
  })

  test('that did so on a card that arms still approves once that was seen for 700 ms', () => {
    const arming = [...travels(300, 5), ...seenFrom(0)]
    expect(given(travels(300, 5), seenFrom(0).slice(0, -1), looked(699), pressed('mouse', 699))).toBe(false)
    expect(given(arming, pressed('mouse', 700))).toBe(true)
  })

  test('under which the frame was moved has to rest, however it came', () => {
    const moved = [...armedLong, ...travels(700, 5), point(760, 302, 9), ...seenFrom(770)]
    expect(given(moved, looked(1_900), pressed('mouse', 1_969))).toBe(false)
    expect(given(moved, looked(1_900), pressed('mouse', 1_970))).toBe(true)
  })

  test('whose place is told again and again has not moved', () => {
    const told = [690, 692, 694, 696, 698].map((atMs) => point(atMs, 300))
    expect(given(armedLong, told, over(700), pressed('mouse', 820))).toBe(false)
  })

  test('that left comes back by a way of its own', () => {
    const left = [...armedLong, ...travels(700, 5), over(760, false), point(765, 301), over(770)]
    expect(given(left, pressed('mouse', 900))).toBe(false)
    expect(given(left, over(900, false), travels(1_000, 3), pressed('mouse', 1_120))).toBe(true)
  })

  test('that came too quickly is asked to press again, which counts where it lies on the button since', () => {
    const quick = [...armedLong, ...mouseFrom(600), ...pressed('mouse', 700)]
    expect(asks(quick)).toBe(true)
    expect(given(quick, pressed('mouse', 1_099))).toBe(false)
    expect(given(quick, pressed('mouse', 1_200))).toBe(true)
    expect(given(quick, over(800, false), over(1_100), pressed('mouse', 1_300))).toBe(false)
  })
})

describe('a pen', () => {
  test('that hovers approves as a mouse does', () => {
    expect(given(armedLong, mouseFrom(700), pressed('pen', 1_199))).toBe(false)
    expect(given(armedLong, mouseFrom(700), pressed('pen', 1_200))).toBe(true)
  })

  const touchDown = (atMs: number, frameX = 0) => [
    point(atMs, 300, frameX),
    over(atMs),
    ...pressed('pen', atMs),
    over(atMs, false),
  ]
  test('that does not is asked to press again, and does so half a second later or more', () => {
    expect(asks(armedLong, touchDown(600))).toBe(true)
    expect(given(armedLong, touchDown(600), touchDown(1_099))).toBe(false)
    expect(given(armedLong, touchDown(600), touchDown(1_100))).toBe(true)
    expect(given(armedLong, touchDown(600), touchDown(1_100, 40))).toBe(false)
  })
})

describe('a finger', () => {
  test('approves with one tap on the armed button', () => {
    expect(given(armed, tapped(500))).toBe(true)
    expect(given(looked(0), looked(350), looked(699), tapped(699))).toBe(false)
  })

  test('that was down before the button was armed, or as something changed, does not', () => {
    const down: Noticed = { what: 'down', by: 'touch', atMs: 499 }
    expect(given(looked(-200), looked(200), down, looked(500), press(510))).toBe(false)
    const moved = looked(505, { card: { x: 100, y: 60, widthPx: 376, heightPx: 430 } })
    expect(given(armed, { ...down, atMs: 501 }, moved, seenFrom(510), press(1_220))).toBe(false)
  })

  test('whose touch became a scroll is not held to it', () => {
    const scrolled: readonly Noticed[] = [
      { what: 'down', by: 'touch', atMs: 400 },
      { what: 'cancel', atMs: 450 },
    ]
    expect(given(looked(-200), looked(200), scrolled, looked(500), tapped(510))).toBe(true)
  })

  test('whose touch became a scroll leaves nothing that another click could end', () => {
    const down: Noticed = { what: 'down', by: 'touch', atMs: 510 }
    expect(given(armed, down, { what: 'cancel', atMs: 520 }, press(530))).toBe(false)
    expect(given(armed, down, press(530))).toBe(true)
  })
})

describe('a key', () => {
  test('approves after half a second of focus', () => {
    expect(given(armedLong, focus(600), pressed('key', 1_099))).toBe(false)
    expect(given(armedLong, focus(600), pressed('key', 1_100))).toBe(true)
  })

  test('is not helped by a pointer that lies over the button', () => {
    expect(given(armedLong, mouseFrom(500), focus(1_400), pressed('key', 1_410))).toBe(false)
  })
})

describe('assistive technology, which clicks without any beginning', () => {
  test('is asked to press again, and that counts half a second later or more', () => {
    expect(given(armedLong, press(600))).toBe(false)
    expect(asks(armedLong, press(600))).toBe(true)
    expect(given(armedLong, press(600), press(1_099))).toBe(false)
    expect(given(armedLong, press(600), press(1_100))).toBe(true)
  })

  test('is asked anew where something changed in between', () => {
    expect(given(armed, press(510), change(520), seenFrom(530), press(1_240))).toBe(false)
    expect(asks(armed, press(510), change(520))).toBe(false)
  })

  test('approves at once on a button that had the focus', () => {
    expect(given(armedLong, focus(600), press(1_100))).toBe(true)
  })
})

test('the button says how long it still has to be waited for', () => {
  expect(gateOf(after(armedLong, mouseFrom(1_700)))).toMatchObject({ state: 'settling', sinceMs: 1_700 })
  expect(shown(armed, focus(510))).toBe('settling')
  expect(shown(armed, focus(510), seenFrom(600))).toBe('ready')
})

/** Whatever comes in whatever order, these hold of every approval that is given. */
describe('in a thousand random hours', () => {
  const kind = fc.oneof(
    { weight: 12, arbitrary: fc.constant('look') },
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
  function noticedOf(kind: string, atMs: number): readonly Noticed[] {
    switch (kind) {
      case 'look':
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
        return [{ what: 'cancel', atMs }]
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
  const isGood = (one: Noticed) => one.what === 'look' && one.look.visible && one.look.card.x === 100

  test('nothing is given but at a press, with only good looks for 700 ms before the last of them', () => {
    fc.assert(
      fc.property(history, (all) => {
        const end = all.findIndex((_one, index) => after(all.slice(0, index + 1)).isGiven)
        if (end === -1) return
        const before = all.slice(0, end + 1)
        expect(before.at(-1)?.what).toBe('press')
        const breaks = (one: Noticed) => one.what === 'change' || (one.what === 'look' && !isGood(one))
        const unbroken = before.slice(before.findLastIndex(breaks) + 1).filter(isGood)
        const [first, last] = [unbroken[0]?.atMs ?? Number.NaN, unbroken.at(-1)?.atMs ?? Number.NaN]
        expect(last - first).toBeGreaterThanOrEqual(700)
        expect((before.at(-1)?.atMs ?? 0) - last).toBeLessThanOrEqual(500)
      }),
      { numRuns: 1_000 },
    )
  })

  test('a mouse never approves less than half a second after it came', () => {
    fc.assert(
      fc.property(history, (all) => {
        const end = all.findIndex((_one, index) => after(all.slice(0, index + 1)).isGiven)
        const down = all[end - 1]
        if (end === -1 || down?.what !== 'down' || down.by !== 'mouse') return
        const came = all.slice(0, end).findLastIndex((one) => one.what === 'over' && !one.isOver) + 1
        const cameMs = all.slice(came, end).find((one) => one.what === 'over')?.atMs ?? Number.NaN
        expect(down.atMs - cameMs).toBeGreaterThanOrEqual(500)
      }),
      { numRuns: 1_000 },
    )
  })
})

test('without the compositor only a plain message may be approved here', () => {
  expect(gateRefusal('message', 'intersecting')).toBeUndefined()
  for (const kind of ['typed-data', 'transaction'] as const) {
    expect(gateRefusal(kind, 'intersecting')).toBe('approval_required_elsewhere')
    expect(gateRefusal(kind, 'composited')).toBeUndefined()
  }
})
