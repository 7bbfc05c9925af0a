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

describe('a host that draws the frame', () => {
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
  ])('with %s makes it %s', async (style, state) => {
    await moveFrame(style)
    await stands(state)
    await moveFrame('')
    await stands('armed')
  })
})

describe('a host that hides the frame', () => {
  // In a window of this size, the box around what circle(20%) leaves holds the card.
  beforeAll(() => open(1, { width: 1_400, height: 1_200 }))

  // Where a browser learns to see one of these, it leaves docs/security.md and stands above.
  it.each([
    'mask-image: linear-gradient(transparent, transparent)',
    '-webkit-mask-box-image: linear-gradient(transparent, transparent)',
    // Both leave the button and take of what stands over it.
    'clip-path: circle(20%)',
    'clip-path: polygon(0 0, 1px 0, 1px 50%, 100% 50%, 100% 100%, 0 100%)',
    'outline: 2000px solid red; outline-offset: -2000px',
  ])('with %s is not seen by it, as is said where nothing is promised', async (style) => {
    await moveFrame(style)
    await askAnew()
    // The button keeps the focus of the tap before.
    await approves(tap, 'armed', 'ready')
  })
})
