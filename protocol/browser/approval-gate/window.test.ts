import { describe, expect, test } from 'vitest'
import { createGate, type GateEvent, type GateState, type PressSource, reduceGate, toGate } from './gate.ts'
import { framedPageSurface, windowSurface } from './page-surfaces.ts'
import type { VisibilitySample } from './visibility.ts'

const card = { x: 100, y: 50, widthPx: 500, heightPx: 700 }
const visible: VisibilitySample = { method: 'top-level', visible: true, card, pixelRatio: 1 }
const after = (events: readonly GateEvent[], from: GateState = createGate(windowSurface)) =>
  events.reduce(reduceGate, from)

type Change = Partial<typeof card & Pick<VisibilitySample, 'visible' | 'pixelRatio'>>
const sampleWith = ({ visible: isVisible = true, pixelRatio = 1, ...place }: Change): VisibilitySample => ({
  ...visible,
  visible: isVisible,
  card: { ...card, ...place },
  pixelRatio,
})

/** Samples as the page takes them, every 50 ms. */
const samples = (fromMs: number, toMs: number, change: Change = {}): GateEvent[] =>
  Array.from({ length: Math.floor((toMs - fromMs) / 50) + 1 }, (_, at) => ({
    type: 'sample',
    sample: sampleWith(change),
    atMs: fromMs + 50 * at,
  }))
const seen = samples(0, 700)
const over = (atMs: number, isOver = true): GateEvent => ({ type: 'over', isOver, atMs })
const focus = (atMs: number, isFocused = true): GateEvent => ({ type: 'focus', isFocused, atMs })
const pressed = (by: PressSource, downMs: number, upMs = downMs + 60): GateEvent[] => [
  { type: 'down', by, atMs: downMs },
  { type: 'press', atMs: upMs },
]
const isApproved = (...events: readonly GateEvent[]) => after(events).isApproved

describe('the approval gate arms', () => {
  test('after its window had the focus for 700 ms', () => {
    expect(toGate(after(samples(0, 650))).state).toBe('arming')
    expect(toGate(after(samples(0, 700))).state).toBe('armed')
  })

  test('not in a window that is not visible', () => {
    expect(toGate(after(samples(0, 5_000, { visible: false }))).state).toBe('hidden')
  })

  test.each<[string, Change]>([
    ['279 px wide', { widthPx: 279 }],
    ['199 px high', { heightPx: 199 }],
    ['drawn at 59 %', { pixelRatio: 0.59 }],
  ])('not in a window that is %s, and reports it as unreadable', (_name, change) => {
    expect(toGate(after(samples(0, 5_000, change))).state).toBe('unreadable')
  })

  test.each<[string, Change]>([
    ['moved', { x: 101 }],
    ['moved down', { y: 51 }],
    ['widened', { widthPx: 501 }],
    ['made higher', { heightPx: 701 }],
    ['zoomed', { pixelRatio: 1.1 }],
  ])('again after its window is %s', (_name, change) => {
    const moved = after(samples(750, 1_400, change), after(seen))
    expect(toGate(moved).state).toBe('arming')
    expect(toGate(after(samples(1_450, 1_450, change), moved)).state).toBe('armed')
  })

  test('again after the window lost the focus, and ignores an earlier press', () => {
    const state = after([...seen, { type: 'down', by: 'touch', atMs: 710 }, { type: 'change', atMs: 720 }])
    const armed = after(samples(750, 1_500), state)
    expect(toGate(armed).state).toBe('armed')
    expect(reduceGate(armed, { type: 'press', atMs: 1_510 }).isApproved).toBe(false)
  })
})

describe('a page in a frame', () => {
  const framed = createGate(framedPageSurface)

  test('arms from 240 by 120 px', () => {
    const least = { widthPx: 240, heightPx: 120 }
    expect(toGate(after(samples(0, 700, least), framed)).state).toBe('armed')
    for (const change of [{ widthPx: 239 }, { heightPx: 119 }])
      expect(toGate(after(samples(0, 700, { ...least, ...change }), framed)).state).toBe('unreadable')
  })

  test('counts a mouse press after 500 ms, because the dialog can move the frame under the pointer', () => {
    const pointed = after([...seen, over(800)], framed)
    expect(after(pressed('mouse', 1_200), pointed).isApproved).toBe(false)
    expect(after(pressed('mouse', 1_300), pointed).isApproved).toBe(true)
    expect(isApproved(...seen, over(800), ...pressed('mouse', 920))).toBe(true)
  })
})

describe('a window', () => {
  test('without samples has a waiting button', () => {
    expect(toGate(createGate(windowSurface))).toEqual({ state: 'waiting', sinceMs: 0, asks: false })
  })

  test('of 280 by 200 px at 60 % is large enough', () => {
    const least = { widthPx: 280, heightPx: 200, pixelRatio: 0.6 }
    expect(toGate(after(samples(0, 700, least))).state).toBe('armed')
  })

  test('that is too small approves nothing, even after a long time', () => {
    expect(isApproved(...samples(0, 5_000, { widthPx: 279 }), ...pressed('touch', 5_010))).toBe(false)
    expect(isApproved(...samples(0, 5_000), ...pressed('touch', 5_010))).toBe(true)
  })
})

describe('a press', () => {
  test.each(['mouse', 'touch', 'key'] as const)('of %s before the gate is armed is ignored', (by) => {
    const state = after([...samples(0, 600), over(0), focus(0), ...pressed(by, 610)])
    expect([state.isApproved, toGate(state).asks]).toEqual([false, false])
  })

  test('by a mouse that entered the armed button counts after 120 ms', () => {
    expect(isApproved(...seen, over(800), ...pressed('mouse', 919))).toBe(false)
    expect(isApproved(...seen, over(800), ...pressed('mouse', 920))).toBe(true)
  })

  test('by a mouse that was already there counts after it has rested for 500 ms', () => {
    expect(isApproved(over(0), ...seen, ...samples(750, 1_150), ...pressed('mouse', 1_199))).toBe(false)
    expect(isApproved(over(0), ...seen, ...samples(750, 1_150), ...pressed('mouse', 1_200))).toBe(true)
  })

  test('by a mouse that entered at the moment of arming counts as one that was already there', () => {
    expect(isApproved(...seen, over(700), ...pressed('mouse', 1_199))).toBe(false)
    expect(isApproved(...seen, over(700), ...pressed('mouse', 1_200))).toBe(true)
  })

  test('by a mouse that moves on the button counts from its entry', () => {
    expect(isApproved(...seen, over(800), over(900), ...pressed('mouse', 920))).toBe(true)
  })

  test('by a mouse outside the button is ignored', () => {
    expect(isApproved(...seen, over(800), over(850, false), ...pressed('mouse', 1_500))).toBe(false)
  })

  test('by a finger counts if it went down on the armed button and was not cancelled', () => {
    expect(isApproved(...seen, ...pressed('touch', 710))).toBe(true)
    const down: GateEvent = { type: 'down', by: 'touch', atMs: 690 }
    expect(isApproved(...samples(0, 680), down, ...samples(700, 1_000), { type: 'press', atMs: 1_010 })).toBe(
      false,
    )
    const before = after(seen)
    const cancelled = after(
      [
        { type: 'down', by: 'touch', atMs: 710 },
        { type: 'cancel', atMs: 720 },
      ],
      before,
    )
    expect(cancelled).toEqual({ ...before, nowMs: 720 })
  })

  test('by a pen that cannot hover counts half a second after the first one', () => {
    const touchDown = (atMs: number) => [over(atMs), ...pressed('pen', atMs), over(atMs + 80, false)]
    expect(isApproved(...seen, ...touchDown(800), ...touchDown(1_359))).toBe(false)
    expect(isApproved(...seen, ...touchDown(800), ...touchDown(1_360))).toBe(true)
  })

  test('by a key counts if the armed button got the focus 500 ms before', () => {
    expect(isApproved(...seen, focus(750), ...pressed('key', 1_249))).toBe(false)
    expect(isApproved(...seen, focus(750), ...pressed('key', 1_250))).toBe(true)
    expect(isApproved(...seen, focus(700), ...pressed('key', 1_200))).toBe(true)
    expect(isApproved(...seen, focus(750), focus(900), ...pressed('key', 1_250))).toBe(true)
    expect(isApproved(...seen, focus(750), focus(900, false), ...pressed('key', 1_500))).toBe(false)
    // A focus from before the page appeared is not a choice of the user.
    expect(isApproved(focus(0), ...seen, ...pressed('key', 2_000))).toBe(false)
  })

  test('by assistive technology, without a beginning, counts like a key press', () => {
    expect(isApproved(...seen, focus(750), { type: 'press', atMs: 1_249 })).toBe(false)
    expect(isApproved(...seen, focus(750), { type: 'press', atMs: 1_250 })).toBe(true)
  })

  test('that began before a window change is never counted as a key press', () => {
    const down: GateEvent = { type: 'down', by: 'touch', atMs: 710 }
    const changed = [down, { type: 'change', atMs: 720 }, ...samples(750, 1_450), focus(1_500)] as const
    expect(isApproved(...seen, ...changed, { type: 'press', atMs: 2_010 })).toBe(false)
    expect(isApproved(...seen, ...changed.slice(1), { type: 'press', atMs: 2_010 })).toBe(true)
  })

  test.each([
    ['a key', pressed('key', 1_000), pressed('key', 1_500), pressed('key', 1_700)],
    [
      'assistive technology',
      [{ type: 'press', atMs: 1_060 }],
      [{ type: 'press', atMs: 1_559 }],
      [{ type: 'press', atMs: 1_560 }],
    ],
  ] as [string, GateEvent[], GateEvent[], GateEvent[]][])(
    'by %s that does not count asks for a second one, which counts half a second later',
    (_name, first, tooSoon, second) => {
      const asked = after([...seen, ...first])
      expect([asked.isApproved, toGate(asked).asks]).toEqual([false, true])
      expect(after(tooSoon, asked).isApproved).toBe(false)
      expect(after(second, asked).isApproved).toBe(true)
    },
  )

  test('makes the gate ready when the next press would count', () => {
    expect(toGate(after([...seen, over(800), ...samples(850, 900)])).state).toBe('armed')
    expect(toGate(after([...seen, over(800), ...samples(850, 950)])).state).toBe('ready')
    expect(toGate(after([...seen, focus(800), ...samples(850, 1_250)])).state).toBe('settling')
    expect(toGate(after([...seen, focus(800), ...samples(850, 1_300)])).state).toBe('ready')
    // A press that was asked for again counts, but without the focus no key press can show it.
    expect(toGate(after([...seen, { type: 'press', atMs: 710 }, ...samples(750, 1_500)]))).toEqual({
      state: 'armed',
      sinceMs: 700,
      asks: true,
    })
  })
})
