import { LatchkeyError } from '@latchkey/protocol'
import { apiRoutes } from '@latchkey/protocol/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Language } from '../i18n/languages.ts'
import {
  type ApiServer,
  cut,
  failure,
  json,
  never,
  openApiServer,
  type Received,
  wireAuth,
  wireUser,
} from '../testing/api-server.ts'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { appId, visitorUser } from '../testing/fixtures.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.stop())

const requestIds = (received: readonly Received[]) =>
  received.map((call) => call.headers['latchkey-request-id'])

test('sends the headers of the app, client, browser and request', async () => {
  server.answers.push(json(200, { success: true }))
  await server.sendCode()
  const [call] = server.received
  expect(call?.path).toBe('/api/v1/passwordless/init')
  expect(call?.headers).toMatchObject({
    'latchkey-app-id': appId,
    'latchkey-client': expect.stringMatching(/^dialog-app:\d+\.\d+\.\d+$/),
    'latchkey-ca-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'latchkey-request-id': expect.stringMatching(/^.{8,}$/),
    'latchkey-login-binding': expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    'content-type': 'application/json',
  })
})

test('sends the language of the dialog, not of the browser', async () => {
  let language: Language = 'en'
  server.stop()
  server = await openApiServer({ language: () => language })
  server.answers.push(json(200, { success: true }), json(200, { success: true }))
  await server.sendCode()
  language = 'ar'
  await server.sendCode()
  expect(server.received.map((call) => call.headers['accept-language'])).toEqual(['en', 'ar'])
})

test('sends the extra headers of the call, and no others', async () => {
  const pending = { state: 'pending', nonce: 'abcdefgh' }
  server.answers.push(json(200, pending), json(200, pending))
  const headers = { 'farcaster-channel-token': 'channel-1' }
  await server.transport.send(apiRoutes.farcasterStatus, undefined, { token: null, headers })
  await server.transport.send(apiRoutes.farcasterStatus, undefined, { token: null })
  expect(server.received.map((call) => call.headers['farcaster-channel-token'])).toEqual([
    'channel-1',
    undefined,
  ])
})

test('sends the query with its values unchanged', async () => {
  server.answers.push(json(200, { activity: [], next: null }), json(200, { activity: [], next: null }))
  const query = { before: '1767225600.a_b-c&d' }
  await server.transport.send(apiRoutes.activity, undefined, { token: null, query })
  await server.transport.send(apiRoutes.activity, undefined, { token: null })
  expect(server.received.map(({ path }) => path)).toEqual([
    '/api/v1/users/me/activity?before=1767225600.a_b-c%26d',
    '/api/v1/users/me/activity',
  ])
})

// spec L7.1
test('sends a bearer only with a token', async () => {
  server.answers.push(json(200, wireUser), json(200, wireUser))
  await server.transport.send(apiRoutes.me, undefined, { token: 'abc' })
  await server.transport.send(apiRoutes.me, undefined, { token: null })
  expect(server.received.map((call) => call.headers.authorization)).toEqual(['Bearer abc', undefined])
})

// spec L3.7
test('uses snake_case on the wire and camelCase in code', async () => {
  server.answers.push(json(200, { ...wireAuth, session_update_action: 'set' }))
  const answer = await server.transport.send(
    apiRoutes.loginWithEmailCode,
    { email: ' ADA@example.org ', code: ' 123456 ' },
    { token: null },
  )
  expect(JSON.parse(server.received[0]?.text ?? '')).toEqual({ email: 'ada@example.org', code: '123456' })
  expect(answer).toMatchObject({ isNewUser: true, refreshToken: 'r', sessionUpdateAction: 'set' })
  expect(answer.user).toEqual(visitorUser)
})

describe('retry', () => {
  // spec L7.2
  test('waits three times as long as before, three times', async () => {
    const down = json(503, {})
    server.answers.push(down, down, down, json(503, { error: 'Down', code: 'unavailable' }))
    const failed = failure(server.sendCode())
    await server.retryAfter(500)
    await server.retryAfter(1_500)
    await server.retryAfter(4_500)
    expect(await failed).toMatchObject({ code: 'unavailable', message: 'Down', details: { status: 503 } })
    expect(server.received).toHaveLength(4)
  })

  test.each([408, 409, 425, 500, 502, 503, 504])(
    'follows status %i, with the same request id',
    async (status) => {
      server.answers.push(json(status, {}), json(200, { success: true }))
      const sent = server.sendCode()
      await server.retryAfter(500)
      await sent
      const [first, second] = requestIds(server.received)
      expect(second).toBe(first)
    },
  )

  test.each([400, 401, 403, 404, 422, 429])('does not follow status %i', async (status) => {
    server.answers.push(json(status, { error: 'No', code: 'too_many_requests' }))
    expect(await failure(server.sendCode())).toMatchObject({ code: 'too_many_requests', details: { status } })
    expect(server.received).toHaveLength(1)
  })

  test('requests a lost response under its request id', async () => {
    server.answers.push(cut, json(200, { success: true }))
    const sent = server.sendCode()
    await server.retryAfter(500)
    await expect(sent).resolves.toEqual({ success: true })
    const [first, second] = requestIds(server.received)
    expect(second).toBe(first)
  })

  test('waits for Retry-After if that is longer', async () => {
    const busy = (seconds: string) => json(503, {}, { 'retry-after': seconds })
    server.answers.push(busy('7'), busy('1'), json(200, { success: true }))
    const sent = server.sendCode()
    await server.retryAfter(7_000)
    await server.retryAfter(1_500)
    await expect(sent).resolves.toEqual({ success: true })
  })

  test('is skipped if the server asks for more than 20 s', async () => {
    server.answers.push(json(503, {}, { 'retry-after': '21' }))
    expect(await failure(server.sendCode())).toMatchObject({ code: 'unavailable', retryAfterSeconds: 21 })
    expect(server.received).toHaveLength(1)
  })
})

test('rejects with server_unreachable if the server stays unreachable', async () => {
  server.answers.push(cut, cut, cut, cut)
  const failed = failure(server.sendCode())
  for (const delayMs of [500, 1_500, 4_500]) await server.retryAfter(delayMs)
  expect(await failed).toMatchObject({ code: 'server_unreachable' })
})

// spec L9.1, L7.3
test('aborts a request without a response after 20 s, retries, and rejects with a timeout', async () => {
  const { answers, clock, received, until } = server
  answers.push(never, never, never, never)
  const failed = failure(server.sendCode())
  for (const delayMs of [500, 1_500, 4_500]) {
    await until(() => clock.waiting().includes(20_000) && received.length > 0)
    const seen = received.length
    await clock.advance(20_000)
    await until(() => clock.waiting().includes(delayMs))
    expect(received).toHaveLength(seen)
    await server.retryAfter(delayMs)
  }
  await until(() => received.length === 4)
  await clock.advance(19_999)
  expect(clock.waiting()).toEqual([1])
  await clock.advance(1)
  expect(await failed).toMatchObject({ code: 'client_request_timeout' })
})

test('passes on unknown codes, replaces invalid ones by status, and keeps the text', async () => {
  server.answers.push(
    json(422, { message: 'Not yet', code: 'brand_new' }),
    json(422, { message: 'Not like this', code: 'E-MAIL' }, { 'retry-after': '7' }),
    json(425, {}, { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
  )
  expect(await failure(server.sendCode())).toMatchObject({ code: 'brand_new', message: 'Not yet' })
  expect(await failure(server.sendCode())).toMatchObject({
    code: 'invalid_data',
    message: 'Not like this',
    retryAfterSeconds: 7,
    details: { status: 422, type: 'ApiError' },
  })
  const once = { token: null, retries: 0 }
  const inProgress = await failure(
    server.transport.send(apiRoutes.sendEmailCode, { email: 'ada@example.org' }, once),
  )
  expect(inProgress).toMatchObject({ code: 'request_in_progress', retryAfterSeconds: undefined })
})

test('does not send data that the server would refuse', async () => {
  const failed = failure(server.transport.send(apiRoutes.sendEmailCode, { email: 'nobody' }, { token: null }))
  expect(await failed).toMatchObject({ code: 'invalid_data', details: { path: 'email' } })
  expect(server.received).toHaveLength(0)
})

test('rejects a response that does not parse', async () => {
  server.answers.push(json(200, { success: 'yes' }))
  expect(await failure(server.sendCode())).toMatchObject({ code: 'invalid_answer' })
})

describe('aborted caller', () => {
  const email = { email: 'ada@example.org' }
  const gone = new LatchkeyError('call_cancelled', 'The host took the call back')

  test('stops between two attempts without another request', async () => {
    const { answers, clock, received, transport, until } = server
    answers.push(json(503, {}), json(200, { success: true }))
    const caller = new AbortController()
    const sent = watch(transport.send(apiRoutes.sendEmailCode, email, { token: null, signal: caller.signal }))
    await until(() => clock.waiting().includes(500))
    caller.abort(gone)
    await settle()
    expect(sent.error).toBe(gone)
    expect(clock.waiting()).toEqual([])
    await clock.advance(60_000)
    expect(received).toHaveLength(1)
  })

  test.each([0, 3])('ends the running request and its %i retries', async (retries) => {
    const { answers, clock, received, transport, until } = server
    let closed = false
    answers.push((response) => {
      response.on('close', () => {
        closed = true
      })
    })
    const caller = new AbortController()
    const sending = { token: null, signal: caller.signal, retries }
    const sent = failure(transport.send(apiRoutes.sendEmailCode, email, sending))
    await until(() => received.length === 1)
    caller.abort(gone)
    expect(await sent).toBe(gone)
    await until(() => closed)
    expect(clock.waiting()).toEqual([])
    expect(received).toHaveLength(1)
  })

  test('lets a running attempt finish if requested, without another attempt', async () => {
    const { answers, clock, received, transport, until } = server
    const answer = Promise.withResolvers<void>()
    answers.push((...call) => void answer.promise.then(() => json(200, { success: true })(...call)))
    const caller = new AbortController()
    const sending = { token: null, signal: caller.signal, heardOut: true }
    const heard = transport.send(apiRoutes.sendEmailCode, email, sending)
    await until(() => received.length === 1)
    caller.abort(gone)
    answer.resolve()
    expect(await heard).toEqual({ success: true })

    answers.push(json(503, {}), json(200, { success: true }))
    const next = new AbortController()
    const sent = watch(transport.send(apiRoutes.sendEmailCode, email, { ...sending, signal: next.signal }))
    await until(() => clock.waiting().includes(500))
    next.abort(gone)
    await settle()
    expect(sent.error).toBe(gone)
    await clock.advance(60_000)
    expect(received).toHaveLength(2)
  })

  test('sends nothing if it aborted before the call', async () => {
    const sending = { token: null, signal: AbortSignal.abort(gone) }
    expect(await failure(server.transport.send(apiRoutes.sendEmailCode, email, sending))).toBe(gone)
    expect(server.received).toHaveLength(0)
  })

  test('does not wait for a slow proof', async () => {
    const keys = { load: () => new Promise<CryptoKeyPair>(() => {}), atHand: () => undefined }
    const slow = await openApiServer({ keys })
    const caller = new AbortController()
    const sent = failure(
      slow.transport.send(apiRoutes.me, undefined, { token: 'abc', signal: caller.signal }),
    )
    await settle()
    caller.abort(gone)
    expect(await sent).toBe(gone)
    expect(slow.received).toHaveLength(0)
    slow.stop()
  })
})
