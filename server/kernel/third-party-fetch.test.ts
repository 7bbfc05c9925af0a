/** HTTP requests to third parties: size and time limits, and that no other code calls fetch. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createRpcChains } from '../integrations/chains/rpc-chains.ts'
import { createKeySets, readToken } from '../login/custom-jwt/issuer.ts'
import { fetchThirdParty } from './third-party-fetch.ts'

const party = 'a test'
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Sends an endless response and counts the bytes. */
async function endless() {
  const sent = { bytes: 0, isOver: Promise.withResolvers<void>() }
  const url = await listen((_, answer) => {
    const chunk = Buffer.alloc(65_536, 'a')
    const more = () => {
      while (!answer.destroyed) {
        sent.bytes += chunk.length
        if (!answer.write(chunk)) return
      }
    }
    answer.on('drain', more)
    answer.on('close', () => sent.isOver.resolve())
    answer.writeHead(200, { 'content-type': 'application/json' })
    more()
  })
  return { url, sent }
}

test('returns the decoded body with status and headers', async () => {
  const url = await listen((_, answer) => {
    answer.writeHead(418, {
      'content-type': 'application/json',
      'retry-after': '7',
      'content-encoding': 'gzip',
    })
    answer.end(gzipSync('{"a":"é"}'))
  })
  const answer = await fetchThirdParty(url, { party })
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    418,
    '7',
    { a: 'é' },
  ])
})

test('returns an empty body', async () => {
  const url = await listen((_, answer) => answer.writeHead(204).end())
  expect(await (await fetchThirdParty(url, { party })).text()).toBe('')
})

test('accepts a response of 1 MiB and stops reading a longer one', async () => {
  const whole = await listen((_, answer) => answer.end(Buffer.alloc(1_048_576, 'a')))
  expect(await (await fetchThirdParty(whole, { party })).text()).toHaveLength(1_048_576)
  const oneMore = await listen((_, answer) => answer.end(Buffer.alloc(1_048_577, 'a')))
  await expect(fetchThirdParty(oneMore, { party })).rejects.toThrow(
    'The response is longer than 1048576 bytes',
  )
  const { url, sent } = await endless()
  await expect(fetchThirdParty(url, { party })).rejects.toThrow('The response is longer than 1048576 bytes')
  await sent.isOver.promise
  // Includes the bytes in the buffers of both sides.
  expect(sent.bytes).toBeLessThan(16 * 1_048_576)
})

test('rejects a small response that decompresses to a large one', async () => {
  const url = await listen((_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' })
    answer.end(gzipSync(Buffer.alloc(64 * 1_048_576)))
  })
  await expect(fetchThirdParty(url, { party })).rejects.toThrow('longer than 1048576 bytes')
})

test.each<[string, RequestListener]>([
  ['sends no response', () => {}],
  ['sends headers without a body', (_, answer) => void answer.writeHead(200).flushHeaders()],
  [
    'sends a byte now and then',
    (_, answer) => {
      answer.writeHead(200)
      const drip = setInterval(() => answer.write('a'), 10)
      answer.on('close', () => clearInterval(drip))
    },
  ],
])('times out if the server %s', async (_name, listener) => {
  const url = await listen(listener)
  await expect(fetchThirdParty(url, { party, deadlineMs: 100 })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

test('the caller can abort earlier', async () => {
  const url = await listen(() => {})
  const asking = new AbortController()
  const asked = fetchThirdParty(url, { party, signal: asking.signal })
  asking.abort(new Error('Enough'))
  await expect(asked).rejects.toThrow('Enough')
})

test('rejects a redirect', async () => {
  const there = await listen((_, answer) => answer.end('there'))
  const url = await listen((_, answer) => answer.writeHead(302, { location: there }).end())
  await expect(fetchThirdParty(url, { party })).rejects.toThrow()
})

test('an endless key set throws, and an endless RPC response is reported as failed', async () => {
  const { url } = await endless()
  const issuer = { jwks_url: url, issuer: 'i', audience: 'a', claim: 'sub' }
  const head = Buffer.from('{"alg":"ES256","kid":"k"}').toString('base64url')
  await expect(readToken(createKeySets(), issuer, `${head}.e30.AAAA`, 0)).rejects.toThrow(/1048576/)
  const chains = createRpcChains(new Map([[1, (await endless()).url]]))
  const asked = await chains.callContract(
    { chainId: 1, address: `0x${'1'.repeat(40)}`, data: '0x' },
    AbortSignal.timeout(10_000),
  )
  expect(asked).toEqual({ type: 'failed', why: 'Error: The response is longer than 4194304 bytes' })
})

test('no other server code calls fetch', () => {
  const server = join(import.meta.dirname, '..')
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.ts$/.test(path) && !/\.test\.ts$|(^|\/)testing\/|node_modules/.test(path),
  )
  expect(sources.length).toBeGreaterThan(200)
  const callers = sources.filter((path) => /(?<![\w.])fetch\(/.test(readFileSync(join(server, path), 'utf8')))
  // The OAuth exchange has a method of that name, which uses it too. The doctor reads the status of the operator's own
  // pages, and no body.
  expect(callers.sort()).toEqual([
    'kernel/third-party-fetch.ts',
    'login/oauth/exchange/exchange.ts',
    'start/doctor/ports.ts',
  ])
})
