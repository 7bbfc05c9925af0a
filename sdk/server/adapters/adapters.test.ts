import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createLatchkeyServer } from '../requests/latchkey-server.ts'
import { appId, createIssuer } from '../testing/issuer.ts'
import { latchkeyAuth as expressAuth, getAuth } from './express.ts'
import { latchkeyAuth as fastifyAuth } from './fastify.ts'
import { latchkeyAuth as honoAuth } from './hono.ts'
import { withUser } from './next.ts'

type Issuer = Awaited<ReturnType<typeof createIssuer>>
type Ask = (authorization?: string) => Promise<Response>
type Serve = (issuer: Issuer, options?: { optional?: boolean }) => Ask

const createRequest = (authorization?: string) =>
  new Request('https://api.example/me', { headers: authorization ? { authorization } : {} })

const hono: Serve = ({ latchkey }, options = {}) => {
  const app = new Hono().get('/me', honoAuth(latchkey, options), (c) =>
    c.json({ userId: c.get('latchkey')?.userId ?? null }),
  )
  return async (authorization) => app.request(createRequest(authorization))
}

/** Serves on a real socket. `handle` adds the parts of the framework to the Node request. */
function node(handle: (request: IncomingMessage, response: ServerResponse) => void): Ask {
  return async (authorization) => {
    const server = createServer(handle)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      return await fetch(`http://127.0.0.1:${port}/`, { headers: authorization ? { authorization } : {} })
    } finally {
      server.close()
    }
  }
}
const sendJson = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

const express: Serve = ({ latchkey }, options) =>
  node((request, response) => {
    const chain = {
      status(code: number) {
        response.statusCode = code
        return chain
      },
      set(headers: Record<string, string>) {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        return chain
      },
      json: (body: unknown) => sendJson(response, body),
    }
    expressAuth(latchkey, options)(request, chain, (error) => {
      if (error) response.statusCode = 500
      sendJson(response, { userId: getAuth(request)?.userId ?? null })
    })
  })

const fastify: Serve = ({ latchkey }, options) =>
  node(async (request, response) => {
    let sent = false
    const reply = {
      code(status: number) {
        response.statusCode = status
        return reply
      },
      headers(headers: Record<string, string>) {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        return reply
      },
      send(body: unknown) {
        sent = true
        return sendJson(response, body)
      },
    }
    await fastifyAuth(latchkey, options)(request, reply)
    if (!sent) sendJson(response, { userId: getAuth(request)?.userId ?? null })
  })

const next: Serve = ({ latchkey }) => {
  const route = withUser(latchkey, (_request: Request, user) => Response.json({ userId: user.userId }))
  return (authorization) => route(createRequest(authorization))
}

const adapters = { hono, express, fastify, next }
const each = Object.entries(adapters)

test.each(each)('%s returns the user of a request', async (_name, serve) => {
  const issuer = await createIssuer()
  for (const scheme of ['Bearer', 'bearer']) {
    const response = await serve(issuer)(`${scheme} ${await issuer.token()}`)
    expect([response.status, await response.json()]).toEqual([200, { userId: 'user-1' }])
  }
})

test.each(each)('%s responds to a request without a token with 401 and a message', async (_name, serve) => {
  const ask = serve(await createIssuer())
  for (const header of [undefined, 'Basic dXNlcjpwYXNz', 'Bearer']) {
    const response = await ask(header)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toEqual({
      error: 'Missing header "Authorization: Bearer <access token>"',
      code: 'missing_token',
    })
  }
})

test.each(each)('%s rejects a token of another app', async (_name, serve) => {
  const issuer = await createIssuer()
  const response = await serve(issuer)(`Bearer ${await issuer.token({ aud: 'other' })}`)
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  expect(await response.json()).toEqual({
    error: 'The access token is for another app',
    code: 'wrong_audience',
  })
})

test.each(each)(
  '%s responds with 503 and retry-after while the keys cannot be fetched',
  async (_name, serve) => {
    const issuer = await createIssuer()
    issuer.fail(new Error('ECONNREFUSED'))
    const response = await serve(issuer)(`Bearer ${await issuer.token()}`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ code: 'keys_unavailable' })
  },
)

const { next: _needsUser, ...others } = adapters
test.each(Object.entries(others))(
  '%s admits a request without a token if it is optional, but no invalid token',
  async (_name, serve) => {
    const issuer = await createIssuer()
    const ask = serve(issuer, { optional: true })
    const without = await ask()
    expect([without.status, await without.json()]).toEqual([200, { userId: null }])
    expect((await ask(`Bearer ${await issuer.token({ aud: 'other' })}`)).status).toBe(401)
  },
)

test('createLatchkeyServer throws immediately for invalid options', () => {
  expect(() => createLatchkeyServer({ appId: '', issuer: 'https://dialog.example' })).toThrow(
    'createLatchkeyServer requires `appId`, the id of your app',
  )
  expect(() => createLatchkeyServer({ appId, issuer: 'dialog.example' })).toThrow(
    'createLatchkeyServer requires `issuer`, the origin of the dialog, such as "https://dialog.example"',
  )
})
