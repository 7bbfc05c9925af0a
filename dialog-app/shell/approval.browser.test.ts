/** An approval in a frame of another site, in a real browser: by every hand and in small windows. */
import { describe, expect, it } from 'vitest'
import {
  approves,
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

describe('a hand', () => {
  it('with a mouse that comes and clicks at once is asked to press again, and that counts', async () => {
    await open()
    for (let attempt = 0; attempt < 8 && !(await isAsked()); attempt += 1) {
      await hosted.page.mouse.move(5, 5)
      await stands('armed')
      await judged(rushAtIt)
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
      await judged(penPresses)
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
