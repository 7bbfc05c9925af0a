import { keepsName, LatchkeyError } from '@latchkey/protocol'
import type { Routes } from '@latchkey/protocol/api'
import { apiDoc } from '@latchkey/protocol/api/doc'
import { Hono } from 'hono'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { connectionLost } from '../db/failures.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { siteForHost } from './addresses/sites.ts'
import { type Endpoint, endpoint, replayedEndpoint } from './endpoint.ts'
import { errorResponse, toLatchkeyError } from './failures.ts'
import { type HttpEnv, mountEndpoints } from './mount.ts'
import { createRateLimit } from './rate-limit.ts'
import { hasStatus, statusForCode } from './statuses.ts'
import { createWaits } from './waits.ts'

const dialogOrigin = 'http://dialog.localhost:4000'
const ok = v.object({ success: v.literal(true) })
const row = {
  method: 'POST',
  auth: 'none',
  forks: true,
  effect: 'changes',
  appHeader: true,
} as const
const routes = {
  echo: {
    ...row,
    path: '/echo',
    body: v.object({
      someText: v.string(),
      phoneNumber: v.exactOptional(v.pipe(v.string(), keepsName())),
      items: v.exactOptional(v.array(v.object({ someNumber: v.number() }))),
    }),
    output: v.object({ someText: v.string(), phoneNumber: v.exactOptional(v.pipe(v.string(), keepsName())) }),
  },
  count: {
    ...row,
    appHeader: false,
    path: '/count',
    body: v.object({}),
    headers: v.object({ 'x-shelf': v.picklist(['a', 'b']) }),
    output: v.object({ shelf: v.string(), turn: v.number() }),
  },
  once: {
    ...row,
    path: '/once',
    effect: 'changes, replayed',
    body: v.object({}),
    output: v.object({ turn: v.number() }),
  },
  slow: {
    ...row,
    path: '/slow',
    effect: 'changes, replayed',
    body: v.object({}),
    output: v.object({ turn: v.number() }),
  },
  fail: { ...row, path: '/fail', body: v.object({ kind: v.string() }), output: ok },
} as const satisfies Routes

const failures: Readonly<Record<string, () => unknown>> = {
  known: () => new LatchkeyError('embedded_wallet_not_found', 'There is no wallet'),
  paced: () => new LatchkeyError('too_many_requests', 'Slow down', { retryAfterSeconds: 12.2 }),
  bug: () => new TypeError('secret value 123456'),
  busy: () => Object.assign(new Error('secret'), { code: '40001' }),
  refused: () => connectionLost(new Error('connect ECONNREFUSED')),
}

let counted = 0
/** The third party of the slow call. */
let outside = { asked: Promise.withResolvers<void>(), answer: Promise.withResolvers<number>() }
const endpoints: readonly Endpoint[] = [
  endpoint(routes.count, ({ headers }) => {
    counted += 1
    return { shelf: headers['x-shelf'], turn: counted }
  }),
  endpoint(routes.echo, ({ body }) => body),
  replayedEndpoint(routes.once, {
    decide: async () => {
      counted += 1
      return { turn: counted }
    },
    render: (outcome) => outcome,
  }),
  replayedEndpoint(routes.slow, {
    ask: {
      repeatable: true,
      run: () => {
        outside.asked.resolve()
        return outside.answer.promise
      },
    },
    decide: async (_trx, _call, _context, { answer }) => ({ turn: answer }),
    render: (outcome) => outcome,
  }),
  endpoint(routes.fail, ({ body }) => {
    throw failures[body.kind]?.()
  }),
]

const streamOf = (pieces: readonly Uint8Array[]) =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

forEachEngine((database) => {
  const open = async () => {
    const context = await testContext(database())
    const app = await testApp(context)
    const pace = createRateLimit(context)
    const hono = new Hono<HttpEnv>()
    const patterns: string[] = []
    hono.use(async (http, next) => {
      http.set('site', siteForHost(http.req.header('host'), context.config))
      await next()
      patterns.push(http.get('pattern'))
    })
    hono.onError((error, http) => errorResponse(http, toLatchkeyError(error)))
    mountEndpoints(hono, context, pace, createWaits(pace), endpoints)

    type Ask = {
      headers?: Readonly<Record<string, string | undefined>>
      /** Complete text, or chunks. */
      body?: string | readonly Uint8Array[] | ReadableStream
      from?: string
    }
    const ask = async (method: string, path: string, { headers = {}, body, from }: Ask = {}) => {
      const all = {
        host: 'dialog.localhost:4000',
        origin: method === 'GET' ? undefined : dialogOrigin,
        'latchkey-app-id': app.id,
        'content-type': method === 'GET' ? undefined : 'application/json',
        'content-length': typeof body === 'string' ? String(Buffer.byteLength(body)) : undefined,
        ...headers,
      }
      const sent = new Headers()
      for (const [name, value] of Object.entries(all)) if (value !== undefined) sent.set(name, value)
      const pieces = typeof body === 'string' ? [Buffer.from(body)] : body
      const stream = pieces instanceof ReadableStream ? pieces : pieces && streamOf(pieces)
      const init = { method, headers: sent, ...(stream && { body: stream, duplex: 'half' }) }
      const socket = { remoteAddress: from ?? '127.0.0.1' }
      const answer = await hono.request(`http://dialog.localhost:4000/api/v1${path}`, init, {
        incoming: { socket },
      })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    }
    const post = (path: string, value: unknown, headers: Ask['headers'] = {}, from?: string) =>
      ask('POST', path, { body: JSON.stringify(value), headers, ...(from !== undefined && { from }) })
    return { context, app, ask, post, patterns }
  }

  test('converts names to snake case except for those that keep theirs', async () => {
    const { post } = await open()
    const sent = { some_text: 'a', phoneNumber: '+1', unknown: 1 }
    expect((await post('/echo', sent)).body).toEqual({ some_text: 'a', phoneNumber: '+1' })
  })

  test.each([
    [{}, 'some_text'],
    [{ some_text: 1 }, 'some_text'],
    [{ some_text: 'a', phoneNumber: 1 }, 'phoneNumber'],
    [{ some_text: 'a', items: [{ some_number: 1 }, { some_number: 'x' }] }, 'items.1.some_number'],
    ['a text', ''],
    [null, ''],
    [[], ''],
    [[1, 2], ''],
    [{ some_text: 'a', items: [[]] }, 'items.0'],
  ])('%j is rejected with the path %j in wire names', async (sent, path) => {
    const { post } = await open()
    const { status, body } = await post('/echo', sent)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'invalid_data', details: { path } })
  })

  // A rejected call must stay cheap: no app lookup and no body read.
  test('checks the rate limit of the address before anything else', async () => {
    const { context, ask, post } = await open()
    const from = '203.0.113.9'
    const unknown = { 'latchkey-app-id': 'x'.repeat(25) }
    expect((await ask('POST', '/echo', { headers: unknown, body: '{}', from })).status).toBe(400)
    const elsewhere = createRateLimit(context)
    for (let taken = 0; taken < 3_000; taken += 1) await elsewhere('changes', from).catch(() => {})
    const other = '203.0.113.10'
    const find = vi.spyOn(context.apps, 'find')
    for (let tries = 0; tries < 25; tries += 1)
      await ask('POST', '/echo', { headers: unknown, body: '{}', from })
    find.mockClear()
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(1_024)) })
    const refused = await ask('POST', '/echo', { headers: unknown, body: endless, from })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(find).not.toHaveBeenCalled()
    expect((await post('/echo', { some_text: 'a' }, {}, other)).status).toBe(200)
  })

  test('a retry that waits for the first call counts as an open call', async () => {
    const { context, post } = await open()
    outside = { asked: Promise.withResolvers(), answer: Promise.withResolvers() }
    const headers = { 'latchkey-request-id': 'the-same-request' }
    const waits = () =>
      context.db.selectFrom('attempts').select('count').where('key', 'like', 'address-waits|%').execute()
    const first = post('/slow', {}, headers, '203.0.113.9')
    await outside.asked.promise
    expect(await waits()).toEqual([])
    const twin = post('/slow', {}, headers, '203.0.113.9')
    await vi.waitFor(async () => expect(await waits()).toEqual([{ count: 20 }]))
    outside.answer.resolve(7)
    expect([(await first).body, (await twin).body]).toEqual([{ turn: 7 }, { turn: 7 }])
  })

  test('rejects a list as a body, even if no field is required', async () => {
    const { post } = await open()
    const headers = { 'x-shelf': 'a' }
    expect(await post('/count', [], headers)).toMatchObject({ status: 422, body: { code: 'invalid_data' } })
    expect(await post('/count', {}, headers)).toMatchObject({ status: 200 })
  })

  test('does not quote rejected values', async () => {
    const { post } = await open()
    const missing = await post('/echo', {})
    expect(missing.body.error).toBe('Something is missing')
    const wrong = await post('/echo', { some_text: 1 })
    expect(wrong.body.error).toBe('Something is not as it should be')
    const { body } = await post('/echo', { some_text: { password: 'hunter2' } })
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  test('rejects a body that is not JSON', async () => {
    const { ask } = await open()
    for (const body of ['{', undefined]) {
      expect(await ask('POST', '/echo', body === undefined ? {} : { body })).toMatchObject({
        status: 422,
        body: { code: 'invalid_data', error: 'The body is not JSON', details: { path: '' } },
      })
    }
  })

  test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'rejects the media type %s',
    async (type) => {
      const { post } = await open()
      const { status, body } = await post('/echo', { some_text: 'a' }, { 'content-type': type })
      expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
    },
  )

  test('an interrupted body is no server error, with or without a content length', async () => {
    const { ask } = await open()
    for (const length of ['200', undefined]) {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('{')),
        pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
      })
      expect(await ask('POST', '/echo', { body, headers: { 'content-length': length } })).toMatchObject({
        status: 422,
        body: { code: 'invalid_data', error: 'The body is incomplete', details: { path: '' } },
      })
    }
  })

  test('rejects a body over the limit, with or without a content length', async () => {
    const { ask } = await open()
    const body = JSON.stringify({ some_text: 'a'.repeat(256 * 1024) })
    expect((await ask('POST', '/echo', { body })).status).toBe(413)
    expect((await ask('POST', '/echo', { body, headers: { 'content-length': undefined } })).status).toBe(413)
    const fits = JSON.stringify({ some_text: 'é'.repeat(100) })
    expect(
      (await ask('POST', '/echo', { body: fits, headers: { 'content-length': undefined } })).body,
    ).toEqual({
      some_text: 'é'.repeat(100),
    })
  })

  test('decodes a character that is split between two chunks', async () => {
    const { ask } = await open()
    const whole = Buffer.from(JSON.stringify({ some_text: 'é' }))
    const cut = whole.indexOf(0xc3) + 1
    const { body } = await ask('POST', '/echo', { body: [whole.subarray(0, cut), whole.subarray(cut)] })
    expect(body).toEqual({ some_text: 'é' })
  })

  test('the dialog page and the wallet frame may make changes', async () => {
    const { post } = await open()
    for (const origin of [dialogOrigin, 'http://wallet.localhost:4000']) {
      expect((await post('/echo', { some_text: 'a' }, { origin })).status).toBe(200)
    }
  })

  test('reads the headers of a route, and ignores the request id without an app', async () => {
    const { post, patterns } = await open()
    const headers = { 'x-shelf': 'b', 'latchkey-request-id': 'the-same-one' }
    const first = await post('/count', {}, headers)
    expect(first).toMatchObject({ status: 200, body: { shelf: 'b' } })
    expect((await post('/count', {}, headers)).body.turn).toBe(first.body.turn + 1)
    expect(await post('/count', {}, { 'x-shelf': 'c' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_data', details: { path: 'x-shelf' } },
    })
    expect(patterns).toEqual(['/api/v1/count', '/api/v1/count', '/api/v1/count'])
  })

  test('runs a repeated call once with a request id, and each time without', async () => {
    const { post } = await open()
    const turn = async (headers: Readonly<Record<string, string>>) =>
      (await post('/once', {}, headers)).body.turn
    const first = await turn({ 'latchkey-request-id': 'the-same-one' })
    expect(await turn({ 'latchkey-request-id': 'the-same-one' })).toBe(first)
    const without = await turn({})
    expect(await turn({})).toBe(without + 1)
  })

  test.each([
    [undefined, 'missing_origin'],
    ['null', 'invalid_origin'],
    ['http://demo.localhost:4010', 'invalid_origin'],
    ['http://dialog.localhost', 'invalid_origin'],
    ['https://dialog.localhost:4000', 'invalid_origin'],
    [`${dialogOrigin}/`, 'invalid_origin'],
    [`${dialogOrigin}.evil.example`, 'invalid_origin'],
  ])('rejects a changing call from the origin %s', async (origin, code) => {
    const { post } = await open()
    const { status, body } = await post('/echo', { some_text: 'a' }, { origin })
    expect([status, body.code]).toEqual([403, code])
  })

  test.each([undefined, '', 'a'.repeat(24), 'a'.repeat(26), 'a'.repeat(25), "' or 1=1 --aaaaaaaaaaaaaa"])(
    'rejects the app id %s',
    async (id) => {
      const { post } = await open()
      const { status, body } = await post('/echo', { some_text: 'a' }, { 'latchkey-app-id': id })
      expect([status, body.code]).toEqual([400, 'missing_or_invalid_latchkey_app_id'])
    },
  )

  test('accepts a login binding of at most 4096 characters', async () => {
    const { post } = await open()
    const bound = (length: number) =>
      post('/echo', { some_text: 'a' }, { 'latchkey-login-binding': 'b'.repeat(length) })
    expect((await bound(4_096)).status).toBe(200)
    expect(await bound(4_097)).toMatchObject({
      status: 422,
      body: { code: 'invalid_data', details: { path: 'latchkey-login-binding' } },
    })
  })

  test.each(['short', 'i'.repeat(65), 'has space', 'has/slash', '*star-first'])(
    'rejects the request id %j',
    async (id) => {
      const { post } = await open()
      expect(await post('/echo', { some_text: 'a' }, { 'latchkey-request-id': id })).toMatchObject({
        status: 422,
        body: { code: 'invalid_data', details: { path: 'latchkey-request-id' } },
      })
      expect(
        (await post('/echo', { some_text: 'a' }, { 'latchkey-request-id': 'i'.repeat(64) })).status,
      ).toBe(200)
    },
  )

  test('responses are not cached, and bodies may have exactly the maximum size', async () => {
    const { post, ask } = await open()
    expect((await post('/echo', { some_text: 'a' })).headers.get('cache-control')).toBe('no-store')
    const whole = (bytes: number) => JSON.stringify({ some_text: 'a'.repeat(bytes - 16) })
    expect(Buffer.byteLength(whole(256 * 1024))).toBe(256 * 1024)
    for (const headers of [{}, { 'content-length': undefined }]) {
      expect((await ask('POST', '/echo', { body: whole(256 * 1024), headers })).status).toBe(200)
      expect((await ask('POST', '/echo', { body: whole(256 * 1024 + 1), headers })).status).toBe(413)
    }
  })

  test('known failures return code and message, unknown ones reveal nothing', async () => {
    const { post } = await open()
    const known = await post('/fail', { kind: 'known' })
    expect(known.headers.get('retry-after')).toBeNull()
    expect(known.body).toEqual({
      error: 'There is no wallet',
      code: 'embedded_wallet_not_found',
    })
    const paced = await post('/fail', { kind: 'paced' })
    expect([paced.status, paced.headers.get('retry-after')]).toEqual([429, '13'])
    const bug = await post('/fail', { kind: 'bug' })
    expect([bug.status, bug.body.code]).toEqual([500, 'internal_error'])
    expect(JSON.stringify(bug.body)).not.toContain('123456')
    for (const kind of ['busy', 'refused']) {
      const { status, body } = await post('/fail', { kind })
      expect([status, body.code]).toEqual([503, 'unavailable'])
    }
  })

  test('an app has its API on its custom hostname, and other apps do not', async () => {
    const { post, context, app } = await open()
    const own = { host: 'api.app.example' }
    expect((await post('/echo', { some_text: 'a' }, own)).status).toBe(404)
    await setFields(context.db, context.clock, app.id, [['custom_api_url', 'https://api.app.example']])
    context.clock.advanceSeconds(2)
    expect((await post('/echo', { some_text: 'a' }, own)).status).toBe(200)
    expect((await post('/echo', { some_text: 'a' }, { host: 'api.evil.example' })).status).toBe(404)
  })
})

test('keeps the cause of an error for the log', () => {
  for (const made of [new TypeError('a mistake of ours'), connectionLost(new Error('ECONNREFUSED'))]) {
    expect(toLatchkeyError(made).cause).toBe(made)
  }
})

test('every documented error code has a status', () => {
  const codes = Object.values(apiDoc).flatMap(({ errors }) => [...errors])
  for (const code of new Set(codes)) expect(hasStatus(code), code).toBe(true)
})

test('the browser retries only server errors and timeouts', () => {
  const retried: readonly number[] = [408, 409, 425, 500, 502, 503, 504]
  const codes = ['internal_error', 'unavailable', 'email_not_sent', 'client_request_timeout'] as const
  for (const code of codes) expect(retried).toContain(statusForCode(code))
  expect(retried).not.toContain(statusForCode('invalid_credentials'))
  expect(retried).not.toContain(statusForCode('too_many_requests'))
})

test('the browser retries a call in progress, but not one with an unknown outcome', () => {
  expect(statusForCode('request_in_progress')).toBe(425)
  expect(statusForCode('outcome_unknown')).toBe(400)
})
