/** Tests the relay client with responses that the sandbox does not give. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { newRegistry } from '../../kernel/registry.ts'
import { createRelay, farcasterEnvironment } from './relay.ts'

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

async function relayThat(status: number, body: unknown) {
  const asked: { url: string | undefined; body: string; authorization: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    asked.push({ url: request.url, body: text, authorization: request.headers.authorization })
    const isElsewhere = request.url === '/elsewhere'
    response.writeHead(isElsewhere ? 202 : status, { location: '/elsewhere' })
    response.end(isElsewhere ? '{"state":"pending"}' : typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closes.push(() => server.close())
  const at = server.address()
  const port = typeof at === 'object' && at ? at.port : 0
  return { relay: createRelay(`http://127.0.0.1:${port}/base`), asked }
}

const inTime = () => AbortSignal.timeout(5_000)
const page = { origin: 'https://app.example:8443', nonce: 'abcdefgh' }
const opened = {
  channelToken: 'token',
  url: 'https://farcaster.xyz/~/siwf?channelToken=token',
  nonce: 'abcdefgh',
}

test('opens a channel for the page and its custody address only', async () => {
  const { relay, asked } = await relayThat(201, opened)
  expect(await relay.open(page, inTime())).toEqual({
    type: 'opened',
    channelToken: 'token',
    connectUri: 'https://farcaster.xyz/~/siwf?channelToken=token',
  })
  expect(asked.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    [
      '/base/v1/channel',
      {
        siweUri: 'https://app.example:8443',
        domain: 'app.example:8443',
        nonce: 'abcdefgh',
        acceptAuthAddress: false,
      },
    ],
  ])
})

test('polls a channel with its token', async () => {
  const { relay, asked } = await relayThat(202, { state: 'pending', nonce: 'abcdefgh' })
  expect(await relay.poll('token', inTime())).toEqual({ type: 'pending' })
  expect(asked).toEqual([{ url: '/base/v1/channel/status', body: '', authorization: 'Bearer token' }])
})

// A link that the user follows in the dialog.
test.each(['javascript:alert(1)', 'data:text/html,hello', 'farcaster.xyz', '', 7])(
  'rejects the channel URL %j',
  async (url) => {
    const { relay } = await relayThat(201, { ...opened, url })
    expect(await relay.open(page, inTime())).toMatchObject({ type: 'failed' })
  },
)

test.each<[string, number, unknown]>([
  ['a page', 200, '<!doctype html>'],
  ['a state that is none', 200, { state: 'maybe' }],
  ['an approval without a signature', 200, { state: 'completed', message: 'x', fid: 1 }],
  ['an approval of nobody', 200, { state: 'completed', message: 'x', signature: '0xab', fid: 0 }],
  ['a redirect to somebody who does answer', 302, ''],
  ['a failure', 500, { error: 'Redis' }],
])('treats %s as a failure', async (_name, status, body) => {
  const { relay } = await relayThat(status, body)
  expect(await relay.poll('token', inTime())).toMatchObject({ type: 'failed', why: expect.any(String) })
})

test('treats an unreachable or slow relay as a failure', async () => {
  const nobody = createRelay('http://127.0.0.1:1')
  expect(await nobody.poll('token', inTime())).toMatchObject({ type: 'failed' })
  const { relay } = await relayThat(202, { state: 'pending' })
  expect(await relay.poll('token', AbortSignal.abort(new Error('over')))).toMatchObject({ type: 'failed' })
})

const read = (value: string) => {
  const parts = newRegistry('a test')
  const wrong = farcasterEnvironment.parse({ FARCASTER_RELAY_URL: value }, parts)
  return wrong.length > 0 ? wrong : farcasterEnvironment.read({ parts }).FARCASTER_RELAY_URL
}

test('FARCASTER_RELAY_URL defaults to the public relay', () => {
  const parts = newRegistry('a test')
  expect(farcasterEnvironment.parse({}, parts)).toEqual([])
  expect(farcasterEnvironment.read({ parts }).FARCASTER_RELAY_URL).toBe('https://relay.farcaster.xyz')
  expect(read('http://127.0.0.1:4020/farcaster')).toBe('http://127.0.0.1:4020/farcaster')
})

test.each(['https://relay.farcaster.xyz', 'http://127.0.0.1:4025/farcaster'])(
  'FARCASTER_RELAY_URL accepts the http URL %j',
  (value) => {
    expect(read(value)).toBe(value)
  },
)

test.each([
  'relay.farcaster.xyz',
  'ftp://relay.example',
  'wss://relay.farcaster.xyz',
  'see https://relay.farcaster.xyz',
  'https://relay.example/',
])('FARCASTER_RELAY_URL rejects %j at start', (value) => {
  expect(read(value)).toEqual([expect.stringMatching(/^FARCASTER_RELAY_URL must be/)])
})
