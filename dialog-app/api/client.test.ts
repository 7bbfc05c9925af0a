import { LatchkeyError } from '@latchkey/protocol'
import { apiRoutes } from '@latchkey/protocol/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiServer, failure, json, never, openApiServer, wireUser } from '../testing/api-server.ts'
import { createApi, type TokenSource } from './client.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.stop())

const refusal = json(401, { error: 'Expired', code: 'missing_or_invalid_token' })

function setUp(replacement: string | null) {
  const replaced: string[] = []
  const signals: (AbortSignal | undefined)[] = []
  const tokens: TokenSource = {
    storedToken: () => 'old',
    async activeToken(options) {
      signals.push(options?.signal)
      return 'old'
    },
    async replaceToken(refused, options) {
      signals.push(options?.signal)
      replaced.push(refused)
      return replacement
    },
  }
  return { api: createApi({ transport: server.transport, tokens }), replaced, signals }
}

test('renews a refused token once and repeats the call', async () => {
  const { api, replaced } = setUp('new')
  server.answers.push(refusal, json(200, wireUser))
  await api.call(apiRoutes.me)
  expect(server.received.map((call) => call.headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  expect(replaced).toEqual(['old'])
})

test('does not repeat the call twice', async () => {
  const { api } = setUp('new')
  server.answers.push(refusal, refusal)
  expect(await failure(api.call(apiRoutes.me))).toMatchObject({ code: 'missing_or_invalid_token' })
  expect(server.received).toHaveLength(2)
})

test('does not renew the session for an expired provider token', async () => {
  const { api, replaced } = setUp('new')
  const details = { provider: `latchkey:${'b'.repeat(25)}` }
  server.answers.push(json(401, { error: 'Over', code: 'missing_or_invalid_token', details }))
  expect(await failure(api.call(apiRoutes.me))).toMatchObject({ code: 'missing_or_invalid_token' })
  expect(replaced).toEqual([])
  expect(server.received).toHaveLength(1)
})

test("rejects with the server's error if the session is over", async () => {
  const { api } = setUp(null)
  server.answers.push(refusal)
  expect(await failure(api.call(apiRoutes.me))).toMatchObject({
    code: 'missing_or_invalid_token',
    details: { status: 401 },
  })
})

test('renews nothing for routes that change the session themselves', async () => {
  const { api, replaced } = setUp('new')
  server.answers.push(refusal, refusal, refusal)
  await failure(api.call(apiRoutes.refreshSession, {}))
  await failure(api.call(apiRoutes.recoverFork, { refreshToken: 'fork' }))
  await failure(api.call(apiRoutes.logout, {}))
  expect(replaced).toEqual([])
  expect(server.received).toHaveLength(3)
})

test('aborts the call and its refreshes if the caller aborts', async () => {
  const { api, signals } = setUp('new')
  const caller = new AbortController()
  server.answers.push(refusal, never)
  const asked = failure(api.call(apiRoutes.me, undefined, caller))
  await server.until(() => server.received.length === 2)
  const gone = new LatchkeyError('call_cancelled', 'Gone')
  caller.abort(gone)
  expect(await asked).toBe(gone)
  expect(signals).toEqual([caller.signal, caller.signal])
})
