import { within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { app, open, type Replies, type Sent, stubServer, time } from './testing/dashboard.tsx'

const path = `/admin/v1/apps/${app}/webhooks/whk_1`
const delivery = {
  id: 'evt_1',
  type: 'user.created',
  state: 'pending',
  created_at: time,
  attempts: 1,
  next_attempt_at: '2026-11-30T01:00:05.000Z',
  last_attempt: { at: time, status: 500, duration_ms: 84, error: null },
}
const history = [
  { at: time, status: null, duration_ms: 2_000, error: 'timeout' },
  { at: time, status: 500, duration_ms: 84, error: null },
]

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  replies[`GET ${path}`] = {
    body: {
      id: 'whk_1',
      app_id: app,
      url: 'https://app.example/latchkey',
      description: '',
      events: [],
      state: 'enabled',
      paused: null,
      failing_since: null,
      created_at: time,
    },
  }
  replies[`GET ${path}/deliveries`] = { body: { data: [delivery], next: null } }
  replies[`GET ${path}/deliveries/evt_1`] = {
    body: { ...delivery, body: '{"type":"user.created"}', history },
  }
})

test('shows each attempt of a delivery and its body, and follows it after it was sent again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  replies[`POST ${path}/replay`] = { body: { replayed: 1, has_more: false } }
  const page = open(`/apps/${app}/webhooks/whk_1`)
  await page.press('Details')
  const rows = within(await page.find('table', 'Attempts')).getAllByRole('row')
  const cells = rows.slice(1).map((row) => within(row).getAllByRole('cell').slice(1))
  expect(cells.map((row) => row.map(({ textContent }) => textContent))).toEqual([
    ['none', '2000 ms', 'timeout'],
    ['500', '84 ms', ''],
  ])
  await page.findText(/"type": "user.created"/)
  await page.pressInDialog('Send again')
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ ids: ['evt_1'] })
  replies[`GET ${path}/deliveries/evt_1`] = {
    body: {
      ...delivery,
      state: 'delivered',
      next_attempt_at: null,
      body: '{}',
      history: [{ at: time, status: 204, duration_ms: 9, error: null }, ...history],
    },
  }
  vi.advanceTimersByTime(5_000)
  await page.findText('204')
  await userEvent.keyboard('{Escape}')
  await vi.waitFor(() => expect(page.has('dialog', 'Delivery')).toBe(false))
})
