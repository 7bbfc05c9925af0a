import { waitFor } from '@testing-library/dom'
import { beforeEach, expect, test } from 'vitest'
import {
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

const passkeys = '/admin/session/passkeys'
const first = { id: 'Zmlyc3Q', created_at: time }
const second = { id: 'c2Vjb25k', created_at: time }
const creation = {
  challenge: 'Y3JlYXRl',
  rp: { id: 'admin.localhost', name: 'Latchkey dashboard' },
  user: { id: 'b3BfMQ', name: 'ada@operator.example', display_name: 'ada@operator.example' },
  pub_key_cred_params: [{ type: 'public-key', alg: -7 }],
  exclude_credentials: [{ type: 'public-key', id: first.id }],
}

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  replies[`GET ${passkeys}`] = { body: { data: [first] } }
})

test('asks for a second passkey, and registers it after a confirmation with the first one', async () => {
  const challenges = stubPasskey()
  replies[`POST ${passkeys}/begin`] = confirmed({ options: creation })
  replies[`POST ${passkeys}`] = { body: { data: [first, second] } }
  const page = open('/passkeys')
  await page.findText(/Add a second passkey on another device/)
  expect(page.has('button', 'Remove')).toBe(false)
  await page.press('Add a passkey')
  await page.findText(second.id)
  expect(challenges).toEqual(['challenge'])
  expect(sent.at(-1)?.body).toMatchObject({ credential: { id: second.id, type: 'public-key' } })
  expect(document.body.textContent).not.toContain('Add a second passkey on another device')
})

test('removes one of two passkeys after a confirmation', async () => {
  stubPasskey()
  replies[`GET ${passkeys}`] = { body: { data: [second, first] } }
  replies[`POST ${passkeys}/remove`] = confirmed({ data: [first] })
  const page = open('/passkeys')
  const [remove] = (await page.find('table', 'Passkeys')).querySelectorAll('button')
  remove?.click()
  await page.findText(/Add a second passkey on another device/)
  expect(sent.at(-1)?.body).toEqual({ id: second.id })
})

test('explains a refusal', async () => {
  stubPasskey()
  replies[`POST ${passkeys}/begin`] = problem(409, 'too_many_passkeys')
  const page = open('/passkeys')
  await page.press('Add a passkey')
  await page.findText('A title. A detail.')
})

test('sends an operator of the OpenID provider there before the first passkey', async () => {
  const { body } = operator('owner')
  replies['GET /admin/session/session'] = { body: { ...body, sign_in: 'oidc' } }
  replies[`GET ${passkeys}`] = { body: { data: [] } }
  replies[`POST ${passkeys}/begin`] = problem(403, 'recent_sign_in_required')
  replies['POST /admin/session/oidc'] = { body: { url: '#at-the-provider' } }
  const page = open('/passkeys')
  await page.findText('There is no passkey yet')
  await page.press('Add a passkey')
  await page.press('Sign in again')
  await waitFor(() => expect(location.hash).toBe('#at-the-provider'))
  expect(sent.at(-1)?.body).toEqual({ recent: true })
})
