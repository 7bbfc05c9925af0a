import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Latchkey } from '../calls/latchkey.ts'
import { asksOf, makeClient } from '../testing/client.ts'
import { adoptStub, isStub } from './queue.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const stubSource = /<script>\n([\s\S]*?)<\/script>/.exec(readme)?.[1] ?? ''

beforeEach(() => vi.stubGlobal('document', new EventTarget()))
afterEach(() => vi.unstubAllGlobals())

/** A page that has run the stub of the README, as it stands there, and nothing else yet. */
function makePage() {
  const listening: (readonly [string, (event: unknown) => void])[] = []
  const page: { window?: unknown; latchkey?: unknown } = createContext({
    document: {
      addEventListener: (type: string, run: (event: unknown) => void) => listening.push([type, run]),
    },
  })
  page.window = page
  runInContext(stubSource, page)
  // The stub is typed as what it becomes; a page may also ask it for what it has not.
  const stub = page.latchkey as Latchkey & Record<string, (...args: unknown[]) => Promise<unknown>>
  const { opened, handle } = makeClient()
  const arrive = () => {
    if (isStub(stub)) adoptStub(stub, handle)
    return handle
  }
  const happen = (type: string) => (event: unknown) => {
    for (const [heard, run] of listening) if (heard === type) run(event)
  }
  return { page, stub, opened, arrive, fail: happen('error'), load: happen('load') }
}

it('the stub that is printed for an app is the one of both READMEs, whole', () => {
  const stub = readFileSync(join(import.meta.dirname, 'queue-stub.txt'), 'utf8')
  expect(readme).toContain(stub)
  expect(readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')).toContain(stub)
})

describe('the queue stub of the README', () => {
  it('names no method', () => {
    const { arrive } = makePage()
    const members = Object.entries(Object.getOwnPropertyDescriptors(arrive()))
    const names = members.filter(([, { value }]) => typeof value === 'function').map(([name]) => name)
    expect(names).toContain('login')
    for (const name of names) expect(stubSource).not.toMatch(new RegExp(`['".]${name}\\b`))
  })

  it('is a stub, and no other value is', () => {
    expect(isStub(makePage().stub)).toBe(true)
    for (const other of [null, undefined, 7, 'q', [], {}, { q: 7 }, makeClient().handle]) {
      expect(isStub(other)).toBe(false)
    }
  })

  it('keeps calls until the script arrives, with their arguments and in their order', async () => {
    const { stub, opened, arrive } = makePage()
    const user = stub.getUser()
    const signed = stub.signMessage('hi', { title: 'Sign' })
    expect(opened).toHaveLength(0)
    arrive()
    const asked = await asksOf(opened[0])
    expect(asked.map(({ name, data }) => [name, data])).toEqual([
      ['user', {}],
      ['moreForUser', { call: 'signMessage', data: { message: 'hi', ui: { title: 'Sign' } } }],
    ])
    asked[0]?.resolve({ user: null })
    asked[1]?.reject(new Error('no'))
    expect(await user).toBeNull()
    await expect(signed).rejects.toThrow('no')
  })

  it('has a promise of readiness that works before and after', async () => {
    const { stub, opened, arrive } = makePage()
    const { ready } = stub
    arrive()
    opened[0]?.asked[0]?.resolve({ user: null })
    expect(await ready).toEqual({ authenticated: false })
    const later = stub.ready
    opened[0]?.asked[1]?.resolve({ user: { id: 'u1' } })
    expect(await later).toEqual({ authenticated: true })
  })

  it('can be awaited and printed like any object', async () => {
    const { stub } = makePage()
    expect(await stub).toBe(stub)
    expect(String(stub)).toBe('[object Object]')
  })

  it('becomes the handle itself, and functions that were taken off it still work', async () => {
    const { page, stub, opened, arrive } = makePage()
    const { getUser } = stub
    const handle = arrive()
    expect(page.latchkey).toBe(stub)
    expect(stub.login).toBe(handle.login)
    expect(stub.appId).toBe('a'.repeat(25))
    const user = getUser()
    opened[0]?.asked[0]?.resolve({ user: null })
    expect(await user).toBeNull()
  })

  it('takes listeners, and takes them back before and after', () => {
    const { stub, opened, arrive } = makePage()
    const told: string[] = []
    const listen = (name: string) => stub.on('open', () => told.push(name))
    const [early, never] = [listen('early'), listen('never')]
    listen('kept')
    never()
    const handle = arrive()
    handle.getUser().catch(() => {})
    opened[0]?.onShown(true)
    early()
    opened[0]?.onShown(true)
    expect(told).toEqual(['early', 'kept', 'kept'])
  })

  it('rejects what waits, and what comes later, when the script fails to load', async () => {
    const { stub, fail } = makePage()
    const early = [stub.login(), stub.ready]
    const off = stub.on('open', () => {})
    fail({ target: { dataset: {} } })
    fail({ target: {} })
    fail({ target: { dataset: {}, src: 'https://www.example/charts/loader.js' } })
    expect(await Promise.race([...early, 'waiting'])).toBe('waiting')
    fail({ target: { dataset: { appId: 'a' } } })
    for (const call of [...early, stub.getUser(), stub.ready]) {
      await expect(call).rejects.toMatchObject({ code: 'server_unreachable' })
    }
    off()
    stub.on('open', () => {})()
  })

  it.each(['v1', '0.1.0'])(
    'rejects what waits for a tag without an app id that fails to load: %s',
    async (release) => {
      const { stub, fail } = makePage()
      const early = stub.login()
      fail({ target: { dataset: {}, src: `https://dialog.example/loader/${release}/loader.js` } })
      await expect(early).rejects.toMatchObject({ code: 'server_unreachable' })
    },
  )

  it('rejects what waits when the script has loaded and did not run, as in a browser that cannot read it', async () => {
    const { stub, load } = makePage()
    const early = stub.login()
    load({ target: { dataset: { appId: 'a' } } })
    for (const call of [early, stub.getUser()]) {
      await expect(call).rejects.toMatchObject({ code: 'not_supported' })
    }
  })

  it('is left alone when the script has loaded and run', async () => {
    const { stub, opened, arrive, load } = makePage()
    const user = stub.getUser()
    arrive()
    load({ target: { dataset: { appId: 'a' } } })
    opened[0]?.asked[0]?.resolve({ user: null })
    expect(await user).toBeNull()
  })

  it.each(['fly', 'forkSessions', 'toJSON'])(
    'a method that there is not is refused with a code: %s',
    async (name) => {
      const { stub, arrive } = makePage()
      const early = stub[name]?.()
      arrive()
      await expect(early).rejects.toMatchObject({ code: 'method_not_found' })
      await expect(stub[name]?.()).rejects.toMatchObject({ code: 'method_not_found' })
    },
  )

  it('replays nothing but what the handle itself has', async () => {
    const { stub, arrive } = makePage()
    if (!isStub(stub)) expect.unreachable()
    const refused: unknown[] = []
    const n = (error: unknown) => refused.push(Reflect.get(Object(error), 'code'))
    for (const m of ['constructor', '__proto__', 'toString', '']) stub.q.push({ m, a: [], y: () => {}, n })
    arrive()
    expect(refused).toEqual(Array(4).fill('method_not_found'))
  })
})
