/** Tests screen transitions frame by frame in a real browser. */
import type { BrowserContextOptions } from 'playwright'
import { describe, expect, it } from 'vitest'
import { discardAfterTest, openShell, page, settled } from './testing/opened.ts'
import { difference } from './testing/pixels.ts'

type Change =
  | { to: string; direction: 'forward' | 'back' }
  /** The same screen in another state. */
  | { update: string }

/** The screens of the login path in both directions, with states of other heights. */
const path: readonly Change[] = [
  { to: 'Code', direction: 'forward' },
  { update: 'Code, wrong' },
  { to: 'Error', direction: 'forward' },
  { to: 'Code', direction: 'back' },
  { to: 'Landing', direction: 'back' },
  { to: 'Code, accepted', direction: 'forward' },
  { to: 'Wallet, creating', direction: 'forward' },
  { update: 'Wallet, not created' },
  { to: 'Landing', direction: 'back' },
  { to: 'Wallet created, new user', direction: 'forward' },
  { to: 'Sign, long message', direction: 'forward' },
  { to: 'Wallet, recovering', direction: 'forward' },
  { to: 'Sign', direction: 'forward' },
  { update: 'Sign, covered' },
  { update: 'Sign, signed' },
]

type Frame = {
  atMs: number
  /** The opacity of the present screen, and of each title. */
  opacity: number
  titles: readonly number[]
  /** The visible edges of the card, and its layout height. */
  top: number
  bottom: number
  laidOut: number
  /** The animated CSS properties. */
  moved: readonly string[]
  /** The scale of the title's text. */
  scale: number
}

/** Makes the change and records every frame until all animations have ended. */
const look = (change: Change) =>
  page.evaluate(async (given) => {
    const card = document.querySelector<HTMLElement>('[role=dialog]')
    const part = (name: string) => document.querySelector(`[data-part=${name}]`)?.getBoundingClientRect()
    /** Returns the effective opacity of an element within its ancestors. */
    const seenOf = (element: Element | null | undefined): number =>
      element ? Number(getComputedStyle(element).opacity) * seenOf(element.parentElement) : 1
    const finite = () =>
      document
        .getAnimations()
        // Excludes scroll-driven animations, which never end.
        .filter(({ timeline }) => timeline === document.timeline)
        .filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    const moved = () =>
      finite().flatMap(({ effect }) => {
        if (!(effect instanceof KeyframeEffect)) return []
        const names = effect.getKeyframes().flatMap((keyframe) => Object.keys(keyframe))
        return names.filter((name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name))
      })
    const frames: Frame[] = []
    if ('to' in given) shell.go(given.to, given.direction)
    else shell.update(given.update)
    const endsBefore = performance.now() + 10_000
    for (let still = 0; still < 3; ) {
      await new Promise(requestAnimationFrame)
      if (performance.now() > endsBefore) {
        const left = finite().map(({ id, playState, effect }) => {
          const { target, pseudoElement } = effect instanceof KeyframeEffect ? effect : {}
          return [id, playState, target?.className, pseudoElement]
        })
        throw new Error(`After 10 s this moves still: ${JSON.stringify(left)}`)
      }
      const present = document.querySelector('[data-leaving=false]')
      const title = present?.querySelector('h2')
      frames.push({
        atMs: performance.now(),
        opacity: seenOf(present?.firstElementChild),
        titles: [...document.querySelectorAll('[data-leaving] h2')].map(seenOf),
        top: part('outer')?.top ?? 0,
        bottom: part('inner')?.bottom ?? 0,
        laidOut: card?.offsetHeight ?? 0,
        moved: moved(),
        scale: title ? title.getBoundingClientRect().height / title.offsetHeight : 1,
      })
      still = finite().length === 0 ? still + 1 : 0
    }
    return frames
  }, change)

const nameOf = (change: Change) => ('to' in change ? change.to : change.update)
const rises = (values: readonly number[]) => values.every((value, at) => value >= (values[at - 1] ?? 0))
/** Returns whether the values reverse their direction by more than rounding errors. */
const turns = (values: readonly number[]) => {
  const way = Math.sign((values.at(-1) ?? 0) - (values[0] ?? 0))
  return values.some((value, at) => at > 0 && (value - (values[at - 1] ?? 0)) * way < -0.6)
}

const conditions: Record<string, BrowserContextOptions> = {
  'a card': {},
  'a sheet': { viewport: { width: 390, height: 800 } },
  'a card without motion': { reducedMotion: 'reduce' },
}

const open = (options: BrowserContextOptions = {}) =>
  openShell({ reducedMotion: 'no-preference', ...options })

/** Properties of the check mark and the focus ring, which cause no movement. */
const inPlace = ['strokeDashoffset', 'boxShadow']

describe.each(Object.entries(conditions))('a screen transition, %s', (_, options) => {
  it('fades the next screen in steadily, shows one title, and animates only transform and opacity', async () => {
    await open(options)
    await look({ to: 'Landing', direction: 'forward' })
    const allowed = options.reducedMotion ? ['opacity'] : ['opacity', 'transform']
    for (const change of path) {
      const frames = await look(change)
      const opacities = frames.map(({ opacity }) => opacity)
      const last = frames.at(-1)
      const seen = {
        falls: rises(opacities) ? [] : opacities,
        titles: Math.max(...frames.map(({ titles }) => titles.filter((opacity) => opacity > 0).length)),
        titleAtLast: last?.titles,
        others: frames
          .flatMap(({ moved }) => moved)
          .filter((name) => ![...allowed, ...inPlace].includes(name)),
        // Only the first and the last layout: no frame in between changes it.
        isLaidOutOnce: new Set(frames.map(({ laidOut }) => laidOut)).size <= 2,
        turnsRound: turns(frames.map(({ top }) => top)) || turns(frames.map(({ bottom }) => bottom)),
        stretched: frames.filter(({ scale }) => Math.abs(scale - 1) > 0.01).length,
        isWhole: last !== undefined && Math.abs(last.bottom - last.top + 2 - last.laidOut) < 1,
      }
      expect({ to: nameOf(change), ...seen }).toEqual({
        to: nameOf(change),
        falls: [],
        titles: 1,
        titleAtLast: [1],
        others: [],
        isLaidOutOnce: true,
        turnsRound: false,
        stretched: 0,
        isWhole: true,
      })
    }
  })
})

/** The card tests all changes. The sheet and the card without motion differ only in their movement. */
describe.each(Object.entries(conditions))('two screens of a transition, %s', (condition, options) => {
  const isCard = condition === 'a card'
  type Still = { to: string; direction: 'forward' | 'back' }
  /** Changes the screen and pauses all animations at their start. */
  const goStill = ({ to, direction }: Still) =>
    page.evaluate(
      ([caption, way]) => {
        void shell.go(caption, way)
        for (const one of document.getAnimations()) one.pause()
      },
      [to, direction] as const,
    )
  /** Everything that moves goes on for so long; the height begins a frame after the change. */
  const stepBy = (ms: number) =>
    page.evaluate(async (byMs) => {
      for (let pass = 0; pass < 3; pass += 1) {
        for (const one of document.getAnimations()) {
          if (one.timeline !== document.timeline) continue
          one.pause()
          one.currentTime = Number(one.currentTime) + (pass === 0 ? byMs : 0)
        }
        await new Promise(requestAnimationFrame)
      }
    }, ms)
  /** How strongly each of both is seen, of 255: by what is missing from the picture where it is cut away. */
  async function strengths() {
    const clip = await page.locator('[data-part=card]').evaluate((card) => {
      const { x, y, width, height } = card.getBoundingClientRect()
      return { x, y: Math.max(0, y), width, height: Math.min(height, innerHeight) }
    })
    const whole = await page.screenshot({ clip })
    const cutAway = (selector: string, path: string) =>
      page.evaluate(
        ([parts, style]) => {
          for (const one of document.querySelectorAll<HTMLElement>(parts)) one.style.clipPath = style
        },
        [selector, path] as const,
      )
    async function strengthOf(selector: string) {
      await cutAway(selector, 'inset(100%)')
      const without = await page.screenshot({ clip })
      await cutAway(selector, '')
      return difference(page, whole, without)
    }
    const leaving = await strengthOf('[data-leaving=true]')
    return { leaving, arriving: await strengthOf('[data-leaving=false], footer p:nth-last-child(2)') }
  }
  /** Text below this difference has a contrast under 1.5:1. Repainting may cause half of it. */
  const faint = 40

  async function lookAt(changes: readonly Still[]) {
    const seen: { atMs: number; leaving: number; arriving: number }[] = []
    let atMs = 0
    for (const stepMs of [0, 20, 20, 19, 2, 30, 60, 100]) {
      await stepBy(stepMs)
      atMs += stepMs
      seen.push({ atMs, ...(await strengths()) })
    }
    const first = seen[0]
    const last = seen.at(-1)
    expect({ changes, both: seen.filter((at) => at.leaving > faint && at.arriving > faint) }).toEqual({
      changes,
      both: [],
    })
    expect(seen.filter((at) => at.atMs > 60 && at.leaving > faint)).toEqual([])
    expect(last?.arriving).toBeGreaterThan(100)
    return first?.leaving
  }

  const changes: readonly (readonly [from: string, to: string, direction: 'forward' | 'back'])[] = [
    ['Landing', 'Code', 'forward'],
    ['Code', 'Landing', 'back'],
    ['Code, accepted', 'Wallet created, new user', 'forward'],
    ['Sign', 'Wallet, recovering', 'forward'],
  ]
  it.each(isCard ? changes : changes.slice(0, 1))(
    'are never visible at once, by pixels: from %s to %s, %s',
    async (from, to, direction) => {
      await open(options)
      await look({ to: from, direction: 'forward' })
      const change = { to, direction }
      await goStill(change)
      expect(await lookAt([change])).toBeGreaterThan(100)
    },
  )

  it('keep the first one transparent after 60 ms until the second one has arrived', async () => {
    await open(options)
    await look({ to: 'Landing', direction: 'forward' })
    await goStill({ to: 'Code', direction: 'forward' })
    const { opacity, leavesUntil, arrivesUntil } = await page.evaluate(() => {
      const isOfLayer = (effect: AnimationEffect | null, layer: Element) =>
        effect instanceof KeyframeEffect &&
        effect.target === (layer.matches('[data-leaving=true]') ? layer : layer.firstElementChild)
      const last = (which: string) => {
        const layer = document.querySelector(`[data-leaving=${which}]`)
        const one = layer?.getAnimations({ subtree: true }).find(({ effect }) => isOfLayer(effect, layer))
        if (!layer || !one) throw new Error('Nothing moves')
        return { layer, one, untilMs: Number(one.effect?.getComputedTiming().endTime) }
      }
      const [leaving, arriving] = [last('true'), last('false')]
      leaving.one.currentTime = 60
      const { opacity } = getComputedStyle(leaving.layer)
      return { opacity, leavesUntil: leaving.untilMs, arrivesUntil: arriving.untilMs }
    })
    expect(opacity).toBe('0')
    expect(leavesUntil).toBeGreaterThan(arrivesUntil)
  })

  it.each(isCard ? [20, 100] : [20])(
    'are never visible at once in a quick chain that leaves the second screen after %d ms',
    async (leftAtMs) => {
      await open(options)
      await look({ to: 'Landing', direction: 'forward' })
      const changes: readonly Still[] = [
        { to: 'Code', direction: 'forward' },
        { to: 'Error', direction: 'forward' },
      ]
      for (const change of changes) {
        await goStill(change)
        if (change === changes[0]) await stepBy(leftAtMs)
      }
      await lookAt(changes)
      expect(await page.locator('[data-leaving]').count()).toBe(1)
    },
  )
})

/**
 * Records the frames that the compositor draws while the page is busy. The leaving text is red, the arriving text blue.
 */
it('two screens are never visible at once on a busy page', async () => {
  await open()
  await look({ to: 'Landing', direction: 'forward' })
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`* { background: #fff !important; box-shadow: none !important; border-color: #fff !important; transition: none !important }
      svg, input, footer, header { visibility: hidden !important }
      [data-leaving=true] * { color: #f00 !important } [data-leaving=false] * { color: #00f !important }`)
    document.adoptedStyleSheets.push(sheet)
  })
  const frames: string[] = []
  const browser = await page.context().newCDPSession(page)
  discardAfterTest()
  browser.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(data)
    browser.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await browser.send('Page.startScreencast', { format: 'png' })
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    await frame()
    void shell.go('Code')
    await frame()
    await frame()
    for (const until = performance.now() + 500; performance.now() < until; );
  })
  await settled()
  await browser.send('Page.stopScreencast')
  const reader = await page.context().newPage()
  const seen = []
  for (const data of frames) {
    seen.push(
      await reader.evaluate(async (picture) => {
        const image = new Image()
        image.src = `data:image/png;base64,${picture}`
        await image.decode()
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
        if (!context) throw new Error('No canvas')
        context.drawImage(image, 0, 0)
        const { data: pixels } = context.getImageData(0, 0, image.width, image.height)
        let [red, blue] = [0, 0]
        for (let at = 0; at < pixels.length; at += 4) {
          const difference = (pixels[at] ?? 0) - (pixels[at + 2] ?? 0)
          red = Math.max(red, difference)
          blue = Math.max(blue, -difference)
        }
        return { leaving: red, arriving: blue }
      }, data),
    )
  }
  expect(seen.some(({ leaving }) => leaving > 200)).toBe(true)
  expect(seen.some(({ arriving }) => arriving > 200)).toBe(true)
  expect(seen.filter(({ leaving, arriving }) => leaving > 40 && arriving > 40)).toEqual([])
})

describe('the height of the card', () => {
  /** Pauses new animations of the card at this time. */
  const stopAt = (ms: number) =>
    page.evaluate((atMs) => {
      const { animate } = Element.prototype
      Element.prototype.animate = function (...given) {
        const stopped = animate.apply(this, given)
        stopped.pause()
        stopped.currentTime = atMs
        return stopped
      }
    }, ms)
  /** Finishes all paused animations, and later ones at once, for example after another layout on a slow page. */
  const endAll = () =>
    page.evaluate(() => {
      const { animate } = Element.prototype
      Element.prototype.animate = function (...given) {
        const ended = animate.apply(this, given)
        ended.finish()
        return ended
      }
      for (const one of document.getAnimations()) one.finish()
    })
  const bottom = async () => {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    return page.evaluate(
      () => document.querySelector('[data-part=inner]')?.getBoundingClientRect().bottom ?? 0,
    )
  }
  const change = (to: string) => page.evaluate((caption) => shell.go(caption), to)

  it('animates from its present value, even if it changes again during the animation', async () => {
    await open()
    await look({ to: 'Wallet created, new user', direction: 'forward' })
    const small = await bottom()
    await stopAt(0)
    await change('Sign, long message')
    expect(Math.abs((await bottom()) - small)).toBeLessThan(1.5)
    await open()
    await look({ to: 'Wallet created, new user', direction: 'forward' })
    await stopAt(110)
    await change('Sign, long message')
    const onTheWay = await bottom()
    expect(onTheWay - small).toBeGreaterThan(20)
    await stopAt(0)
    await change('Wallet, recovering')
    expect(Math.abs((await bottom()) - onTheWay)).toBeLessThan(1.5)
  })

  it('ignores a press beside the card while it grows', async () => {
    await open()
    await look({ to: 'Wallet created, new user', direction: 'forward' })
    await stopAt(0)
    await change('Sign')
    await bottom()
    await page.mouse.click(5, 5)
    expect(await page.evaluate(() => shell.sent())).toEqual([])
    await endAll()
    await settled()
    await bottom()
    await page.mouse.click(5, 5)
    expect(await page.evaluate(() => shell.sent())).toEqual([['close']])
  })
})

describe('the previous screen is removed without animation frames in a tab', () => {
  /** Freezes all animations, so that none of them ends. */
  const standStill = async () => {
    const browser = await page.context().newCDPSession(page)
    discardAfterTest()
    await browser.send('Animation.enable')
    await browser.send('Animation.setPlaybackRate', { playbackRate: 0 })
  }
  const toBackground = () =>
    page.evaluate(() => {
      for (const [name, value] of Object.entries({ hidden: true, visibilityState: 'hidden' }))
        Object.defineProperty(document, name, { get: () => value })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    })
  const leave = () => page.evaluate(() => shell.go('Code'))
  const isLeft = () => page.locator('[data-leaving=true]').count()

  it.each([
    ['that is in the background', [toBackground, leave]],
    ['that goes to the background meanwhile', [leave, toBackground]],
  ] as const)('%s', async (_, steps) => {
    await open()
    await look({ to: 'Landing', direction: 'forward' })
    await standStill()
    for (const step of steps) await step()
    await expect.poll(isLeft).toBe(0)
    expect(await page.locator('[data-leaving=false] h2').textContent()).toBe('Enter confirmation code')
  })
})
