import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getErrorCode } from '../testing/client.ts'
import { findClient, holdClient as holdWith } from './registry.ts'

const app = 'a'.repeat(25)
const other = 'b'.repeat(25)
const url = 'https://dialog.example'
const loadSecondFile = () => Promise.reject(new Error('There is no second file here'))
const holdClient = (appId: string, dialogUrl: string) => holdWith(appId, dialogUrl, loadSecondFile)

const replaced: string[] = []
const visit = (href: string) => {
  vi.stubGlobal('location', { href })
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_state: unknown, _title: string, address: URL) => {
      replaced.push(address.href)
      visit(address.href)
    },
  })
}

describe('the registry', () => {
  beforeEach(() => visit('https://app.example/'))
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  // spec L2.9
  it('removes a one-time code from the address of the page when the first client is created', () => {
    vi.stubGlobal('document', { prerendering: true, addEventListener() {} })
    visit('https://app.example/notes?latchkey_token=once&page=2#top')
    const one = holdClient(app, url)
    expect(replaced).toEqual(['https://app.example/notes?page=2#top'])
    one.release()
  })

  describe('passes the parameters of the page', () => {
    const open = vi.fn()
    type Opened = { appId: string; parameters: string; onGreeted: () => void }
    const load = async () => {
      vi.resetModules()
      vi.doMock('../frame/connection.ts', () => ({
        openConnection: open.mockImplementation(() => ({ isAlive: () => true, lose: () => {} })),
        frameRemoved: () => new Error('Removed'),
      }))
      const { holdClient: hold } = await import('./registry.ts')
      return (appId: string) => hold(appId, url, loadSecondFile)
    }
    const opened = () => open.mock.calls.map(([options]) => options as Opened)
    beforeEach(() => {
      open.mockClear()
      Reflect.deleteProperty(globalThis, Symbol.for('latchkey.parameters.1'))
      vi.stubGlobal('document', Object.assign(new EventTarget(), { prerendering: false }))
      visit('https://app.example/?latchkey_oauth_code=code&latchkey_oauth_state=state')
    })
    afterEach(() => vi.doUnmock('../frame/connection.ts'))
    const query = 'latchkey_oauth_code=code&latchkey_oauth_state=state'

    it('to the next client of an app if the first was destroyed before its dialog loaded', async () => {
      const hold = await load()
      const first = hold(app)
      await Promise.resolve()
      first.release()
      const second = hold(app)
      await Promise.resolve()
      expect(opened().map(({ parameters }) => parameters)).toEqual([query, query])
      opened()[1]?.onGreeted()
      second.release()
      const third = hold(app)
      third.client.preload('now')
      await Promise.resolve()
      expect(opened().map(({ parameters }) => parameters)).toEqual([query, query, ''])
      expect(replaced.at(-1)).toBe('https://app.example/')
      third.release()
    })

    it('to each of two apps on a page, once each', async () => {
      const hold = await load()
      const held = [hold(other), hold(app)]
      await Promise.resolve()
      expect(opened().map(({ appId, parameters }) => [appId, parameters])).toEqual([
        [other, query],
        [app, query],
      ])
      for (const { onGreeted } of opened()) onGreeted()
      for (const { release } of held) release()
      const again = hold(app)
      again.client.preload('now')
      await Promise.resolve()
      expect(opened().at(-1)?.parameters).toBe('')
      again.release()
    })
  })

  it('returns one client per app and origin', () => {
    const one = holdClient(app, url)
    const two = holdClient(app, url)
    const three = holdClient(other, url)
    expect(two.client).toBe(one.client)
    expect(three.client).not.toBe(one.client)
    for (const { release } of [one, two, three]) release()
  })

  it('returns the same client to a second copy of the module', async () => {
    const one = holdClient(app, url)
    vi.resetModules()
    const copy = await import('./registry.ts')
    expect(copy.holdClient).not.toBe(holdWith)
    const two = copy.holdClient(app, url, loadSecondFile)
    expect(two.client).toBe(one.client)
    one.release()
    two.release()
  })

  it('closes the client with its last handle, and creates a new one afterwards', async () => {
    vi.stubGlobal('document', new EventTarget())
    const one = holdClient(app, url)
    const two = holdClient(app, url)
    const { client } = one
    one.release()
    expect(findClient(app)?.dialogUrl).toBe(url)
    two.release()
    expect(await getErrorCode(client.call('getUser', [], new AbortController().signal))).toBe(
      'client_destroyed',
    )
    expect(findClient(app)?.dialogUrl).toBeUndefined()
    const next = holdClient(app, url)
    expect(next.client).not.toBe(client)
    next.release()
    vi.unstubAllGlobals()
  })

  it("returns the app's existing client for a dialog URL with another path", () => {
    const held = [holdClient(app, url), holdClient(app, `${url}/path`)]
    expect(held[1]?.client).toBe(held[0]?.client)
    for (const { release } of held) release()
  })
})
