/** Tests file responses: encodings, 304, HEAD, paths, releases and new builds. */
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentHash, watchBuiltFolder } from '../../kernel/built-files.ts'
import { dialogPath, hostOrigin, openPagesServer, walletPath } from '../../testing/pages-server.ts'

const asset = '/assets/index-Ab3_x9Qz.js'
const unhashed = '/favicon.svg'

let opened: Awaited<ReturnType<typeof openPagesServer>> | undefined
const pages = () => opened ?? expect.unreachable('not open yet')
beforeAll(async () => {
  opened = await openPagesServer()
})
afterAll(() => opened?.close())

type Headers = Readonly<Record<string, string>>
const get = (site: string, path: string, headers?: Headers) => pages().get(site, path, headers)
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

test('serves each hostname its own assets', async () => {
  expect(await (await get('dialog', asset)).text()).toContain('"dialog"')
  expect(await (await get('wallet', asset)).text()).toContain('"wallet"')
})

test('serves the compressed files of the build, with the same content', async () => {
  const plain = await bytesOf(await get('dialog', asset))
  expect(plain).toEqual(readFileSync(join(pages().built.dialogDist, asset)))
  for (const [accepted, encoding, ending, unpack] of [
    ['gzip, deflate, br, zstd', 'br', '.br', brotliDecompressSync],
    ['gzip', 'gzip', '.gz', gunzipSync],
  ] as const) {
    const answer = await get('dialog', asset, { 'accept-encoding': accepted })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const sent = await bytesOf(answer)
    expect(sent).toEqual(readFileSync(join(pages().built.dialogDist, `${asset}${ending}`)))
    expect(unpack(sent)).toEqual(plain)
  }
})

test.each([
  ['br;q=0', null],
  ['br;q=0.0, gzip;q=0.5', 'gzip'],
  ['br;q=0.1', 'br'],
  ['identity', null],
  ['deflate', null],
  ['brotli, xbr', null],
  ['', null],
])('negotiates for %j the encoding %j', async (accepted, encoding) => {
  for (const path of [asset, dialogPath()]) {
    const answer = await get('dialog', path, { 'accept-encoding': accepted })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding])
    expect(answer.headers.get('vary')).toBe('accept-encoding')
  }
})

test('serves a file uncompressed if the build did not compress it', async () => {
  const answer = await get('dialog', unhashed, { 'accept-encoding': 'gzip, br' })
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(answer.headers.get('content-type')).toContain('image/svg+xml')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(answer.headers.get('vary')).toBe('accept-encoding')
})

test('serves a filled page with the same content in every encoding', async () => {
  const plain = await (await get('dialog', dialogPath())).text()
  const br = await get('dialog', dialogPath(), { 'accept-encoding': 'br' })
  expect(br.headers.get('content-encoding')).toBe('br')
  expect(brotliDecompressSync(await bytesOf(br)).toString()).toBe(plain)
  const gzip = await get('dialog', dialogPath(), { 'accept-encoding': 'gzip' })
  expect(gunzipSync(await bytesOf(gzip)).toString()).toBe(plain)
})

/** Returns the headers that a response and its 304 share: all but those that describe the body. */
const lasting = (answer: Response) =>
  [...answer.headers].filter(([name]) => name !== 'content-type' && name !== 'content-encoding')

test.each([
  ['dialog', dialogPath(`?origin=${hostOrigin}`)],
  ['dialog', dialogPath(`?origin=${hostOrigin}&coi=1`)],
  ['wallet', walletPath('?coi=1')],
  ['wallet', '/vault-Zz3_x9Qz.js'],
  ['dialog', asset],
  ['dialog', unhashed],
  ['dialog', '/loader/v1/loader.js'],
  ['dialog', `/loader/${contentHash('export const more={};'.repeat(100))}/loader-more.js`],
])('sends on the %s hostname a 304 for %s with every header of the cached page', async (site, path) => {
  const first = await get(site, path, { 'accept-encoding': 'br' })
  const etag = first.headers.get('etag') ?? ''
  for (const known of [etag, `"other", ${etag}`, etag.replace(/^W\//, ''), '*']) {
    const again = await get(site, path, { 'if-none-match': known })
    expect(again.status, known).toBe(304)
    expect(await again.text()).toBe('')
    expect(lasting(again)).toEqual(lasting(first))
  }
  for (const unknown of ['"other"', etag.replace('W/"', 'W/"x'), '']) {
    expect((await get(site, path, { 'if-none-match': unknown })).status, unknown).toBe(200)
  }
})

test('never sends a 304 for a page that may not be embedded', async () => {
  const path = dialogPath('?origin=https://evil.example')
  const etag = (await get('dialog', path)).headers.get('etag') ?? ''
  expect((await get('dialog', path, { 'if-none-match': etag })).status).toBe(403)
})

test('ignores a range request and sends the whole file', async () => {
  const whole = await (await get('dialog', asset)).text()
  for (const range of ['bytes=0-4', 'bytes=-5', 'bytes=999999-', 'lines=1-2']) {
    const answer = await get('dialog', asset, { range })
    expect([answer.status, await answer.text()], range).toEqual([200, whole])
  }
})

const pinned = {
  loader: `/loader/${contentHash('window.latchkey={};'.repeat(100))}/loader.js`,
  more: `/loader/${contentHash('export const more={};'.repeat(100))}/loader-more.js`,
  earlier: `/loader/${contentHash('window.latchkey={};// earlier')}/loader.js`,
}

test('serves the loader files of this build and of kept builds as immutable, to any page', async () => {
  for (const path of [
    ...Object.values(pinned),
    '/loader/1.1.0/loader.js',
    '/loader/1.1.0/loader-more.js',
    '/loader/1.0.0/loader.js',
  ]) {
    const answer = await get('dialog', path, { origin: 'https://anybody.example' })
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  }
  expect(await (await get('dialog', '/loader/1.0.0/loader.js')).text()).toContain('// 1.0.0')
  expect(await (await get('dialog', '/loader/1.1.0/loader-more.js')).text()).toContain('// 1.1.0')
  expect(await (await get('dialog', pinned.earlier)).text()).toContain('// earlier')
})

test('serves a loader in releases/ only if its bytes match its hash', async () => {
  expect((await get('dialog', `/loader/${contentHash('altered')}/loader.js`)).status).toBe(404)
})

/** Sends the path over a socket, because `Request` would normalize it. */
async function overSocket(path: string, method = 'GET', headers: Headers = {}) {
  const http = createAdaptorServer({ fetch: pages().server.fetch, overrideGlobalObjects: false })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' ? address?.port : undefined
  try {
    return await new Promise<{ status: number; headers: Headers; body: string }>((resolve, reject) => {
      const host = 'dialog.localhost:4000'
      const call = request({ port, path, method, headers: { host, ...headers } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(answer.headers).map(([name, value]) => [name, `${value}`]),
            ),
            body: Buffer.concat(chunks).toString(),
          }),
        )
      })
      call.on('error', reject).end()
    })
  } finally {
    http.close()
  }
}

test.each([
  '/../secret.js',
  '/assets/../../secret.js',
  '/%2e%2e/secret.js',
  '/%2e%2e%2fsecret.js',
  '/..%2fsecret.js',
  '/..%5csecret.js',
  '/..\\secret.js',
  '/%252e%252e/secret.js',
  '//secret.js',
  '/assets/..%2f..%2fsecret.js',
  '/%2eenv.js',
  '/assets/../.env.js',
  '/.vite/manifest.json',
  '/%2evite/manifest.json',
  '/loader/../secret.js',
  '/loader/%2e%2e/secret.js',
  '/loader/..%2f..%2fdist/loader.js',
  '/loader/1.0.0/..%2f..%2fpackage.json',
  '/loader/1.0.0/%2e%2e/1.1.0/package.json',
  '/assets/index-Ab3_x9Qz.js%00.svg',
  '/%',
  '/%c0%ae%c0%ae/secret.js',
])('finds nothing at the path %s', async (path) => {
  const answer = await overSocket(path)
  expect([404, 400]).toContain(answer.status)
  expect(answer.body).not.toMatch(/outside of the folder|hidden|version/)
})

test('answers HEAD like GET, without a body', async () => {
  for (const path of [asset, dialogPath(), '/loader/v1/loader.js']) {
    const full = await overSocket(path)
    const head = await overSocket(path, 'HEAD')
    const { date: _at, 'content-length': _length, ...lasting } = full.headers
    expect([full.status, head.status, head.body]).toEqual([200, 200, ''])
    expect(full.body).not.toBe('')
    expect(head.headers).toMatchObject(lasting)
    const { etag = '' } = head.headers
    expect((await overSocket(path, 'HEAD', { 'if-none-match': etag })).status).toBe(304)
  }
  expect((await overSocket('/secret.js', 'HEAD')).status).toBe(404)
})

test('finds nothing for methods other than GET and HEAD', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect((await overSocket(asset, method)).status, method).toBe(404)
  }
})

const olderThanAWrite = () => new Date(Date.now() - 1_000)
const builtAnew = (at = olderThanAWrite()) => utimesSync(join(pages().built.dialogDist, 'index.html'), at, at)

test('serves open.html for a page that a pending call waits for, if it is built', async () => {
  const path = dialogPath(`?origin=${hostOrigin}&open=1`)
  const before = await (await get('dialog', path)).text()
  expect(before).toBe(await (await get('dialog', dialogPath(`?origin=${hostOrigin}`))).text())
  const file = join(pages().built.dialogDist, 'open.html')
  const built = readFileSync(join(pages().built.dialogDist, 'index.html'), 'utf8')
  writeFileSync(file, built.replace('</head>', '<link rel="modulepreload" href="/assets/face.js"></head>'))
  builtAnew(new Date(Date.now() - 5_000))
  const waiting = await get('dialog', path)
  const idle = await get('dialog', dialogPath(`?origin=${hostOrigin}`))
  expect(lasting(waiting).filter(([name]) => name !== 'etag')).toEqual(
    lasting(idle).filter(([name]) => name !== 'etag'),
  )
  const html = await waiting.text()
  expect(html).toContain('modulepreload')
  expect(html).toContain(`"hostOrigin":"${hostOrigin}"`)
  expect(html).toContain('<link rel="preconnect" href="http://wallet.localhost:4000">')
  expect(await idle.text()).toBe(before)
  expect(await (await get('dialog', dialogPath(`?origin=${hostOrigin}&open=0`))).text()).toBe(before)
})

test('serves a new build without a restart, and still serves the assets of old pages', async () => {
  const folder = pages().built.dialogDist
  const html = await (await get('dialog', dialogPath())).text()
  expect(html).toContain(asset)
  renameSync(join(folder, asset), join(folder, '/assets/index-Newer_9Q.js'))
  writeFileSync(join(folder, 'index.html'), html.replace(asset, '/assets/index-Newer_9Q.js'))
  builtAnew()
  expect(await (await get('dialog', dialogPath())).text()).toContain('index-Newer_9Q')
  expect((await get('dialog', '/assets/index-Newer_9Q.js')).status).toBe(200)
  const old = await get('dialog', asset, { 'accept-encoding': 'br' })
  expect([old.status, old.headers.get('content-encoding')]).toEqual([200, 'br'])
})

test('serves the previous release in a process that started after a build', async () => {
  const older = '/assets/index-Older_9Q.js'
  const fresh = watchBuiltFolder(pages().built.dialogDist, 'index.html')
  expect(fresh.file(older)?.contents.size).toBe(3)
  const answer = await get('dialog', older, { 'accept-encoding': 'br' })
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br'])
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  for (const path of [`/.last-release${older}`, '/notes.js', '/.last-release/notes.js']) {
    expect((await get('dialog', path)).status, path).toBe(404)
  }
})

test('serves compressed files as soon as the build has compressed them', async () => {
  const file = join(pages().built.dialogDist, unhashed)
  writeFileSync(`${file}.gz`, 'compressed')
  builtAnew(new Date(Date.now() - 500))
  const answer = await get('dialog', unhashed, { 'accept-encoding': 'gzip' })
  expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual(['gzip', 'compressed'])
})
