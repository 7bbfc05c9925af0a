import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSite } from './site.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-'))
const dialogOrigin = 'http://dialog.localhost:4000'
let site: Server
let port = 0

beforeAll(async () => {
  mkdirSync(join(folder, 'public', 'assets'), { recursive: true })
  writeFileSync(
    join(folder, 'public', 'index.html'),
    '<p data-app="{{appId}}">{{dialogOrigin}}</p><a href="{{inboxUrl}}"></a>',
  )
  writeFileSync(join(folder, 'public', 'one-line.html'), '<script src="{{dialogOrigin}}/x.js"></script>')
  writeFileSync(join(folder, 'public', 'assets', 'a.css'), 'p { color: red }')
  writeFileSync(join(folder, 'secret.html'), 'secret')
  site = createSite({
    folder: join(folder, 'public'),
    appId: 'app1',
    dialogOrigin,
    inboxUrl: 'http://sandbox.localhost:4020',
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const address = site.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** Sends the path unchanged, because fetch would normalize it. */
const get = (path: string, host = 'demo.localhost:4010') =>
  new Promise<Answer>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, headers: { host } }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
    call.on('error', reject).end()
  })

const policy = (answer: Answer) => String(answer.headers['content-security-policy'])

test('a page is filled in with the app and the dialog, and has a strict policy', async () => {
  const page = await get('/')
  expect(page.body).toBe(`<p data-app="app1">${dialogOrigin}</p><a href="http://sandbox.localhost:4020"></a>`)
  expect(policy(page)).toContain(`frame-src ${dialogOrigin};`)
  expect(policy(page)).toContain("script-src 'self';")
  expect(policy(page)).toContain("style-src 'self';")
  expect(policy(page)).not.toMatch(/unsafe|\*/)
})

test('the script tag page may load its script from the dialog', async () => {
  expect(policy(await get('/one-line.html'))).toContain(`script-src 'self' ${dialogOrigin};`)
})

test('every name under localhost is a host site, and no other name is', async () => {
  expect((await get('/', 'other.localhost:4010')).status).toBe(200)
  expect((await get('/', 'evil.example')).status).toBe(421)
})

test('the query turns the page into a host with an opener policy, isolation, or a blocking policy', async () => {
  expect((await get('/')).headers['cross-origin-opener-policy']).toBeUndefined()
  const coop = await get('/?coop=1')
  expect(coop.headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(coop.headers['cross-origin-embedder-policy']).toBeUndefined()
  const isolated = await get('/?coi=1')
  expect(isolated.headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(isolated.headers['cross-origin-embedder-policy']).toBe('require-corp')
  expect((await get('/?passkeys=block')).headers['permissions-policy']).toBe(
    'publickey-credentials-get=(), publickey-credentials-create=()',
  )
  expect((await get('/')).headers['permissions-policy']).toBeUndefined()
  expect(policy(await get('/?csp=block'))).toContain("frame-src 'none';")
  expect(policy(await get('/?pictures=https://cdn.example'))).toContain(
    `connect-src 'self' ${dialogOrigin} https://cdn.example;`,
  )
  expect(policy(await get('/?pictures=https://cdn.example;%20script-src%20x'))).not.toContain('cdn')
})

test('assets are cached forever, and pages are always revalidated', async () => {
  expect((await get('/assets/a.css')).headers['cache-control']).toContain('immutable')
  expect((await get('/')).headers['cache-control']).toBe('no-cache')
})

test.each([
  '/../secret.html',
  '/%2e%2e/secret.html',
  '/..%2fsecret.html',
  '/assets/../../secret.html',
  '//secret.html',
])('a path outside the folder is not served: %s', async (path) => {
  expect((await get(path)).body).not.toContain('secret')
})

test('a missing file returns 404', async () => {
  expect((await get('/missing.html')).status).toBe(404)
  expect((await get('/assets/')).status).toBe(404)
})
