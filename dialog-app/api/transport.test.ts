import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiLimits, type LatchkeyError } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { browserRandom } from '../browser-ports.ts'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { appId, visitorUser } from '../testing/fixtures.ts'
import { makeFakeStore } from '../testing/storage.ts'
import { fromBase64url } from './base64url.ts'
import { readBrowserIds } from './browser-ids.ts'
import { createApi } from './client.ts'
import { createProofMaker, makeProofKeyPair } from './proof.ts'
import { createServerTime } from './server-time.ts'
import { createTransport, type Transport } from './transport.ts'

type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: unknown }
type Answer = (response: ServerResponse, call: Received) => void

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
/** The answer is lost on the network. */
const cut: Answer = (response) => void response.destroy()
const never: Answer = () => {}

const wireUser = {
  id: visitorUser.id,
  created_at: 1,
  linked_accounts: [
    {
      type: 'email',
      address: 'ada@example.org',
      verified_at: 1,
      first_verified_at: 1,
      latest_verified_at: 1,
    },
  ],
  mfa_methods: [],
  has_accepted_terms: false,
}
const wireAuth = { user: wireUser, token: 't', refresh_token: 'r', is_new_user: true }

let received: Received[]
let answers: Answer[]
let transport: Transport
let apiOrigin: string
let clock: ReturnType<typeof makeFakeClock>
let stop: () => void

beforeEach(async () => {
  received = []
  answers = []
  clock = makeFakeClock()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      // The test's time, unless the answer says another.
      response.setHeader('date', new Date(clock.nowMs()).toUTCString())
      const { method = '', url = '', headers } = request
      const call = { method, path: url, headers, body: text ? JSON.parse(text) : undefined }
      received.push(call)
      const answer = answers.shift() ?? json(500, { error: 'no answer left' })
      answer(response, call)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  apiOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = makeFakeStore()
  const keys = makeProofKeyPair()
  const serverTime = createServerTime({ appId, clock, store })
  transport = createTransport({
    appId,
    apiOrigin,
    credentials: 'same-origin',
    fetch,
    clock,
    serverTime,
    random: browserRandom,
    ids: readBrowserIds({ appId, store, random: browserRandom }),
    makeProof: createProofMaker({
      keys: { load: () => keys },
      nowMs: serverTime.nowMs,
      random: browserRandom,
    }),
  })
})
afterEach(() => stop())

const sendCode = () => transport.send('sendEmailCode', { email: 'ada@example.org' }, { token: null })
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error as LatchkeyError,
  )
/** Waits for real sockets, then for nothing more. */
async function until(isTrue: () => boolean) {
  while (!isTrue()) await settle()
}
/** Moves time to the next retry, which must be this far away. */
async function retryAfter(delayMs: number) {
  await until(() => clock.waiting().includes(delayMs))
  const before = received.length
  await clock.advance(delayMs)
  await until(() => received.length > before)
}

test('a call carries the headers of the app, the client, the browser and the request', async () => {
  answers = [json(200, { success: true })]
  await sendCode()
  expect(received[0]?.path).toBe('/api/v1/passwordless/init')
  expect(received[0]?.headers).toMatchObject({
    'latchkey-app-id': appId,
    'latchkey-client': expect.stringMatching(/^dialog-app:\d+\.\d+\.\d+$/),
    'latchkey-ca-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'latchkey-request-id': expect.stringMatching(/^.{8,}$/),
    'latchkey-login-binding': expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    'content-type': 'application/json',
  })
})

// spec L7.1
test('a bearer is sent when there is a token, and no such header when there is none', async () => {
  answers = [json(200, wireUser), json(200, wireUser)]
  await transport.send('me', undefined, { token: 'abc' })
  await transport.send('me', undefined, { token: null })
  expect(received.map((call) => call.headers.authorization)).toEqual(['Bearer abc', undefined])
})

// spec L3.7
test('names are snake_case on the wire and camelCase in code', async () => {
  answers = [json(200, { ...wireAuth, session_update_action: 'set' })]
  const answer = await transport.send(
    'loginWithEmailCode',
    { email: ' ADA@example.org ', code: ' 123456 ' },
    { token: null },
  )
  expect(received[0]?.body).toEqual({ email: 'ada@example.org', code: '123456' })
  expect(answer).toMatchObject({ isNewUser: true, refreshToken: 'r', sessionUpdateAction: 'set' })
  expect(answer.user).toEqual(visitorUser)
})

// spec L7.2
test('each retry waits three times as long as the one before, three times', async () => {
  answers = [json(503, {}), json(503, {}), json(503, {}), json(503, { error: 'Down', code: 'unavailable' })]
  const failed = failure(sendCode())
  await retryAfter(500)
  await retryAfter(1_500)
  await retryAfter(4_500)
  expect(await failed).toMatchObject({ code: 'unavailable', message: 'Down', details: { status: 503 } })
  expect(received).toHaveLength(4)
})

test.each(apiLimits.retriedStatuses)('status %i is tried again, with the same request id', async (status) => {
  answers = [json(status, {}), json(200, { success: true })]
  const sent = sendCode()
  await retryAfter(500)
  await sent
  const [first, second] = received.map((call) => call.headers['latchkey-request-id'])
  expect(second).toBe(first)
})

test.each([400, 401, 403, 404, 422, 429])('status %i is not tried again', async (status) => {
  answers = [json(status, { error: 'No', code: 'too_many_requests' })]
  expect(await failure(sendCode())).toMatchObject({ code: 'too_many_requests', details: { status } })
  expect(received).toHaveLength(1)
})

test('a lost answer is asked for again under its request id', async () => {
  answers = [cut, json(200, { success: true })]
  const sent = sendCode()
  await retryAfter(500)
  await expect(sent).resolves.toEqual({ success: true })
  const [first, second] = received.map((call) => call.headers['latchkey-request-id'])
  expect(second).toBe(first)
})

test('a server that stays unreachable is named so', async () => {
  answers = [cut, cut, cut, cut]
  const failed = failure(sendCode())
  for (const delayMs of [500, 1_500, 4_500]) await retryAfter(delayMs)
  expect(await failed).toMatchObject({ code: 'server_unreachable' })
})

// spec L9.1, L7.3
test('an answer that does not come in 20 s is aborted, retried, and then timed out', async () => {
  answers = [never, never, never, never]
  const failed = failure(sendCode())
  for (const delayMs of [500, 1_500, 4_500]) {
    await until(() => clock.waiting().includes(20_000) && received.length > 0)
    const seen = received.length
    await clock.advance(20_000)
    await until(() => clock.waiting().includes(delayMs))
    expect(received).toHaveLength(seen)
    await retryAfter(delayMs)
  }
  await until(() => received.length === 4)
  await clock.advance(19_999)
  expect(clock.waiting()).toEqual([1])
  await clock.advance(1)
  expect(await failed).toMatchObject({ code: 'client_request_timeout' })
})

test('a code that is unknown becomes one by its status, and the text stays', async () => {
  answers = [json(422, { message: 'Not like this', code: 'brand_new' }, { 'retry-after': '7' })]
  expect(await failure(sendCode())).toMatchObject({
    code: 'invalid_data',
    message: 'Not like this',
    details: { status: 422, type: 'ApiError', retryAfterSeconds: 7 },
  })
})

test('what the server would refuse is not sent', async () => {
  const failed = failure(transport.send('sendEmailCode', { email: 'nobody' }, { token: null }))
  expect(await failed).toMatchObject({ code: 'invalid_data', details: { path: 'email' } })
  expect(received).toHaveLength(0)
})

test('an answer that does not parse is refused', async () => {
  answers = [json(200, { success: 'yes' })]
  expect(await failure(sendCode())).toMatchObject({ code: 'invalid_answer' })
})

describe('the proof of possession', () => {
  const decode = (part = '') => JSON.parse(new TextDecoder().decode(fromBase64url(part)))

  test('is sent with what starts or renews a session, signed for that call', async () => {
    answers = [json(200, wireAuth), json(200, { success: true })]
    await transport.send('loginWithEmailCode', { email: 'ada@example.org', code: '123456' }, { token: null })
    await sendCode()
    const [login, init] = received.map((call) => call.headers.dpop)
    expect(init).toBeUndefined()
    const [header, payload, signature] = String(login).split('.')
    const { typ, alg, jwk } = decode(header)
    expect({ typ, alg }).toEqual({ typ: 'dpop+jwt', alg: 'ES256' })
    expect(jwk).not.toHaveProperty('d')
    expect(decode(payload)).toMatchObject({
      htm: 'POST',
      htu: `${apiOrigin}/api/v1/passwordless/authenticate`,
      iat: Math.floor(clock.nowMs() / 1_000),
      jti: expect.any(String),
    })
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['verify'])
    const signed = new TextEncoder().encode(`${header}.${payload}`)
    const bytes = Uint8Array.from(fromBase64url(signature ?? ''))
    expect(await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes, signed)).toBe(true)
  })

  test('is another one for each attempt', async () => {
    answers = [json(503, {}), json(200, wireAuth)]
    const sent = transport.send(
      'loginWithEmailCode',
      { email: 'ada@example.org', code: '123456' },
      { token: null },
    )
    await retryAfter(500)
    await sent
    const [first, second] = received.map((call) => decode(String(call.headers.dpop).split('.')[1]))
    expect(second.jti).not.toBe(first.jti)
    expect(second.iat).toBeGreaterThanOrEqual(first.iat)
  })

  test('is made again with the time of the server when the clock of this browser is wrong', async () => {
    const serverMs = clock.nowMs() + 3 * 3_600_000
    const date = { date: new Date(serverMs).toUTCString() }
    const refusal = { error: 'Old proof', code: 'missing_or_invalid_token' }
    answers = [json(401, refusal, date), json(200, wireAuth, date)]
    await transport.send('loginWithEmailCode', { email: 'ada@example.org', code: '123456' }, { token: null })
    const { iat } = decode(String(received[1]?.headers.dpop).split('.')[1])
    expect(Math.abs(iat - serverMs / 1_000)).toBeLessThan(2)
  })
})

describe('the client', () => {
  const refusal = json(401, { error: 'Expired', code: 'missing_or_invalid_token' })
  const tokens = (replacement: string | null) => {
    const replaced: string[] = []
    return {
      replaced,
      storedToken: () => 'old',
      activeToken: async () => 'old',
      async replaceToken(refusedToken: string) {
        replaced.push(refusedToken)
        return replacement
      },
    }
  }

  test('renews a refused token once and asks again', async () => {
    const source = tokens('new')
    answers = [refusal, json(200, wireUser)]
    await createApi({ transport, tokens: source }).call('me')
    expect(received.map((call) => call.headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
    expect(source.replaced).toEqual(['old'])
  })

  test('does not ask a third time', async () => {
    answers = [refusal, refusal]
    const failed = failure(createApi({ transport, tokens: tokens('new') }).call('me'))
    expect(await failed).toMatchObject({ code: 'missing_or_invalid_token' })
    expect(received).toHaveLength(2)
  })

  test('gives the refusal to the caller when the session is over', async () => {
    answers = [refusal]
    const failed = failure(createApi({ transport, tokens: tokens(null) }).call('me'))
    expect(await failed).toMatchObject({ code: 'missing_or_invalid_token', details: { status: 401 } })
  })

  test('never renews for the paths that change the session themselves', async () => {
    const source = tokens('new')
    const api = createApi({ transport, tokens: source })
    answers = [refusal, refusal, refusal]
    await failure(api.call('refreshSession', {}))
    await failure(api.call('recoverFork', { refreshToken: 'fork' }))
    await failure(api.call('logout', {}))
    expect(source.replaced).toEqual([])
    expect(received).toHaveLength(3)
  })
})
