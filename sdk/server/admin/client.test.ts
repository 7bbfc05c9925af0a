import { describe, expect, test } from 'vitest'
import { createAdminClient } from './client.ts'
import { LatchkeyAdminError } from './errors.ts'

type Sent = { method: string; url: string; headers: Record<string, string>; body: unknown }
type Reply = (sent: Sent) => Response | Error

const app = 'a'.repeat(25)
const json = (body: object, init: ResponseInit = {}) => Response.json(body, init)
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  json({ title: 'A title', detail: 'A detail', code, status, request_id: 'r1' }, { status, headers })

/** A client whose calls get these replies in turn, the last one repeatedly. */
function clientWith(...replies: Reply[]) {
  const sent: Sent[] = []
  const pauses: number[] = []
  const admin = createAdminClient({
    url: 'http://127.0.0.1:4100',
    key: 'lk_test',
    sleep: async (ms) => void pauses.push(ms),
    fetch: async (url, { method = '', headers, body } = {}) => {
      const call = {
        method,
        url: String(url),
        headers: headers as Record<string, string>,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
      }
      const reply = replies[Math.min(sent.length, replies.length - 1)]?.(call) ?? new Error('no reply')
      sent.push(call)
      if (reply instanceof Error) throw reply
      return reply
    },
  })
  return { admin, sent, pauses }
}

test('sends the key, the path, the query and the body', async () => {
  const { admin, sent } = clientWith(() => json({ data: [] }))
  await admin.findUsers(app, { email: 'ada+x@example.com' })
  await admin.searchUsers(app, { prefix: 'ada', kinds: ['email'] })
  expect(sent[0]).toMatchObject({
    method: 'GET',
    url: `http://127.0.0.1:4100/admin/v1/apps/${app}/users?email=ada%2Bx%40example.com`,
    headers: { authorization: 'Bearer lk_test' },
  })
  expect(sent[1]).toMatchObject({
    method: 'POST',
    url: `http://127.0.0.1:4100/admin/v1/apps/${app}/users/search`,
    body: { prefix: 'ada', kinds: ['email'] },
  })
  expect(sent[0]?.headers['idempotency-key']).toBeUndefined()
})

test('iterates over all pages, and stops requesting when the loop ends', async () => {
  const pages: Reply[] = [
    () => json({ data: [{ id: '1' }, { id: '2' }], next: 'two' }),
    () => json({ data: [{ id: '3' }], next: null }),
  ]
  const { admin, sent } = clientWith(...pages)
  const ids: string[] = []
  for await (const user of admin.listUsers(app, { limit: 2, blocked: true })) ids.push(user.id)
  expect(ids).toEqual(['1', '2', '3'])
  expect(sent.map(({ url }) => new URL(url).search)).toEqual([
    '?limit=2&blocked=true',
    '?limit=2&blocked=true&after=two',
  ])
  const other = clientWith(...pages)
  for await (const user of other.admin.listUsers(app)) if (user.id === '1') break
  expect(other.sent).toHaveLength(1)
})

describe('a retry', () => {
  test('of a change has the same idempotency key', async () => {
    const { admin, sent, pauses } = clientWith(
      () => new TypeError('fetch failed'),
      () => problem(503, 'unavailable', { 'retry-after': '2' }),
      () => json({ id: 'u', blocked: true, sessions_ended: 1 }),
    )
    expect(await admin.blockUser(app, 'u', { reason: 'spam' })).toMatchObject({ blocked: true })
    const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']))
    expect([sent.length, keys.size]).toEqual([3, 1])
    expect([...keys][0]).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
    expect(pauses[0]).toBeGreaterThanOrEqual(125)
    expect(pauses[0]).toBeLessThanOrEqual(250)
    expect(pauses[1]).toBe(2_000)
  })

  test('ends after four attempts', async () => {
    const { admin, sent } = clientWith(() => new TypeError('fetch failed'))
    await expect(admin.getUser(app, 'u')).rejects.toMatchObject({ code: 'unreachable', status: 0 })
    expect(sent).toHaveLength(4)
  })

  test.each([
    [400, 'invalid_data'],
    [401, 'missing_or_invalid_key'],
    [409, 'already_blocked'],
    [500, 'internal_error'],
  ])('is not made for the status %i', async (status, code) => {
    const { admin, sent } = clientWith(() => problem(status, code))
    const failure = await admin.blockUser(app, 'u').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(LatchkeyAdminError)
    expect(failure).toMatchObject({ code, status, requestId: 'r1', message: 'A title: A detail' })
    expect(sent).toHaveLength(1)
  })

  test('is not made if the server asks for more than a minute', async () => {
    const { admin, sent } = clientWith(() => problem(429, 'too_many_requests', { 'retry-after': '61' }))
    await expect(admin.listSessions(app, 'u')).rejects.toMatchObject({ code: 'too_many_requests' })
    expect(sent).toHaveLength(1)
  })

  test('is not made after the caller aborted', async () => {
    const aborted = new AbortController()
    const { admin, sent } = clientWith(() => {
      aborted.abort(new Error('enough'))
      return new TypeError('fetch failed')
    })
    await expect(admin.endSessions(app, 'u', { signal: aborted.signal })).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })
})

test('passes the etag of a user to a change', async () => {
  const { admin, sent } = clientWith(
    () => json({ id: 'u' }, { headers: { etag: '"e1"' } }),
    () => json({ id: 'u' }),
  )
  const { etag } = await admin.getUser(app, 'u')
  await admin.deleteUser(app, 'u', {
    ...(etag !== undefined && { ifMatch: etag }),
    idempotencyKey: 'request-1',
  })
  expect(sent[1]?.headers).toMatchObject({ 'if-match': '"e1"', 'idempotency-key': 'request-1' })
})

test.each(['', '..', 'a/b', 'a?b', 'ä'])('sends no call for the id %j', async (id) => {
  const { admin, sent } = clientWith(() => json({}))
  await expect(admin.deleteUser(app, id)).rejects.toThrow('is no id of a user')
  expect(sent).toEqual([])
})

describe('the audit log', () => {
  const lines = (...sequences: number[]) => sequences.map((sequence) => `{"sequence":${sequence}}\n`).join('')

  test('is listed in pages', async () => {
    const { admin, sent } = clientWith(
      () => json({ data: [{ sequence: 2 }], next: '2' }),
      () => json({ data: [{ sequence: 1 }], next: null }),
    )
    const sequences: number[] = []
    for await (const { sequence } of admin.listAudit({ app, event: 'getUser' })) sequences.push(sequence)
    expect(sequences).toEqual([2, 1])
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      `?app=${app}&event=getUser`,
      `?app=${app}&event=getUser&after=2`,
    ])
  })

  test('is streamed, and a broken stream continues after the last complete line', async () => {
    const { admin, sent } = clientWith(
      () => new Response(`${lines(1, 2)}{"sequ`),
      () => problem(503, 'unavailable'),
      () => new Response(lines(3)),
    )
    const sequences: number[] = []
    for await (const { sequence } of admin.streamAudit({ app })) sequences.push(sequence)
    expect(sequences).toEqual([1, 2, 3])
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      `?app=${app}`,
      `?app=${app}&after=2`,
      `?app=${app}&after=2`,
    ])
  })

  test('is not streamed again after a refusal', async () => {
    const { admin, sent } = clientWith(() => problem(403, 'insufficient_scope'))
    await expect(admin.streamAudit().next()).rejects.toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    })
    expect(sent).toHaveLength(1)
  })
})

test('an import uploads parts, and its report continues after a lost connection', async () => {
  const { admin, sent } = clientWith(
    () => json({ id: 'imp_1' }),
    () => problem(503, 'unavailable'),
    () => json({ part: 2, records: 1, bytes: 3 }),
    () => json({ id: 'imp_1', state: 'running' }),
    () => new Response('{"line":1,"cursor":"1.1"}\n{"li'),
    () => new Response('{"line":2,"cursor":"1.2"}\n'),
  )
  const { imports } = admin
  const { id } = await imports.create({ app, source: 'privy', dry_run: true })
  await imports.uploadPart(id, 2, { content: '{}\n', type: 'application/x-ndjson', isGzip: true })
  await imports.start(id)
  const lines: number[] = []
  for await (const { line } of imports.readReport(id)) lines.push(line)
  expect(lines).toEqual([1, 2])
  const path = 'http://127.0.0.1:4100/admin/v1/imports'
  expect(sent.map(({ method, url }) => [method, url])).toEqual([
    ['POST', path],
    ['PUT', `${path}/imp_1/parts/2`],
    ['PUT', `${path}/imp_1/parts/2`],
    ['POST', `${path}/imp_1/start`],
    ['GET', `${path}/imp_1/report`],
    ['GET', `${path}/imp_1/report?after=1.1`],
  ])
  expect(sent[1]?.headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
  })
  expect(sent[1]?.headers['idempotency-key']).toBeUndefined()
})

test('an export continues after the last complete line', async () => {
  const { admin, sent } = clientWith(
    () => new Response('{"id":"usr_1","cursor":"one"}\n{"id":"us'),
    () => new Response('{"id":"usr_2","cursor":"two"}\n'),
  )
  const ids: string[] = []
  for await (const { id } of admin.exportUsers(app)) ids.push(id)
  expect(ids).toEqual(['usr_1', 'usr_2'])
  expect(sent.map(({ url }) => url)).toEqual([
    `http://127.0.0.1:4100/admin/v1/apps/${app}/export`,
    `http://127.0.0.1:4100/admin/v1/apps/${app}/export?after=one`,
  ])
})

describe('webhooks', () => {
  test('are created, replayed and tested by their calls', async () => {
    const { admin, sent } = clientWith(() => json({ id: 'whk_1' }))
    await admin.webhooks.create(app, { url: 'https://hooks.example', events: ['user.created'] })
    await admin.webhooks.replay(app, 'whk_1', { state: 'failed' })
    await admin.webhooks.rotateSecret(app, 'whk_1')
    await admin.webhooks.test(app, 'whk_1')
    const path = `http://127.0.0.1:4100/admin/v1/apps/${app}/webhooks`
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', path, { url: 'https://hooks.example', events: ['user.created'] }],
      ['POST', `${path}/whk_1/replay`, { state: 'failed' }],
      ['POST', `${path}/whk_1/secret/rotate`, {}],
      ['POST', `${path}/whk_1/test`, undefined],
    ])
    expect(sent.every(({ headers }) => headers['idempotency-key'] !== undefined)).toBe(true)
  })

  test('have pages of deliveries, and an etag for changes', async () => {
    const { admin, sent } = clientWith(
      () => json({ data: [{ id: 'msg_1' }], next: 'two' }),
      () => json({ data: [{ id: 'msg_2' }], next: null }),
      () => json({ id: 'whk_1' }, { headers: { etag: '"e1"' } }),
      () => json({ id: 'whk_1' }),
    )
    const ids: string[] = []
    for await (const { id } of admin.webhooks.listDeliveries(app, 'whk_1', { state: 'failed' })) ids.push(id)
    expect(ids).toEqual(['msg_1', 'msg_2'])
    expect(new URL(sent[1]?.url ?? '').search).toBe('?state=failed&after=two')
    const { etag = '' } = await admin.webhooks.get(app, 'whk_1')
    await admin.webhooks.update(app, 'whk_1', { state: 'paused' }, { ifMatch: etag })
    expect(sent[3]).toMatchObject({ method: 'PATCH', body: { state: 'paused' } })
    expect(sent[3]?.headers['if-match']).toBe('"e1"')
  })
})

test('messages are read, replaced, previewed, tested and reset by their calls', async () => {
  const { admin, sent } = clientWith(() => json({ kind: 'login_code' }, { headers: { etag: '"e1"' } }))
  const name = { kind: 'login_code', locale: 'en' } as const
  const words = { subject: 'Hi', heading: 'Hi', blocks: ['{{code}}'] }
  const { etag = '' } = await admin.messages.get(app, name)
  await admin.messages.set(app, name, words, { ifMatch: etag })
  await admin.messages.preview(app, name, words)
  await admin.messages.test(app, name, { ...words, to: 'ada@example.com' })
  await admin.messages.reset(app, name)
  const path = `http://127.0.0.1:4100/admin/v1/apps/${app}/messages/login_code/en`
  expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', path, undefined],
    ['PUT', path, words],
    ['POST', `${path}/preview`, words],
    ['POST', `${path}/test`, { ...words, to: 'ada@example.com' }],
    ['DELETE', path, undefined],
  ])
  expect(sent[1]?.headers['if-match']).toBe('"e1"')
})

test('proposals are created and decided by their calls', async () => {
  const { admin, sent } = clientWith(() => json({ id: 'prp_1' }))
  await admin.proposals.create(app, { settings: { frame_messages_per_day: null }, note: 'A game' })
  await admin.proposals.approve(app, 'prp_1')
  await admin.proposals.cancel(app, 'prp_1')
  await admin.proposals.apply(app, 'prp_1')
  const path = `http://127.0.0.1:4100/admin/v1/apps/${app}/proposals`
  expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', path, { settings: { frame_messages_per_day: null }, note: 'A game' }],
    ['POST', `${path}/prp_1/approve`, undefined],
    ['POST', `${path}/prp_1/cancel`, undefined],
    ['POST', `${path}/prp_1/apply`, undefined],
  ])
  expect(sent.every(({ headers }) => headers['idempotency-key'] !== undefined)).toBe(true)
})
