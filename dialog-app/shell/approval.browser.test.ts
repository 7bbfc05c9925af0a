/** An approval in a frame of another site, in a real browser: by every hand and in small windows. */
import { describe, expect, it } from 'vitest'
import {
  approves,
  armed,
  askAnew,
  asksAgain,
  button,
  hosted,
  input,
  isApproved,
  isAsked,
  judged,
  middle,
  openApproval as open,
  pointAtIt,
  pressThere,
  stands,
  standsAlone,
  tap,
} from './testing/hosted-approval.ts'

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

describe('the approve button', () => {
  it('asks for a second click if the mouse arrives and clicks at once, and accepts that one', async () => {
    await open()
    for (let attempt = 0; attempt < 8 && !(await isAsked()); attempt += 1) {
      await standsAlone()
      await judged(rushAtIt)
      expect(await isApproved()).toBe(false)
    }
    await asksAgain()
    const { x, y } = await middle()
    await approves(() => hosted.page.mouse.click(x, y), 'ready')
  })

  it('accepts a click after a rest if the mouse was on the button before its listeners', async () => {
    await open()
    // The pointer arrived between the rendering of the button and the registration of its listeners.
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

  it('accepts a hovering pen, and asks a pen without hover to press again', async () => {
    const penPresses = async () => {
      await pen('mousePressed')
      await pen('mouseReleased')
    }
    await open()
    await pen('mouseMoved')
    await approves(penPresses, 'ready')
    await askAnew()
    for (let attempt = 0; attempt < 8 && !(await isAsked()); attempt += 1) {
      await standsAlone()
      await judged(penPresses)
      expect(await isApproved()).toBe(false)
    }
    await asksAgain()
    await approves(penPresses, 'ready')
  })

  it('ignores a key that is held down', async () => {
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

  it('takes the focus and asks assistive technology, which clicks without a pointer, to press again', async () => {
    await open()
    // CDP has no such click, so the test suppresses every other event of a mouse click.
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
      await judged(() => hosted.page.mouse.click(x, y))
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

  it('ignores a click from a script', async () => {
    await open()
    await button().focus()
    await stands('ready')
    await button().evaluate((node) => node instanceof HTMLElement && node.click())
    expect(await isApproved()).toBe(false)
    await approves(() => hosted.page.keyboard.press('Enter'), 'ready')
  })
})

describe('at a zoom of 200 %', () => {
  it.each(['mouse', 'finger', 'key'])(
    'in a window of 320 px scrolls to the button and approves with one press of a %s',
    async (hand) => {
      await open(2, { width: 640, height: 900 })
      expect(await hosted.frame.evaluate(() => [innerWidth, devicePixelRatio])).toEqual([320, 2])
      await stands('armed')
      if (hand === 'mouse') {
        await pointAtIt()
        await approves(pressThere, 'ready')
      } else if (hand === 'finger') {
        await approves(tap, ...armed)
      } else {
        await button().focus()
        await approves(() => hosted.page.keyboard.press('Enter'), 'ready')
      }
    },
  )

  it('in a window of 250 px explains that the card is too small and ignores every press', async () => {
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
