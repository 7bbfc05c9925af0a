/** The screens of changes that need two operators. */
import { within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  app,
  confirmed,
  open,
  operator,
  problem,
  type Replies,
  type Sent,
  stubPasskey,
  stubServer,
  time,
} from './testing/dashboard.tsx'

const proposals = `/admin/v1/apps/${app}/proposals`
const path = `${proposals}/prp_1`
const settings = { frame_messages_per_day: 20, no_prompt: { messages: false }, email_auth: true }
const proposal = {
  id: 'prp_1',
  app_id: app,
  state: 'proposed',
  settings: { 'no_prompt.messages': true },
  requester: null,
  replaces: { settings: { no_prompt: { messages: false } }, requester: null },
  widens: ['no_prompt'],
  note: 'Players sign each move.',
  proposed: { operator: 'grace@operator.example', at: time },
  approved: null,
  applies_from: null,
  expires_at: '2099-01-01T00:00:00.000Z',
  ended: null,
}
const approved = {
  ...proposal,
  state: 'approved',
  approved: { operator: 'ada@operator.example', at: time },
}

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  replies[`GET /admin/v1/apps/${app}`] = {
    body: {
      id: app,
      name: 'Fieldnotes',
      environment: 'production',
      allowed_origins: [],
      created_at: time,
      updated_at: time,
      settings,
    },
  }
  replies[`GET ${proposals}`] = { body: { data: [proposal], next: null } }
  replies[`GET ${path}`] = { body: proposal }
})

test('lists the rules in sentences and the proposals, and opens one', async () => {
  const page = open(`/apps/${app}/approvals`)
  await page.findText('A wallet signs 20 plain messages a day without the confirmation page.')
  await page.press('no_prompt', 'link')
  await page.find('heading', 'Proposal: no_prompt')
  const changes = within(await page.find('table', 'Changes'))
  expect(changes.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    'no_prompt.messages',
    'false',
    'true',
  ])
})

describe('a request that is tried', () => {
  const fill = async (page: ReturnType<typeof open>, label: string, text: string) => {
    const field = await page.find('textbox', label)
    await userEvent.clear(field)
    await userEvent.type(field, text)
  }

  test('shows the decision, the reason and the limits', async () => {
    const limits = [
      { name: 'allowance', unit: 'cents', most: 10_000 },
      { name: 'card-call:1', unit: 'times', most: 3 },
    ]
    replies[`POST /admin/v1/apps/${app}/approvals/try`] = {
      body: { place: 'frame', reason: 'within_limits', refusal: null, usd: '12.00', limits },
    }
    const page = open(`/apps/${app}/approvals`)
    await fill(page, 'To', '0xaa')
    await fill(page, 'Value', '5')
    await page.press('Try')
    await page.findText('Approved on the card')
    await page.findText('The app lists it, and its limit is not used up.')
    const status = await page.find('status', '')
    expect(status.textContent).toContain('Counts as12.00 USD')
    expect(status.textContent).toContain('allowance: 100.00 USD')
    expect(status.textContent).toContain('card-call:1: 3 times')
    expect(sent.at(-1)?.body).toEqual({
      transaction: { chain_id: 1, to: '0xaa', value: '5', data: '0x' },
      place: 'frame',
    })
    // Another request has no decision yet.
    await fill(page, 'Value', '6')
    expect(status.textContent).toBe('')
  })

  test('shows a refusal', async () => {
    const refusal = { code: 'invalid_message', message: 'The message is empty' }
    replies[`POST /admin/v1/apps/${app}/approvals/try`] = {
      body: { place: 'refused', reason: null, refusal, usd: null, limits: [] },
    }
    const page = open(`/apps/${app}/approvals`)
    await userEvent.selectOptions(await page.find('combobox', 'Request'), 'message')
    await fill(page, 'Message', '0x')
    await page.press('Try')
    await page.findText('Refused')
    await page.findText('The message is empty (invalid_message)')
    expect(sent.at(-1)?.body).toEqual({ message: '0x', place: 'frame' })
  })
})

describe('a proposal', () => {
  test('is made with one setting and a note, and opened', async () => {
    replies[`POST ${proposals}`] = { status: 201, body: proposal }
    const page = open(`/apps/${app}/approvals`)
    await page.press('Propose a change')
    const value = await page.find('textbox', 'New value')
    await userEvent.clear(value)
    expect((await page.find('button', 'Propose')).hasAttribute('disabled')).toBe(true)
    await userEvent.type(value, 'null')
    await userEvent.type(await page.find('textbox', 'Note'), 'A game')
    await page.pressInDialog('Propose')
    await page.find('heading', 'Proposal: no_prompt')
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      settings: { frame_messages_per_day: null },
      note: 'A game',
    })
  })

  test('is offered when the settings screen is refused for lack of a second operator', async () => {
    replies[`PATCH /admin/v1/apps/${app}`] = problem(403, 'needs_proposal')
    replies[`POST ${proposals}`] = { status: 201, body: proposal }
    const page = open(`/apps/${app}/settings`)
    await page.press('SMS', 'checkbox')
    const [, save] = await vi.waitFor(() => {
      const buttons = within(document.body).getAllByRole('button', { name: 'Save' })
      expect(buttons).toHaveLength(2)
      return buttons
    })
    if (save) await userEvent.click(save)
    await page.press('Propose this change')
    await page.pressInDialog('Propose')
    await page.find('heading', 'Proposal: no_prompt')
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ settings: { sms_auth: true } })
  })

  test('is approved by another operator with a passkey', async () => {
    const challenges = stubPasskey()
    replies[`POST ${path}/approve`] = (call) => {
      replies[`GET ${path}`] = { body: { ...approved, applies_from: '2099-01-01T00:00:00.000Z' } }
      return confirmed(approved)(call)
    }
    const page = open(`/apps/${app}/approvals/prp_1`)
    await page.press('Approve')
    await page.pressInDialog('Approve')
    await page.findText('The waiting time is not over.')
    expect(challenges).toHaveLength(1)
    expect(page.has('button', 'Apply')).toBe(false)
    expect(page.has('button', 'Cancel the proposal')).toBe(true)
  })

  test('cannot be approved by its own operator', async () => {
    const own = { operator: 'ada@operator.example', at: time }
    replies[`GET ${path}`] = { body: { ...proposal, proposed: own } }
    const page = open(`/apps/${app}/approvals/prp_1`)
    await page.findText('Another operator must approve this proposal.')
    expect(page.has('button', 'Approve')).toBe(false)
  })

  test('is applied after the waiting time', async () => {
    stubPasskey()
    replies[`GET ${path}`] = { body: { ...approved, applies_from: '2020-01-01T00:00:00.000Z' } }
    replies[`POST ${path}/apply`] = (call) => {
      const applied = { ...approved, state: 'applied', ended: { operator: 'ada@operator.example', at: time } }
      replies[`GET ${path}`] = { body: applied }
      return confirmed(applied)(call)
    }
    const page = open(`/apps/${app}/approvals/prp_1`)
    await page.press('Apply')
    await page.pressInDialog('Apply')
    await page.findText('Applied by')
    expect(page.has('button', 'Cancel the proposal')).toBe(false)
  })

  test('is only shown to a viewer', async () => {
    replies['GET /admin/session/session'] = operator('viewer')
    const page = open(`/apps/${app}/approvals/prp_1`)
    await page.find('table', 'Changes')
    for (const name of ['Approve', 'Apply', 'Cancel the proposal'])
      expect(page.has('button', name)).toBe(false)
  })
})
