/** The dashboard in a simulated document, against a server that answers from a table. */
import { confirmationHeader, type OperatorRole, scopesOfRole } from '@latchkey/protocol/admin'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { findByRole, findByText, queryByRole, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { createRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'
import { createQueryClient } from '../../api/queries.ts'
import { createDashboardRouter } from '../router.tsx'

export const app = 'a'.repeat(25)
export const time = '2026-11-30T01:00:00.000Z'

export type Sent = { method: string; path: string; headers: Headers; body: unknown }
/** A body of text is a stream. */
export type Reply = { status?: number; body: object | string }

export const problem = (status: number, code: string, more: object = {}): Reply => ({
  status,
  body: { code, title: 'A title', detail: 'A detail', ...more },
})

export const operator = (role: OperatorRole): Reply & { body: object } => ({
  body: {
    operator_id: 'op_1',
    email: 'ada@operator.example',
    sign_in: 'passkey',
    role,
    scopes: scopesOfRole(role),
    app_id: null,
    expires_at: time,
  },
})

export type Replies = Record<string, Reply | ((sent: Sent) => Reply)>

/** Answers calls by method and path without its query. A test adds answers and replaces some. */
export function stubServer(): { replies: Replies; sent: Sent[] } {
  const sent: Sent[] = []
  const replies: Replies = {
    'GET /admin/session/session': operator('owner'),
    'GET /admin/session/options': { body: { oidc_name: null } },
    'GET /admin/v1/apps': {
      body: {
        data: [
          {
            id: app,
            name: 'Fieldnotes',
            environment: 'production',
            allowed_origins: [],
            created_at: time,
            updated_at: time,
          },
        ],
        next: null,
      },
    },
  }
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers, body }: RequestInit) => {
    const call: Sent = {
      method,
      path,
      headers: new Headers(headers),
      body: typeof body === 'string' ? JSON.parse(body) : body,
    }
    sent.push(call)
    const reply = replies[`${method} ${path.split('?')[0]}`] ?? problem(404, 'not_found')
    const { status = 200, body: answer } = typeof reply === 'function' ? reply(call) : reply
    return typeof answer === 'string'
      ? new Response(answer)
      : Response.json(answer, { status, headers: { etag: '"e1"' } })
  })
  return { replies, sent }
}

export function open(path: string) {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const history = createMemoryHistory({ initialEntries: [path] })
  root.render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createDashboardRouter(history)} />
    </QueryClientProvider>,
  )
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  const find = (role: string, name: string | RegExp, within: HTMLElement = document.body) =>
    findByRole(within, role, { name }, { timeout: 20_000 })
  return {
    history,
    find,
    press: async (name: string | RegExp, role = 'button') => userEvent.click(await find(role, name)),
    pressInDialog: async (name: string) => {
      const dialog = await find('dialog', /./)
      await userEvent.click(within(dialog).getByRole('button', { name }))
    },
    findText: (text: string | RegExp) => findByText(document.body, text, {}, { timeout: 20_000 }),
    has: (role: string, name: string) => queryByRole(document.body, role, { name }) !== null,
  }
}

const bytes = (text: string) => new TextEncoder().encode(text).buffer

/** A passkey that answers every challenge. Returns the challenges. */
export function stubPasskey(): string[] {
  const challenges: string[] = []
  vi.stubGlobal('PublicKeyCredential', () => {})
  const get = async ({ publicKey }: { publicKey: { challenge: ArrayBuffer } }) => {
    challenges.push(new TextDecoder().decode(publicKey.challenge))
    return {
      id: 'cGFzc2tleQ',
      rawId: bytes('passkey'),
      type: 'public-key',
      response: {
        clientDataJSON: bytes('client'),
        authenticatorData: bytes('data'),
        signature: bytes('signature'),
        userHandle: bytes('op_1'),
      },
      getClientExtensionResults: () => ({}),
    }
  }
  const create = async () => ({
    id: 'c2Vjb25k',
    rawId: bytes('second'),
    type: 'public-key',
    response: {
      clientDataJSON: bytes('client'),
      attestationObject: bytes('attestation'),
      getTransports: () => ['internal'],
    },
    getClientExtensionResults: () => ({}),
  })
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get, create } })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'credentials'))
  return challenges
}
export const options = { challenge: 'Y2hhbGxlbmdl', rp_id: 'admin.localhost', user_verification: 'required' }

/** Answers with this body once the operator has confirmed the call with a passkey. */
export const confirmed =
  (body: object) =>
  ({ headers }: Sent): Reply =>
    headers.has(confirmationHeader)
      ? { body }
      : problem(403, 'confirmation_required', { confirmation: options })
