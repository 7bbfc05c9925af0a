/** How the card moves from screen to screen, frame by frame, in a real browser. */
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ShellPage, serveShellPage } from './testing/browser.ts'

let served: ShellPage
let page: Page
beforeAll(async () => {
  served = await serveShellPage(join(import.meta.dirname, 'testing/vite.config.ts'))
})
afterAll(() => served.stop())
afterEach(async () => {
  await page.context().close()
  expect(served.complaints()).toEqual([])
})

async function open(options: BrowserContextOptions = {}) {
  page = await served.open(options)
}

type Change =
  | { readonly to: string; readonly direction: 'forward' | 'back' }
  /** The same screen in another state. */
  | { readonly update: string }

/** Every screen of the first path, there and back, and states of other heights. */
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
  readonly atMs: number
  /** Of the screen that is there, and of each title that is there. */
  readonly opacity: number
  readonly titles: readonly number[]
  /** What is seen of the card, and how high it is laid out. */
  readonly top: number
  readonly bottom: number
  readonly laidOut: number
  /** What moves, by the property and where. */
  readonly moved: readonly string[]
  /** The scale of the title's text. */
  readonly scale: number
}

/** Makes the change and looks at every frame until nothing moves any more. */
const look = (change: Change) =>
  page.evaluate(async (given) => {
    const card = document.querySelector<HTMLElement>('[role=dialog]')
    const part = (name: string) => document.querySelector(`[data-part=${name}]`)?.getBoundingClientRect()
    const opacityOf = (element: Element | null | undefined) =>
      element ? Number(getComputedStyle(element).opacity) : 1
    const finite = () =>
      document
        .getAnimations()
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
    for (let still = 0; still < 3; ) {
      await new Promise(requestAnimationFrame)
      const present = document.querySelector('[data-leaving=false]')
      const title = present?.querySelector('h2')
      frames.push({
        atMs: performance.now(),
        opacity: opacityOf(present),
        titles: [...document.querySelectorAll('[data-leaving] h2')].map(
          (one) => opacityOf(one) * opacityOf(one.closest('[data-leaving]')),
        ),
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
/** From the first to the last without turning round, within what a browser rounds. */
const turns = (values: readonly number[]) => {
  const way = Math.sign((values.at(-1) ?? 0) - (values[0] ?? 0))
  return values.some((value, at) => at > 0 && (value - (values[at - 1] ?? 0)) * way < -0.6)
}

const conditions: Record<string, BrowserContextOptions> = {
  'a card': {},
  'a sheet': { viewport: { width: 390, height: 800 } },
  'a card without motion': { reducedMotion: 'reduce' },
}

/** The drawing of a tick, and colours that a control passes through, move nothing. */
const inPlace = ['strokeDashoffset', 'backgroundColor', 'boxShadow']

describe.each(Object.entries(conditions))('on the way from screen to screen, %s', (_, options) => {
  it('never shows less of what comes, nor two titles, and moves by transform and opacity alone', async () => {
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
        // Where it begins and where it ends: nothing is laid out anew on the way.
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

describe('the height of the card', () => {
  /** What the card begins to move stands still at this time of it. */
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
  const bottom = async () => {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    return page.evaluate(
      () => document.querySelector('[data-part=inner]')?.getBoundingClientRect().bottom ?? 0,
    )
  }
  const change = (to: string) => page.evaluate((caption) => shell.go(caption), to)

  it('begins where it was, and goes on from where it is when it changes again on the way', async () => {
    await open()
    await look({ to: 'Wallet created, new user', direction: 'forward' })
    const small = await bottom()
    await stopAt(0)
    await change('Sign, long message')
    expect(Math.abs((await bottom()) - small)).toBeLessThan(1.5)
    await page.context().close()
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

  it('is no refusal of who presses beside the card while it grows', async () => {
    await open()
    await look({ to: 'Wallet created, new user', direction: 'forward' })
    await stopAt(0)
    await change('Sign')
    await bottom()
    await page.mouse.click(5, 5)
    expect(await page.evaluate(() => shell.sent())).toEqual([])
    await page.evaluate(() => {
      for (const one of document.getAnimations()) one.finish()
    })
    await bottom()
    await page.mouse.click(5, 5)
    expect(await page.evaluate(() => shell.sent())).toEqual([['close']])
  })

  /** Printed, since a machine that is busy is slow: what decides is that nothing but transforms and opacity moves. */
  it('takes frames as these at a fourth of the speed', async () => {
    await open({ viewport: { width: 390, height: 800 } })
    const devtools = await page.context().newCDPSession(page)
    await look({ to: 'Landing', direction: 'forward' })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    for (const step of path) {
      const times = await page.evaluate(
        (given) =>
          new Promise<number[]>((resolve) => {
            const taken: number[] = []
            let last = performance.now()
            if ('to' in given) shell.go(given.to, given.direction)
            else shell.update(given.update)
            requestAnimationFrame(function count(now) {
              taken.push(Math.round(now - last))
              last = now
              if (taken.length === 20) resolve(taken)
              else requestAnimationFrame(count)
            })
          }),
        step,
      )
      console.info(`${nameOf(step)}: ${times.join(' ')} ms`)
    }
  })
})
