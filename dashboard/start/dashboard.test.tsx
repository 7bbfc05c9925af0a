import { product } from '@latchkey/protocol'
import { confirmationHeader } from '@latchkey/protocol/admin'
import { findByText, waitFor, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
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

const markup = '<img src=x onerror="alert(1)">'

const account = (changes: object = {}) => ({
  type: 'email',
  identifier: 'ada@example.com',
  name: null,
  email: null,
  first_verified_at: time,
  latest_verified_at: time,
  ...changes,
})
const listedUser = {
  id: 'usr_1',
  app_id: app,
  created_at: time,
  blocked: null,
  accounts: [account()],
  expected_accounts: [],
}
const user = {
  ...listedUser,
  external_id: null,
  metadata: { public: { plan: 'pro' }, private: {} },
  has_accepted_terms: true,
  wallets: [],
  factors: [{ type: 'totp', enrolled_at: time }],
}
const session = {
  id: 'ses_1',
  kind: 'login',
  parent_id: null,
  created_at: time,
  last_used_at: time,
  expires_at: time,
}

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  replies[`GET /admin/v1/apps/${app}/users`] = { body: { data: [listedUser], next: null } }
  replies[`GET /admin/v1/apps/${app}/users/usr_1`] = { body: user }
  replies[`GET /admin/v1/apps/${app}/users/usr_1/sessions`] = { body: { data: [session] } }
})

describe('the sign-in', () => {
  test('shows the sign-in to a visitor, and opens the first app afterwards', async () => {
    const challenges = stubPasskey()
    replies['GET /admin/session/session'] = problem(401, 'session_expired')
    replies['POST /admin/session/sign-in'] = { body: { options } }
    replies['POST /admin/session/sign-in/finish'] = operator('owner')
    const page = open('/')
    await page.press('Sign in with a passkey')
    await page.find('heading', 'Users')
    expect(challenges).toEqual(['challenge'])
    expect(sent.find(({ path }) => path.endsWith('/finish'))?.body).toMatchObject({
      credential: { id: 'cGFzc2tleQ', response: { user_handle: 'b3BfMQ' } },
    })
  })

  test('offers the OpenID provider, and leaves for it', async () => {
    replies['GET /admin/session/session'] = problem(401, 'session_expired')
    replies['GET /admin/session/options'] = { body: { oidc_name: 'Acme' } }
    replies['POST /admin/session/oidc'] = { body: { url: '#at-the-provider' } }
    const page = open('/')
    await page.press('Sign in with Acme')
    await waitFor(() => expect(location.hash).toBe('#at-the-provider'))
    expect(sent.at(-1)?.body).toEqual({ recent: false })
  })

  test.each([
    [false, 'Users'],
    [true, 'Your passkeys'],
  ])('finishes the sign-in of the OpenID provider, recent: %s', async (recent, heading) => {
    const { body: session } = operator('owner')
    replies['GET /admin/session/session'] = problem(401, 'session_expired')
    replies['POST /admin/session/oidc/finish'] = { body: { session, recent } }
    replies['GET /admin/session/passkeys'] = { body: { data: [] } }
    const page = open('/sign-in/oidc?code=code-1')
    await page.find('heading', heading)
    expect(sent.filter(({ path }) => path.endsWith('/oidc/finish'))).toHaveLength(1)
  })

  test('explains a failed sign-in of the OpenID provider', async () => {
    replies['POST /admin/session/oidc/finish'] = problem(403, 'oidc_no_role')
    const page = open('/sign-in/oidc?code=code-1')
    await page.find('heading', 'You are not signed in')
    await page.findText('A title. A detail.')
    await page.find('link', 'Back to the sign-in')
  })

  test('shows the sign-in again when the session has ended', async () => {
    const page = open(`/apps/${app}/users`)
    await page.find('link', 'ada@example.com')
    replies[`GET /admin/v1/apps/${app}/users/usr_1`] = problem(401, 'session_expired')
    await page.press('ada@example.com', 'link')
    await page.find('button', 'Sign in with a passkey')
  })

  test('is shown after the sign-out', async () => {
    replies['POST /admin/session/sign-out'] = { body: {} }
    const page = open(`/apps/${app}/users`)
    await page.find('link', 'ada@example.com')
    await page.press('Sign out')
    await page.find('button', 'Sign in with a passkey')
    expect(page.has('link', 'ada@example.com')).toBe(false)
  })

  test('ignores scopes of a newer server', async () => {
    const { body } = operator('viewer')
    replies['GET /admin/session/session'] = { body: { ...body, scopes: ['users:read', 'users:read.newer'] } }
    await open(`/apps/${app}/users`).find('link', 'ada@example.com')
  })

  test('shows why an invitation does not work', async () => {
    replies['POST /admin/session/invitation'] = problem(401, 'invitation_expired', {
      title: 'The invitation was used or has expired',
    })
    await open('/invitation').findText(/The invitation was used or has expired/)
  })
})

describe('users', () => {
  test('looks up a user by the value in the address', async () => {
    await open(`/apps/${app}/users?q=ada%40example.com&by=email`).find('link', 'ada@example.com')
    const { path } = sent.find((call) => call.path.includes('/users')) ?? { path: '' }
    expect(path).toBe(`/admin/v1/apps/${app}/users?email=ada%40example.com`)
  })

  test('searches users by a prefix, and puts it into the address', async () => {
    replies[`POST /admin/v1/apps/${app}/users/search`] = { body: { data: [listedUser] } }
    const page = open(`/apps/${app}/users`)
    await userEvent.type(await page.find('searchbox', 'Value'), 'ad')
    await page.findText('Type at least 3 characters')
    await userEvent.type(await page.find('searchbox', 'Value'), 'a{Enter}')
    await waitFor(() => expect(page.history.location.search).toBe('?q=ada&by=prefix'))
    await waitFor(() => expect(sent.at(-1)?.body).toEqual({ prefix: 'ada', kinds: ['email', 'external_id'] }))
  })

  test('shows names and metadata of users as text, never as markup', async () => {
    replies[`GET /admin/v1/apps/${app}/users/usr_1`] = {
      body: {
        ...user,
        external_id: markup,
        accounts: [account({ type: 'google_oauth', identifier: '1', name: markup, email: null })],
        metadata: { public: { note: markup }, private: {} },
        blocked: { at: time, reason: markup },
      },
    }
    const page = open(`/apps/${app}/users/usr_1`)
    await page.find('heading', markup)
    expect([...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
      '/favicon.svg',
    ])
    expect(document.querySelector('[onerror]')).toBeNull()
    expect(document.title).toContain(markup)
  })

  test('ends a session after the operator confirmed the dialog', async () => {
    const path = `/admin/v1/apps/${app}/users/usr_1/sessions/ses_1`
    replies[`DELETE ${path}`] = () => {
      replies[`GET /admin/v1/apps/${app}/users/usr_1/sessions`] = { body: { data: [] } }
      return { body: { sessions_ended: 1 } }
    }
    const page = open(`/apps/${app}/users/usr_1`)
    await page.press('End')
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
    await page.pressInDialog('End session')
    await page.findText('This user is logged in nowhere')
    const call = sent.find(({ method }) => method === 'DELETE')
    expect(call?.path).toBe(path)
    expect(call?.headers.get('idempotency-key')).toMatch(/^[\w-]{36}$/)
  })

  test('deletes a user after a passkey confirmation, with one idempotency key', async () => {
    const challenges = stubPasskey()
    replies[`DELETE /admin/v1/apps/${app}/users/usr_1`] = ({ headers }) =>
      headers.has(confirmationHeader)
        ? { status: 202, body: { id: 'usr_1' } }
        : problem(403, 'confirmation_required', { confirmation: options })
    const page = open(`/apps/${app}/users/usr_1`)
    await page.press('Delete')
    await page.pressInDialog('Delete user')
    await page.find('heading', 'Users')
    const calls = sent.filter(({ method }) => method === 'DELETE')
    expect(challenges).toEqual(['challenge'])
    expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    const assertion = JSON.parse(atob(calls[1]?.headers.get(confirmationHeader) ?? ''))
    expect(assertion).toMatchObject({ id: 'cGFzc2tleQ', response: { client_data_json: 'Y2xpZW50' } })
  })

  test('keeps the user and explains why if the operator uses no passkey', async () => {
    stubPasskey()
    Object.defineProperty(navigator, 'credentials', {
      configurable: true,
      value: { get: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
    })
    replies[`DELETE /admin/v1/apps/${app}/users/usr_1`] = problem(403, 'confirmation_required', {
      confirmation: options,
    })
    const page = open(`/apps/${app}/users/usr_1`)
    await page.press('Delete')
    await page.pressInDialog('Delete user')
    await page.findText('No passkey was used. Try again.')
    expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  describe('the removal of verification methods by support', () => {
    const path = `/admin/v1/apps/${app}/users/usr_1/factors/reset`
    const asked = (name: string) => ({ operator: name, at: time, expires_at: '2099-01-01T00:00:00.000Z' })
    beforeEach(() => {
      replies['GET /admin/session/session'] = operator('support')
      replies[`GET ${path}`] = { body: { request: null } }
    })

    test('waits for another operator after the request of one', async () => {
      replies[`POST ${path}`] = () => {
        const request = asked('ada@operator.example')
        replies[`GET ${path}`] = { body: { request } }
        return { body: { removed: [], sessions_ended: 0, request } }
      }
      const page = open(`/apps/${app}/users/usr_1`)
      await page.press('Ask to remove all')
      await page.pressInDialog('Ask')
      await page.findText(/Another operator must do it/)
      expect(page.has('button', 'Remove all')).toBe(false)
      expect(page.has('button', 'Cancel the request')).toBe(true)
    })

    test('is carried out by the other operator', async () => {
      replies[`GET ${path}`] = { body: { request: asked('grace@operator.example') } }
      replies[`POST ${path}`] = { body: { removed: ['totp'], sessions_ended: 1, request: null } }
      const page = open(`/apps/${app}/users/usr_1`)
      await page.findText(/grace@operator.example asked to remove them/)
      await page.press('Remove all')
      replies[`GET ${path}`] = { body: { request: null } }
      await page.pressInDialog('Remove all')
      await page.find('button', 'Ask to remove all')
    })
  })

  test('shows no actions to a viewer', async () => {
    replies['GET /admin/session/session'] = operator('viewer')
    const page = open(`/apps/${app}/users/usr_1`)
    await page.find('heading', 'ada@example.com')
    await page.find('table', 'Sessions')
    for (const name of ['End', 'Delete', 'Block', 'Remove all', 'Edit'])
      expect(page.has('button', name)).toBe(false)
    expect(page.has('link', 'Operators and keys')).toBe(false)
  })
})

test('offers to try again if a list cannot be read', async () => {
  replies[`GET /admin/v1/apps/${app}/users`] = problem(503, 'unavailable')
  const page = open(`/apps/${app}/users`)
  await page.findText('A title. A detail.')
  replies[`GET /admin/v1/apps/${app}/users`] = { body: { data: [], next: null } }
  await page.press('Try again')
  await page.findText('There are no users')
})

test('saves only changed settings, with the etag', async () => {
  const settings = { theme: null, accent_color: null, logo_url: null, email_auth: true, sms_auth: false }
  const body = {
    id: app,
    name: 'Fieldnotes',
    environment: 'production',
    allowed_origins: [],
    created_at: time,
    updated_at: time,
    settings: { ...settings, name: 'Fieldnotes' },
  }
  replies[`GET /admin/v1/apps/${app}`] = { body }
  replies[`PATCH /admin/v1/apps/${app}`] = problem(403, 'needs_proposal', {
    title: 'A second operator must agree to this change',
  })
  const page = open(`/apps/${app}/settings`)
  await page.press('SMS', 'checkbox')
  const [, save] = await waitFor(() => {
    const buttons = within(document.body).getAllByRole('button', { name: 'Save' })
    expect(buttons).toHaveLength(2)
    return buttons
  })
  if (save) await userEvent.click(save)
  await page.findText(/A second operator must agree/)
  const call = sent.find(({ method }) => method === 'PATCH')
  expect(call?.body).toEqual({ settings: { sms_auth: true } })
  expect(call?.headers.get('if-match')).toBe('"e1"')
})

test('names the screen and the product in the title', async () => {
  await open(`/apps/${app}/users`).find('heading', 'Users')
  expect(document.title).toBe(`Users · ${product.name}`)
})

describe('the words of a message', () => {
  const path = `/admin/v1/apps/${app}/messages/login_code/en`
  const words = { subject: '{{code}} opens {{app}}', heading: 'Hello', blocks: ['Your code:', '{{code}}'] }
  const message = { kind: 'login_code', locale: 'en', is_own: false, ...words, updated_at: null }

  beforeEach(() => {
    replies[`GET /admin/v1/apps/${app}/messages`] = {
      body: { data: [message, { ...message, locale: 'ar' }] },
    }
    replies[`GET ${path}`] = { body: message }
    replies[`PUT ${path}`] = { body: { ...message, is_own: true } }
    replies[`POST ${path}/preview`] = {
      body: {
        subject: '000000 opens Fieldnotes',
        heading: 'Hello',
        text: `Dear ${markup}\n\n000000\n`,
        html: '<p>000000</p>',
      },
    }
  })

  test('are previewed while they are edited, and saved with the etag', async () => {
    const page = open(`/apps/${app}/messages`)
    const preview = await page.find('figure', 'Preview')
    await findByText(preview, '000000 opens Fieldnotes')
    await findByText(preview, `Dear ${markup}`)
    await findByText(preview, '000000')
    expect(preview.querySelector('img')).toBeNull()
    const field = await page.find('textbox', 'Paragraphs')
    await userEvent.clear(field)
    await userEvent.type(field, 'Type this:{Enter}{{{{code}}')
    await page.press('Save')
    await vi.waitFor(() => expect(sent.some(({ method }) => method === 'PUT')).toBe(true))
    const call = sent.find(({ method }) => method === 'PUT')
    expect(call?.body).toEqual({ ...words, blocks: ['Type this:', '{{code}}'] })
    expect(call?.headers.get('if-match')).toBe('"e1"')
  })

  test('show a refusal beside its field, and cannot be saved meanwhile', async () => {
    replies[`POST ${path}/preview`] = problem(400, 'link_not_allowed', { path: 'blocks.1' })
    const page = open(`/apps/${app}/messages`)
    const field = await page.find('textbox', 'Paragraphs')
    await userEvent.type(field, ' more')
    await page.findText('Paragraph 2: A title. A detail.')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect((await page.find('button', 'Save')).hasAttribute('disabled')).toBe(true)
  })

  test('are sent to the operator as a test', async () => {
    replies[`POST ${path}/test`] = { body: { to: 'ada@operator.example' } }
    const page = open(`/apps/${app}/messages`)
    await page.press('Send a test')
    await page.pressInDialog('Send')
    await page.findText('Sent to ada@operator.example')
    expect(sent.find(({ path: to }) => to === `${path}/test`)?.body).toEqual({
      ...words,
      to: 'ada@operator.example',
    })
  })
})
