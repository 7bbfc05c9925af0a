import { confirmationHeader } from '@latchkey/protocol/admin'
import { waitFor, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import {
  app,
  open,
  operator,
  options,
  problem,
  type Replies,
  type Sent,
  stubPasskey,
  stubServer,
  time,
} from './testing/dashboard.tsx'

const path = `/admin/v1/apps/${app}/oidc`
const provider = {
  id: 'acme',
  login_method: 'oidc:acme',
  name: 'Acme',
  issuer: 'https://id.acme.example',
  client_id: 'fieldnotes',
  state: 'enabled',
  redirect_uri: 'https://login.example/oauth/callback/oidc:acme',
  logout_uri: 'https://login.example/apps/a/oidc/acme/backchannel-logout',
  created_at: time,
}

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  replies[`GET ${path}`] = { body: { data: [] } }
})
const changes = () => sent.filter(({ method }) => method !== 'GET').map(({ body }) => body)

test('adds a provider after a confirmation, and shows the addresses to register there', async () => {
  stubPasskey()
  replies[`POST ${path}`] = ({ headers }) => {
    if (!headers.has(confirmationHeader))
      return problem(403, 'confirmation_required', { confirmation: options })
    replies[`GET ${path}`] = { body: { data: [provider] } }
    return { status: 201, body: provider }
  }
  const page = open(`/apps/${app}/oidc`)
  await page.findText('There are no providers')
  await page.press('Add provider')
  const type = async (label: string, text: string) =>
    userEvent.type(await waitFor(() => within(document.body).getByLabelText(label)), text)
  await type('Id', 'Acme')
  await page.findText('Use at most 32 lower-case letters, digits and hyphens')
  await userEvent.clear(within(document.body).getByLabelText('Id'))
  await type('Id', 'acme')
  await type('Name', 'Acme')
  await type('Issuer', 'https://id.acme.example')
  await type('Client id', 'fieldnotes')
  expect((await page.find('button', 'Add')).hasAttribute('disabled')).toBe(true)
  await type('Client secret', 's3cret')
  await page.pressInDialog('Add')
  await page.findText(provider.redirect_uri)
  await page.findText(provider.logout_uri)
  expect(changes().at(-1)).toEqual({
    id: 'acme',
    name: 'Acme',
    issuer: 'https://id.acme.example',
    client_id: 'fieldnotes',
    client_secret: 's3cret',
  })
})

test('shows why a discovery document was refused', async () => {
  replies[`GET ${path}`] = { body: { data: [provider] } }
  replies[`POST ${path}/acme/refresh`] = problem(400, 'issuer_not_accepted')
  const page = open(`/apps/${app}/oidc`)
  await page.press('Refresh')
  await page.pressInDialog('Refresh')
  await page.findText('A title. A detail.')
  expect(page.has('dialog', 'Read the discovery document again?')).toBe(true)
})

test('replaces the client secret only if one was typed', async () => {
  replies[`GET ${path}`] = { body: { data: [provider] } }
  replies[`PATCH ${path}/acme`] = { body: provider }
  const page = open(`/apps/${app}/oidc`)
  await page.press('Edit')
  const name = await page.find('textbox', 'Name')
  await userEvent.type(name, ' Ltd')
  await page.pressInDialog('Save')
  await waitFor(() => expect(changes()).toEqual([{ name: 'Acme Ltd' }]))
})

test('shows no actions to support', async () => {
  replies['GET /admin/session/session'] = operator('support')
  replies[`GET ${path}`] = { body: { data: [provider] } }
  const page = open(`/apps/${app}/oidc`)
  await page.find('region', 'Acme')
  for (const name of ['Add provider', 'Edit', 'Refresh', 'Disable'])
    expect(page.has('button', name)).toBe(false)
})
