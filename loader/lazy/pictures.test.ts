import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientConfig } from '../types/published.ts'
import { fetchLogo, withPicture } from './pictures.ts'

const png = new Uint8Array([137, 80, 78, 71])
const pngAsData = 'data:image/png;base64,iVBORw=='

type Served = { status?: number; type?: string; body?: Uint8Array<ArrayBuffer> }
let served: Served
let asked: [address: unknown, how: RequestInit | undefined][]
let warnings: string[]
let pages = 0
beforeEach(() => {
  served = {}
  asked = []
  warnings = []
  vi.stubGlobal('location', { origin: 'https://app.example' })
  vi.stubGlobal('fetch', async (address: unknown, how?: RequestInit) => {
    asked.push([address, how])
    const { status = 200, type = 'image/png', body = png } = served
    return new Response(body, { status, headers: { 'content-type': type } })
  })
  vi.spyOn(console, 'warn').mockImplementation((sentence) => void warnings.push(sentence))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
/** Fetched images are cached, so each test has its own addresses. */
const elsewhere = (name = 'logo.png') => {
  pages += 1
  return `https://cdn.example/${pages}/${name}`
}

async function toldOf(logo: unknown, during?: (set: (next: ClientConfig) => void) => void) {
  let config = { name: 'Herons', appearance: { theme: 'dark', logo } } as ClientConfig
  const received: ClientConfig[] = []
  const coming = fetchLogo({
    config: () => config,
    configure: async (next) => {
      received.push(next)
    },
  })
  during?.((next) => {
    config = next
  })
  await coming
  return received
}

test('a cross-origin logo is fetched without cookies or referrer, and configured as data with the other settings', async () => {
  const address = elsewhere()
  expect(await toldOf(address)).toEqual([{ name: 'Herons', appearance: { theme: 'dark', logo: pngAsData } }])
  expect(asked).toEqual([
    [address, { credentials: 'omit', referrerPolicy: 'no-referrer', signal: expect.any(AbortSignal) }],
  ])
  expect(warnings).toEqual([])
})

test('a fetched image is not fetched again', async () => {
  const address = elsewhere()
  await toldOf(address)
  expect(await toldOf(address)).toHaveLength(1)
  expect(asked).toHaveLength(1)
})

test.each([
  'https://app.example/logo.png',
  'data:image/png;base64,AAAA',
  'http://cdn.example/logo.png',
  '/logo.png',
  'https://',
  '',
  undefined,
])('a logo at %j is not fetched', async (logo) => {
  expect(await toldOf(logo)).toEqual([])
  expect(asked).toEqual([])
})

test('a logo is not configured if the page has changed its configuration meanwhile', async () => {
  expect(await toldOf(elsewhere(), (set) => set({ name: 'Other' }))).toEqual([])
  expect(asked).toHaveLength(1)
})

test.each([
  ['image/png', 'data:image/png;base64,iVBORw=='],
  ['IMAGE/SVG+XML; charset=utf-8', 'data:image/svg+xml;base64,iVBORw=='],
  ['image/jpeg', 'data:image/jpeg;base64,iVBORw=='],
  ['image/webp', 'data:image/webp;base64,iVBORw=='],
])('an image of type %s is configured as a data URL', async (type, logo) => {
  served = { type }
  expect(await toldOf(elsewhere())).toMatchObject([{ appearance: { logo } }])
})

test.each<[string, Served, RegExp]>([
  ['an HTML page', { type: 'text/html' }, /its type is text\/html, not PNG, JPEG, WebP or SVG/],
  ['a script', { type: 'image/svg+xml,text/html' }, /, not PNG, JPEG, WebP or SVG/],
  ['an error page', { status: 404 }, /its server responded with 404/],
  ['36,001 bytes', { body: new Uint8Array(36_001) }, /it is larger than 36 kB/],
])('%s is not shown, with one console warning', async (_what, answer, reason) => {
  served = answer
  const address = elsewhere()
  expect(await toldOf(address)).toEqual([])
  expect(await toldOf(address)).toEqual([])
  expect(warnings).toEqual([expect.stringMatching(reason)])
  expect(warnings[0]).toContain(`${address} is not shown`)
  expect(warnings[0]).toContain('Serve it from this site, or name it in the settings of the app.')
  served = {}
  expect(await toldOf(address)).toHaveLength(1)
})

test('the largest accepted image fits into a message with room for the rest', async () => {
  served = { body: new Uint8Array(36_000) }
  const [config] = await toldOf(elsewhere())
  expect(config?.appearance?.logo).toHaveLength(48_022)
})

test('an image request times out after 5 s', async () => {
  const timeouts: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    timeouts.push(ms)
    return AbortSignal.abort(new DOMException('The operation timed out', 'TimeoutError'))
  })
  vi.stubGlobal('fetch', async (_: unknown, { signal }: RequestInit) => signal?.throwIfAborted())
  expect(await toldOf(elsewhere())).toEqual([])
  expect(timeouts).toEqual([5_000])
  expect(warnings).toEqual([expect.stringContaining('The operation timed out')])
})

const signature = (iconUrl: unknown) => ({
  call: 'signMessage',
  data: { message: 'Hello', ui: { title: 'T', iconUrl } },
})

test('a signature icon is sent as data, and a signature without an icon waits for nothing', async () => {
  expect(await withPicture(signature(elsewhere()))).toEqual(signature(pngAsData))
  for (const icon of ['https://app.example/i.png', pngAsData, undefined, 7]) {
    const asked = signature(icon)
    expect(withPicture(asked)).toBe(asked)
  }
  const plain = { call: 'link', data: { method: 'email' } }
  expect(withPicture(plain)).toBe(plain)
})

test('an icon that fails to load does not block the signature', async () => {
  served = { status: 500 }
  expect(await withPicture(signature(elsewhere()))).toEqual(signature(undefined))
})
