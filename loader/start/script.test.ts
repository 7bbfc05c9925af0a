import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A script element with only the members that the script reads. */
class FakeScript {
  readonly dataset = { appId: 'a'.repeat(25), preload: 'never' }
  readonly src = 'https://dialog.example/loader/v1/loader.js'
  readonly nonce = ''
}
const page: { latchkey?: object } = {}
const warned = vi.fn()

beforeEach(() => {
  vi.stubGlobal('window', page)
  vi.stubGlobal('location', { href: 'https://shop.example/' })
  vi.stubGlobal('HTMLScriptElement', FakeScript)
  vi.stubGlobal('SECOND_FILE_INTEGRITY', 'sha256-')
  vi.stubGlobal('SECOND_FILE_FOLDER', 'hash')
  vi.stubGlobal('document', Object.assign(new EventTarget(), { currentScript: new FakeScript() }))
  vi.spyOn(console, 'warn').mockImplementation(warned)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  warned.mockClear()
  delete page.latchkey
})

const run = async () => {
  vi.resetModules()
  await import('./script.ts')
}

test.each([
  ['a queue', { q: [] }],
  ['nothing', undefined],
])(
  'a second script on a page that started with %s keeps the handle of the first, with a warning',
  async (_what, before) => {
    if (before) page.latchkey = before
    await run()
    const handle = page.latchkey
    expect(handle).toHaveProperty('login')
    expect(warned).not.toHaveBeenCalled()
    await run()
    expect(page.latchkey).toBe(handle)
    expect(warned).toHaveBeenCalledExactlyOnceWith('Latchkey: the script ran twice')
  },
)
