/** The relay over a bare socket. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
})
afterAll(() => sandbox.stop())
const open: WebSocket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.close()
  await fault('none')
})

const fault = (walletconnect: string) =>
  fetch(`http://127.0.0.1:${new URL(sandbox.httpUrl).port}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletconnect }),
  })

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const base58 = (bytes: Uint8Array) => {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)] + text
  return text
}

const project = '0123456789abcdef0123456789abcdef'
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Creates a client token that is valid except for the given changes. */
function token(changed: object = {}, header: object = { alg: 'EdDSA', typ: 'JWT' }) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const iss = `did:key:z${base58(Buffer.concat([Buffer.from([0xed, 0x01]), key]))}`
  const iat = Math.floor(Date.now() / 1_000)
  const claims = { iss, sub: 'a'.repeat(64), aud: sandbox.relayUrl, iat, exp: iat + 86_400, ...changed }
  const signed = `${json(header)}.${json(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

type Reply = {
  id: number
  method?: string
  result?: unknown
  error?: { code: number }
  params?: { id: string; data: Readonly<Record<string, unknown>> }
}

async function connect(query: Readonly<Record<string, string>> = { projectId: project, auth: token() }) {
  const socket = new WebSocket(`${sandbox.relayUrl}/?${new URLSearchParams(query)}`)
  open.push(socket)
  const said: Reply[] = []
  const watching = new Set<() => void>()
  socket.addEventListener('message', ({ data }) => {
    said.push(JSON.parse(String(data)))
    for (const wake of watching) wake()
  })
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
  await new Promise((resolve) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', resolve)
  })
  const until = async (is: (one: Reply) => boolean): Promise<Reply> => {
    for (;;) {
      const found = said.find(is)
      if (found) return found
      await new Promise<void>((resolve) => watching.add(resolve))
    }
  }
  let id = 100
  const call = async (method: string, params: object) => {
    id += 1
    const own = id
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
    return until((one) => one.id === own && one.method === undefined)
  }
  return { socket, said, closed, until, call }
}

const topic = 'b'.repeat(64)
const publish = { topic, message: 'c2VjcmV0', ttl: 300, tag: 1100, prompt: false }

test('a message reaches the subscribers of its topic, with its publication time', async () => {
  const [app, wallet] = [await connect(), await connect()]
  const { result: id } = await wallet.call('irn_subscribe', { topic })
  expect(id).toMatch(/^[0-9a-f]{64}$/)
  expect((await app.call('irn_publish', publish)).result).toBe(true)
  const { params } = await wallet.until(({ method }) => method === 'irn_subscription')
  expect(params).toEqual({
    id,
    data: { topic, message: 'c2VjcmV0', tag: 1100, publishedAt: expect.any(Number) },
  })
  expect((await wallet.call('irn_unsubscribe', { topic, id })).result).toBe(true)
})

test('a waiting message is delivered on subscription or fetched, and only once', async () => {
  const [app, wallet] = [await connect(), await connect()]
  const [one, other] = ['1'.repeat(64), '2'.repeat(64)]
  await app.call('irn_batchPublish', {
    messages: [
      { ...publish, topic: one },
      { ...publish, topic: other },
    ],
  })
  const fetched = await wallet.call('irn_batchFetchMessages', { topics: [one] })
  expect(fetched.result).toMatchObject({ messages: [{ topic: one, message: 'c2VjcmV0' }], hasMore: false })
  expect((await wallet.call('irn_fetchMessages', { topic: one })).result).toEqual({
    messages: [],
    hasMore: false,
  })
  const { result } = await wallet.call('irn_batchSubscribe', { topics: [one, other] })
  expect(result).toHaveLength(2)
  expect(wallet.said.filter(({ method }) => method === 'irn_subscription')).toMatchObject([
    { params: { data: { topic: other } } },
  ])
})

test.each([
  ['irn_subscribe', { topic: 'short' }, -32_602],
  ['irn_subscribe', {}, -32_602],
  ['irn_publish', { ...publish, ttl: 0 }, -32_602],
  ['irn_publish', { ...publish, ttl: 2_592_001 }, -32_602],
  ['irn_publish', { ...publish, message: '' }, -32_602],
  ['wc_proposeSession', { pairingTopic: topic }, -32_602],
  ['irn_shout', { topic }, -32_601],
  ['constructor', { topic }, -32_601],
])('rejects %s with %j with the code %i', async (method, params, code) => {
  expect((await (await connect()).call(method, params)).error?.code).toBe(code)
})

test.each([
  ['no project', () => ({ auth: token() }), 'Unauthorized: Project id is missing'],
  ['an invalid project', () => ({ projectId: 'nobody', auth: token() }), 'Unauthorized: invalid key'],
  ['no token', () => ({ projectId: project }), 'JWT error: not a token signed with EdDSA'],
  [
    'a token of another kind',
    () => ({ projectId: project, auth: token({}, { alg: 'none', typ: 'JWT' }) }),
    'JWT error: not a token signed with EdDSA',
  ],
  [
    'a client id that is not a key',
    () => ({ projectId: project, auth: token({ iss: 'did:key:z6Mk' }) }),
    'JWT error: iss is not a did:key',
  ],
  [
    'a token without a relay as audience',
    () => ({ projectId: project, auth: token({ aud: 'x' }) }),
    'JWT error: aud is not a relay',
  ],
  [
    'an expired token',
    () => ({ projectId: project, auth: token({ exp: 1 }) }),
    'JWT error: token has expired',
  ],
])('closes the socket with 3000 for %s', async (_, query, reason) => {
  expect(await (await connect(query())).closed).toMatchObject({ code: 3000, reason })
})

test('the relay refuses connections, rejects every project, or delivers nothing, as configured', async () => {
  const before = await connect()
  await fault('refuse')
  expect((await (await connect()).closed).code).toBe(1006)
  before.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'irn_subscribe', params: { topic } }))
  expect((await before.closed).code).toBe(1006)
  await fault('unknown-project')
  expect((await (await connect()).closed).code).toBe(3000)
  await fault('drop')
  const [app, wallet] = [await connect(), await connect()]
  const dropped = 'd'.repeat(64)
  await wallet.call('irn_subscribe', { topic: dropped })
  expect((await app.call('irn_publish', { ...publish, topic: dropped })).result).toBe(true)
  await wallet.call('irn_fetchMessages', { topic: 'e'.repeat(64) })
  expect(wallet.said.filter(({ method }) => method === 'irn_subscription')).toEqual([])
})

test('only the relay path accepts a WebSocket', async () => {
  const socket = new WebSocket(sandbox.relayUrl.replace('/walletconnect', '/other'))
  open.push(socket)
  expect((await new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))).code).toBe(
    1006,
  )
})
