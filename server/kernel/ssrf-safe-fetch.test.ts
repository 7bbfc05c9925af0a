import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  isAllowedUrl,
  isLocalHost,
  type Resolve,
  SsrfSafeFetchError,
  ssrfSafeFetch,
} from './ssrf-safe-fetch.ts'

const party = 'a test'
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const bound = server.address()
  return `http://localhost:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
}

const at =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('acceptable addresses', () => {
  test.each([
    'https://provider.example/x',
    'https://provider.example:8443',
    'http://localhost:4000/x',
    'http://dialog.localhost',
    'http://127.0.0.1:1',
    'http://[::1]',
  ])('%s is accepted', (address) => expect(isAllowedUrl(address)).toBe(true))

  test.each([
    'http://provider.example',
    'http://localhost.example',
    'http://127.0.0.2',
    'https://user:secret@provider.example',
    'ftp://localhost',
    'file:///etc/passwd',
    'no address',
  ])('%s is rejected', (address) => expect(isAllowedUrl(address)).toBe(false))

  test('a host name that only resembles localhost is not local', () => {
    expect(isLocalHost('localhost.')).toBe(false)
    expect(isLocalHost('x.localhost.example')).toBe(false)
  })

  test('rejects http to another machine before the DNS lookup', async () => {
    const resolve = vi.fn(at('93.184.215.14'))
    await expect(ssrfSafeFetch('http://provider.example', { party }, resolve)).rejects.toThrow(
      'it is not https',
    )
    expect(resolve).not.toHaveBeenCalled()
  })
})

// An address that an operator configures must not make this server call its own network.
describe('internal networks', () => {
  const internal = [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '192.168.1.1',
    '127.0.0.1',
    '127.8.8.8',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
  ]
  test.each(internal)('rejects a host name that resolves to %s', async (address) => {
    const asking = ssrfSafeFetch('https://provider.example', { party }, at(address))
    await expect(asking).rejects.toThrow('provider.example is an internal address')
    await expect(asking).rejects.toBeInstanceOf(SsrfSafeFetchError)
  })

  test('rejects a host name if one of its addresses is internal', async () => {
    const asking = ssrfSafeFetch('https://provider.example', { party }, at('93.184.215.14', '10.0.0.1'))
    await expect(asking).rejects.toBeInstanceOf(SsrfSafeFetchError)
  })

  test('rejects a host name without addresses', async () => {
    await expect(ssrfSafeFetch('https://provider.example', { party }, at())).rejects.toBeInstanceOf(
      SsrfSafeFetchError,
    )
  })

  test.each([
    'https://10.0.0.1',
    'https://0x0a000001',
    'https://167772161',
    'https://127.0.0.2',
    'https://169.254.169.254/latest/meta-data',
    'https://[fc00::1]',
    'https://[::ffff:10.0.0.1]',
    'https://[::ffff:7f00:2]',
    'https://[64:ff9b::a00:1]',
    'https://0.0.0.0',
  ])('rejects the internal address %s without a DNS lookup', async (address) => {
    const resolve = vi.fn(at('93.184.215.14'))
    await expect(ssrfSafeFetch(address, { party }, resolve)).rejects.toThrow('is an internal address')
    expect(resolve).not.toHaveBeenCalled()
  })

  test('resolves a localhost name to loopback, ignoring the resolver', async () => {
    const resolve = vi.fn(at('10.0.0.1'))
    const { port } = new URL(await listen((_, answer) => answer.end('here')))
    const answer = await ssrfSafeFetch(`http://provider.localhost:${port}`, { party }, resolve)
    expect(await answer.text()).toBe('here')
    expect(resolve).not.toHaveBeenCalled()
  })
})

describe('responses', () => {
  test('returns the complete response with status and headers, and sends the request completely', async () => {
    const url = await listen(async (request, answer) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      answer.writeHead(400, { 'content-type': 'application/json', 'retry-after': '7' })
      answer.end(JSON.stringify({ method: request.method, said: request.headers['x-said'], body }))
    })
    const answer = await ssrfSafeFetch(`${url}/token`, {
      party,
      method: 'POST',
      headers: { 'x-said': 'hello' },
      body: 'a=1',
    })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(await answer.json()).toEqual({ method: 'POST', said: 'hello', body: 'a=1' })
  })

  test.each([301, 302, 303, 307, 308])('rejects a redirect with status %i', async (status) => {
    let isFollowed = false
    const there = await listen((_, answer) => {
      isFollowed = true
      answer.end()
    })
    const url = await listen((_, answer) => answer.writeHead(status, { location: there }).end())
    await expect(ssrfSafeFetch(url, { party })).rejects.toThrow(
      `${url} responded with ${status}, and redirects are not followed`,
    )
    expect(isFollowed).toBe(false)
  })

  test('stops reading a response that exceeds the limit', async () => {
    let sent = 0
    const url = await listen((_, answer) => {
      const more = () => {
        if (answer.destroyed) return
        sent += 65_536
        answer.write(Buffer.alloc(65_536), () => setImmediate(more))
      }
      more()
    })
    await expect(ssrfSafeFetch(url, { party })).rejects.toThrow('The response is longer than 262144 bytes')
    expect(sent).toBeLessThan(64 * 1_048_576)
    await expect(ssrfSafeFetch(url, { party, maxBytes: 10 })).rejects.toThrow(
      'The response is longer than 10 bytes',
    )
  })

  test.each([
    ['never begins', () => {}],
    ['never ends', (answer: { write: (text: string) => unknown }) => answer.write('{')],
  ])('a response that %s times out', async (_, begin) => {
    const url = await listen((_request, answer) => void begin(answer))
    await expect(ssrfSafeFetch(url, { party, deadlineMs: 100 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  test('a response that drips slowly times out', async () => {
    const url = await listen((_, answer) => {
      const drip = setInterval(() => answer.write(' '), 10)
      answer.on('close', () => clearInterval(drip))
    })
    await expect(ssrfSafeFetch(url, { party, deadlineMs: 150 })).rejects.toThrow()
  })

  test('aborts the request when the caller aborts', async () => {
    const url = await listen((_, answer) => void answer.write('{'))
    const ending = new AbortController()
    const asking = ssrfSafeFetch(url, { party, signal: ending.signal })
    setTimeout(() => ending.abort(), 50)
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' })
  })
})
