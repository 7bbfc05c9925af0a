import { catalogue } from '@latchkey/protocol/texts'
import { expect, test } from 'vitest'
import { useDialog } from '../../app/context.ts'
import { lazyScreen } from '../../app/screen.ts'
import { createScreenCall } from '../../app/screen-stack.ts'
import { makeFixture } from '../../testing/fixture.ts'
import { renderDialog } from '../../testing/page.tsx'
import type { PendingConfirmation } from '../confirmed.ts'
import { type ApprovalInScreen, useApproval } from './use-approval.ts'

const texts = async () => catalogue({}, async () => ({}))
const received: string[] = []
const pending: PendingConfirmation = {
  shown: () => ({ by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } }),
  outcome: new Promise(() => {}),
  handlers: {
    notice: ({ type }) => void received.push(type),
    pageOpened: (state) => void received.push(state),
    cancelPage: () => void received.push('cancel'),
    explainPage: () => void received.push('explain'),
  },
}
let approval: ApprovalInScreen

const coverScreen = lazyScreen({ name: 'COVER', texts, component: async () => () => <p>Cover</p> })
function CardScreen() {
  const { screens } = useDialog()
  approval = useApproval(() => pending)
  return (
    <>
      <button type="button" onClick={() => void approval.request()}>
        Request
      </button>
      <button type="button" onClick={() => void screens.open(coverScreen, {})}>
        Cover
      </button>
    </>
  )
}
const cardScreen = lazyScreen({ name: 'CARD', texts, component: async () => CardScreen })

test('an approval ignores presses while another screen covers its card', async () => {
  const fixture = await makeFixture({})
  void fixture.stage.begin(createScreenCall(fixture, cardScreen, {}))
  const page = renderDialog(fixture)
  const events = ['press', 'open', 'cancel', 'explain']
  function press() {
    approval.handlers.notice({ type: 'press', atMs: 0 })
    approval.handlers.pageOpened('open')
    approval.handlers.cancelPage()
    approval.handlers.explainPage()
  }

  await page.see('Request')
  press()
  expect(received).toEqual([])
  await page.press('Request')
  press()
  expect(received).toEqual(events)
  await page.press('Cover')
  await page.see('Cover')
  press()
  expect(received).toEqual(events)
  await page.press('Back')
  press()
  expect(received).toEqual([...events, ...events])
})
