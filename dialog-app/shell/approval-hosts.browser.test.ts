/** An approval in a frame of another site, in a real browser, against a host that hides or moves the frame. */
import { beforeAll, beforeEach, describe, it } from 'vitest'
import {
  approves,
  askAnew,
  button,
  hosted,
  moveFrame,
  openApproval as open,
  stands,
  tap,
} from './testing/hosted-approval.ts'

it('announces whether the approve button can be pressed', async () => {
  await open()
  const says = (words: string) =>
    hosted.frame.getByRole('status').filter({ hasText: words }).waitFor({ state: 'attached' })
  await says('You can press the button now.')
  await moveFrame('opacity: 0.5')
  await says('is covering this card')
  await moveFrame('')
  await says('You can press the button now.')
})

it('disarms the approve button when the host page takes the focus', async () => {
  await open()
  await button().focus()
  await stands('ready')
  await hosted.page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<input>')
    document.querySelector('input')?.focus()
  })
  await stands('waiting', 'arming')
})

describe('a host that restyles the frame', () => {
  beforeAll(() => open())
  beforeEach(async () => {
    await moveFrame('')
    await stands('armed')
  })

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
  ])('with %s makes the approve button %s', async (style, state) => {
    await moveFrame(style)
    await stands(state)
    await moveFrame('')
    await stands('armed')
  })
})

describe('a host that hides parts of the frame', () => {
  // In a window of this size, the bounding box of circle(20%) contains the card.
  beforeAll(() => open(1, { width: 1_400, height: 1_200 }))

  // If browsers detect one of these one day, move it from docs/security.md to the list above.
  it.each([
    'mask-image: linear-gradient(transparent, transparent)',
    '-webkit-mask-box-image: linear-gradient(transparent, transparent)',
    // Both leave the button visible and hide content above it.
    'clip-path: circle(20%)',
    'clip-path: polygon(0 0, 1px 0, 1px 50%, 100% 50%, 100% 100%, 0 100%)',
    'outline: 2000px solid red; outline-offset: -2000px',
  ])('is not detected with %s, as docs/security.md states', async (style) => {
    await moveFrame(style)
    await askAnew()
    // The button keeps the focus of the previous tap.
    await approves(tap, 'armed', 'ready')
  })
})
