import { within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { app, open, operator, type Replies, type Sent, stubServer, time } from './testing/dashboard.tsx'

const hooks = `/admin/v1/apps/${app}/hooks`
const hook = (kind: string, changes: object = {}) => ({
  id: `hok_${kind.replace('.', '_')}`,
  app_id: app,
  kind,
  url: 'https://app.example/latchkey',
  on_failure: 'deny',
  state: 'enabled',
  created_at: time,
  ...changes,
})

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  replies[`GET ${hooks}`] = { body: { data: [] } }
})
const changes = () => sent.filter(({ method }) => method !== 'GET').map(({ body }) => body)

test('adds a hook, which refuses without a valid answer unless the operator chooses otherwise', async () => {
  replies[`POST ${hooks}`] = () => {
    replies[`GET ${hooks}`] = { body: { data: [hook('login.before')] } }
    return { status: 200, body: { id: 'hok_login_before' } }
  }
  const page = open(`/apps/${app}/hooks`)
  const card = await page.find('region', 'Before a login')
  await userEvent.click(within(card).getByRole('button', { name: 'Add a hook' }))
  const url = await page.find('textbox', 'URL')
  await userEvent.type(url, 'https://app.example/latchkey')
  await page.pressInDialog('Add')
  await page.findText('The login is denied')
  expect(changes()).toEqual([
    { kind: 'login.before', url: 'https://app.example/latchkey', on_failure: 'deny' },
  ])
})

test('sends only edited fields', async () => {
  replies[`GET ${hooks}`] = { body: { data: [hook('token.claims')] } }
  replies[`PATCH ${hooks}/hok_token_claims`] = { body: { id: 'hok_token_claims' } }
  const page = open(`/apps/${app}/hooks`)
  await page.press('Edit')
  expect((await page.find('button', 'Save')).hasAttribute('disabled')).toBe(true)
  await userEvent.selectOptions(await page.find('combobox', 'Without a valid answer'), 'allow')
  await page.pressInDialog('Save')
  await vi.waitFor(() => expect(changes()).toEqual([{ on_failure: 'allow' }]))
})

test('disables the hook that receives codes, and leaves everything else about it to commands', async () => {
  replies[`GET ${hooks}`] = { body: { data: [hook('message.send', { state: 'disabled' })] } }
  const page = open(`/apps/${app}/hooks`)
  const card = within(await page.find('region', 'Codes and notices'))
  expect(card.queryByRole('button', { name: 'Enable' })).toBeNull()
  expect(card.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(card.getByRole('button', { name: 'Delete' })).not.toBeNull()
})

test('prints the command for a hook that no call creates', async () => {
  const page = open(`/apps/${app}/hooks`)
  await page.findText(`latchkey app hooks ${app} add message.send https://app.example/latchkey`)
  expect(within(await page.find('region', 'Codes and notices')).queryByText('Add a hook')).toBeNull()
})

test('shows no actions to a viewer', async () => {
  replies['GET /admin/session/session'] = operator('viewer')
  replies[`GET ${hooks}`] = { body: { data: [hook('login.before')] } }
  const page = open(`/apps/${app}/hooks`)
  await page.findText('https://app.example/latchkey')
  for (const name of ['Edit', 'Disable', 'Delete', 'Add a hook', 'Show the secret'])
    expect(page.has('button', name)).toBe(false)
})
