/** An approval in a frame of another site, in a real browser: at every zoom, by every hand, and against a host. */
import type { CDPSession } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { type HostedShell, openShellPages, type ShellPage, type WindowSize } from './testing/browser.ts'

let served: ShellPage
let hosted: HostedShell
let input: CDPSession
beforeAll(async () => {
  served = await openShellPages(inject('shellSite'))
})
afterAll(() => served.stop())
afterEach(async () => {
  await hosted.page.close()
  expect(served.complaints()).toEqual([])
})

async function open(zoom = 1, window?: WindowSize) {
  hosted = await served.openInHost(zoom, window)
  input = await hosted.page.context().newCDPSession(hosted.page)
  await hosted.frame.evaluate(() => shell.askApproval())
}
const askAnew = () => hosted.frame.evaluate(() => shell.askApproval())
const isApproved = () => hosted.frame.evaluate(() => shell.isApproved())
const stands = (...states: readonly string[]) =>
  hosted.frame
    .locator(states.map((state) => `[data-leaving="false"] [data-gate="${state}"]`).join())
    .waitFor()
const button = () => hosted.frame.locator('[data-leaving="false"] [data-gate]')
const asksAgain = () =>
  hosted.frame.getByRole('button', { name: 'Press again to confirm' }).waitFor({ state: 'visible' })

const isAsked = () => hosted.frame.getByRole('button', { name: 'Press again to confirm' }).isVisible()

/** The middle of the button. The frame covers the page, so that its places are those of the page. */
async function middle() {
  return button().evaluate((node) => {
    node.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = node.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  })
}
/** From beside the card to the button, once the card came to rest: one that still grows has it elsewhere a moment later. */
async function pointAtIt() {
  await stands('armed', 'settling', 'ready')
  const { x, y } = await middle()
  await hosted.page.mouse.move(x - 250, y - 120)
  await hosted.page.mouse.move(x, y, { steps: 8 })
}
async function pressThere() {
  await hosted.page.mouse.down()
  await hosted.page.mouse.up()
}
/** The host moves the frame, and the browser has drawn it there. */
const moveFrame = (style: string) =>
  hosted.page.evaluate((css) => {
    document.querySelector('iframe')?.setAttribute('style', css)
    return new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))
  }, style)

/**
 * The press counts as it is. On a busy machine the last look may be old, and then it is as if nobody had pressed; a
 * press that was not enough is another thing, and the card says so.
 */
async function approves(press: () => Promise<unknown>, ...states: readonly string[]) {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await stands(...states)
    const wasAsked = await isAsked()
    await press()
    if (await within(1_000, isApproved)) return
    if (!wasAsked) expect(await isAsked()).toBe(false)
  }
  expect.unreachable('It was never approved')
}
async function within(ms: number, holds: () => Promise<boolean>) {
  for (const endMs = Date.now() + ms; Date.now() < endMs; await hosted.page.waitForTimeout(20)) {
    if (await holds()) return true
  }
  return false
}
/** From beside the card and pressed in one go: nothing of the driver lies between. */
async function rushAtIt() {
  const { x, y } = await middle()
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', to = { x, y }) =>
    input.send('Input.dispatchMouseEvent', {
      type,
      ...to,
      ...(type !== 'mouseMoved' && { button: 'left', clickCount: 1 }),
    })
  await Promise.all([
    mouse('mouseMoved', { x: x - 250, y: y - 120 }),
    mouse('mouseMoved', { x: x - 125, y: y - 60 }),
    mouse('mouseMoved'),
    mouse('mousePressed'),
    mouse('mouseReleased'),
  ])
}

/** Once the tap comes while the card is still arming. */
async function tapsTooEarly() {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await askAnew()
    await stands('arming')
    await hosted.frame.evaluate(() => {
      const note = (event: Event) => {
        const button = event.target instanceof Element ? event.target.closest('[data-gate]') : null
        document.body.dataset.tappedAt = button?.getAttribute('data-gate') ?? 'elsewhere'
      }
      document.addEventListener('pointerdown', note, { capture: true, once: true })
    })
    await tap()
    const tappedAt = await hosted.frame.locator('body').getAttribute('data-tapped-at')
    if (tappedAt !== 'arming') continue
    expect(await isApproved()).toBe(false)
    return
  }
  expect.unreachable('The card was armed before each tap')
}

async function tap() {
  const { x, y } = await middle()
  await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
async function pen(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased') {
  const held = type === 'mousePressed' ? ({ button: 'left', buttons: 1, clickCount: 1 } as const) : {}
  const lifted = type === 'mouseReleased' ? ({ button: 'left', clickCount: 1 } as const) : {}
  await input.send('Input.dispatchMouseEvent', {
    type,
    ...(await middle()),
    pointerType: 'pen',
    ...held,
    ...lifted,
  })
}

describe.each([0.67, 1, 1.5, 2])('at a zoom of %d', (zoom) => {
  it('a mouse approves, and not on a frame that was moved under it', async () => {
    await open(zoom)
    expect(await hosted.frame.evaluate(() => devicePixelRatio)).toBeCloseTo(zoom, 2)
    await pointAtIt()
    await approves(pressThere, 'ready')
    await askAnew()
    await pointAtIt()
    await stands('ready')
    await moveFrame(`transform: translateX(${9 / zoom}px)`)
    await pressThere()
    // The card is seen anew, and the pointer has to rest.
    await stands('arming')
    expect(await isApproved()).toBe(false)
    await approves(pressThere, 'ready')
  })

  it('a finger approves with one tap, and a key with the focus', async () => {
    await open(zoom)
    await approves(tap, 'armed')
    await tapsTooEarly()
    await button().focus()
    await approves(() => hosted.page.keyboard.press('Enter'), 'ready')
  })
})

describe('a hand', () => {
  it('with a mouse that comes and clicks at once is asked to press again, and that counts', async () => {
    await open()
    for (let attempt = 0; attempt < 8 && !(await isAsked()); attempt += 1) {
      await hosted.page.mouse.move(5, 5)
      await stands('armed')
      await rushAtIt()
      await within(1_000, isAsked)
      expect(await isApproved()).toBe(false)
    }
    await asksAgain()
    const { x, y } = await middle()
    await approves(() => hosted.page.mouse.click(x, y), 'ready')
  })

  it('with a mouse of which the card hears once it is on the button approves after a rest', async () => {
    await open()
    // It came in the moment between the drawing of the button and the first look at it.
    await hosted.frame.evaluate(() => {
      for (const name of ['pointerover', 'pointerenter']) {
        window.addEventListener(name, (event) => event.stopImmediatePropagation(), { capture: true })
      }
    })
    await stands('armed')
    const { x, y } = await middle()
    await hosted.page.mouse.move(x, y)
    await hosted.page.mouse.move(x + 1, y)
    await approves(pressThere, 'ready')
  })

  it('with a pen that hovers approves, and with one that does not is asked first', async () => {
    const penPresses = async () => {
      await pen('mousePressed')
      await pen('mouseReleased')
    }
    await open()
    await pen('mouseMoved')
    await approves(penPresses, 'ready')
    await askAnew()
    for (let attempt = 0; attempt < 8 && !(await isAsked()); attempt += 1) {
      await hosted.page.mouse.move(5, 5)
      await stands('armed')
      await penPresses()
      await within(1_000, isAsked)
      expect(await isApproved()).toBe(false)
    }
    await asksAgain()
    await approves(penPresses, 'ready')
  })

  it('on a key that is held approves nothing', async () => {
    await open()
    await stands('armed')
    await hosted.page.keyboard.down('Enter')
    await button().focus()
    await stands('ready')
    await hosted.page.keyboard.down('Enter')
    expect(await isApproved()).toBe(false)
    await hosted.page.keyboard.up('Enter')
    await approves(() => hosted.page.keyboard.press(' '), 'ready')
  })

  it('of assistive technology, a click out of nothing, is asked aloud to press again with the focus there', async () => {
    await open()
    // The protocol has no such click: it is one of a mouse of which the document hears nothing else.
    await hosted.frame.evaluate(() => {
      for (const name of [
        'pointerover',
        'pointerenter',
        'pointermove',
        'pointerdown',
        'pointerup',
        'mousedown',
      ]) {
        const swallow = (event: Event) => {
          event.stopImmediatePropagation()
          event.preventDefault()
        }
        window.addEventListener(name, swallow, { capture: true })
      }
    })
    const { x, y } = await middle()
    for (let attempt = 0; attempt < 8 && !(await isAsked()); attempt += 1) {
      await stands('armed')
      await hosted.page.mouse.click(x, y)
      await within(1_000, isAsked)
    }
    await asksAgain()
    expect(await isApproved()).toBe(false)
    expect(await button().evaluate((node) => node === document.activeElement)).toBe(true)
    await hosted.frame
      .getByRole('status')
      .filter({ hasText: 'Press again to confirm' })
      .waitFor({ state: 'attached' })
    await approves(() => hosted.page.mouse.click(x, y), 'ready')
  })

  it('of a script approves nothing', async () => {
    await open()
    await button().focus()
    await stands('ready')
    await button().evaluate((node) => node instanceof HTMLElement && node.click())
    expect(await isApproved()).toBe(false)
    await approves(() => hosted.page.keyboard.press('Enter'), 'ready')
  })
})

describe('at twice the size', () => {
  it.each(['mouse', 'finger', 'key'])(
    'in a window of 320 px the button is scrolled to, and a %s approves with one press',
    async (hand) => {
      await open(2, { width: 640, height: 900 })
      expect(await hosted.frame.evaluate(() => [innerWidth, devicePixelRatio])).toEqual([320, 2])
      await stands('armed')
      if (hand === 'mouse') {
        await pointAtIt()
        await approves(pressThere, 'ready')
      } else if (hand === 'finger') {
        await approves(tap, 'armed')
      } else {
        await button().focus()
        await approves(() => hosted.page.keyboard.press('Enter'), 'ready')
      }
    },
  )

  it('in a window of 250 px the card says that it is too small and what helps, and nothing approves', async () => {
    await open(2, { width: 500, height: 900 })
    expect(await hosted.frame.evaluate(() => innerWidth)).toBe(250)
    await stands('unreadable')
    const words =
      'This card is too small to read, so you cannot approve it. Make the window larger, or set its zoom to 100%.'
    await hosted.frame.getByRole('status').filter({ hasText: words }).waitFor()
    await tap()
    await button().focus()
    await hosted.page.keyboard.press('Enter')
    expect(await isApproved()).toBe(false)
  })
})

it('says aloud how the button stands', async () => {
  await open()
  const says = (words: string) =>
    hosted.frame.getByRole('status').filter({ hasText: words }).waitFor({ state: 'attached' })
  await says('You can press the button now.')
  await moveFrame('opacity: 0.5')
  await says('is covering this card')
  await moveFrame('')
  await says('You can press the button now.')
})

it('another window disarms it', async () => {
  await open()
  await button().focus()
  await stands('ready')
  await hosted.page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<input>')
    document.querySelector('input')?.focus()
  })
  await stands('waiting', 'arming')
})

describe('a host', () => {
  it.each([
    ['transform: scale(0.9)', 'hidden'],
    ['opacity: 0.9', 'hidden'],
    ['filter: blur(5px)', 'hidden'],
    ['clip-path: inset(0 0 50% 0)', 'hidden'],
    ['clip-path: circle(10%)', 'hidden'],
    ['left: 60vw', 'hidden'],
    ['zoom: 0.5', 'unreadable'],
    ['width: 250px', 'unreadable'],
    ['height: 150px', 'unreadable'],
  ])('that draws the frame with %s makes it %s', async (style, state) => {
    await open()
    await stands('armed')
    await moveFrame(style)
    await stands(state)
    await moveFrame('')
    await stands('armed')
  })

  // Where a browser learns to see one of these, it leaves docs/security.md and stands above.
  it.each<[style: string, window?: WindowSize]>([
    ['mask-image: linear-gradient(transparent, transparent)'],
    ['-webkit-mask-box-image: linear-gradient(transparent, transparent)'],
    // Both leave the button and take of what stands over it; the box around what they leave holds the card.
    ['clip-path: circle(20%)', { width: 1_400, height: 1_200 }],
    ['clip-path: polygon(0 0, 1px 0, 1px 50%, 100% 50%, 100% 100%, 0 100%)'],
    ['outline: 2000px solid red; outline-offset: -2000px'],
  ])(
    'that hides the frame with %s is not seen by it, as is said where nothing is promised',
    async (style, window) => {
      await open(1, window)
      await moveFrame(style)
      await askAnew()
      await approves(tap, 'armed')
    },
  )
})
