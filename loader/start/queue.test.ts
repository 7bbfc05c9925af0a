import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Latchkey } from '../calls/latchkey.ts'
import { makeClient, resolvedCalls } from '../testing/client.ts'
import { adoptStub, isStub } from './queue.ts'

const stubText = readFileSync(join(import.meta.dirname, 'queue-stub.txt'), 'utf8')
const stubSource = /<script>([\s\S]*?)<\/script>/.exec(stubText)?.[1] ?? ''

beforeEach(() => vi.stubGlobal('document', new EventTarget()))
afterEach(() => vi.unstubAllGlobals())

/** A page that has run only the stub of the README, exactly as printed there. */
function makePage() {
  const listening: (readonly [string, (event: unknown) => void])[] = []
  const page: { window?: unknown; latchkey?: unknown } = createContext({
    document: {
      addEventListener: (type: string, run: (event: unknown) => void) => listening.push([type, run]),
    },
  })
  page.window = page
  runInContext(stubSource, page)
  // Typed as a handle, but a page may also read properties that a handle lacks.
  const stub = page.latchkey as Latchkey & Record<string, (...args: unknown[]) => Promise<unknown>>
  const { opened, handle } = makeClient()
  const arrive = () => {
    if (isStub(stub)) adoptStub(stub, handle)
    return handle
  }
  const happen = (type: string) => (event: unknown) => {
    for (const [received, run] of listening) if (received === type) run(event)
  }
  return { page, stub, opened, arrive, fail: happen('error'), load: happen('load') }
}

it('docs/embedding.md prints the CSP hash of the stub', () => {
  const hash = createHash('sha256').update(stubSource).digest('base64')
  expect(readFileSync(join(import.meta.dirname, '../../docs/embedding.md'), 'utf8')).toContain(
    `'sha256-${hash}'`,
  )
})

describe('the queue stub', () => {
  it('contains no method names', () => {
    const { arrive } = makePage()
    const members = Object.entries(Object.getOwnPropertyDescriptors(arrive()))
    const names = members.filter(([, { value }]) => typeof value === 'function').map(([name]) => name)
    expect(names).toContain('login')
    for (const name of names) expect(stubSource).not.toMatch(new RegExp(`['".]${name}\\b`))
  })

  it('is recognized as a stub, unlike any other value', () => {
    expect(isStub(makePage().stub)).toBe(true)
    for (const other of [null, undefined, 7, 'q', [], {}, { q: 7 }, makeClient().handle]) {
      expect(isStub(other)).toBe(false)
    }
  })

  it('queues calls until the script loads, with their arguments and in order', async () => {
    const { stub, opened, arrive } = makePage()
    const user = stub.getUser()
    const signed = stub.signMessage('hi', { title: 'Sign' })
    expect(opened).toHaveLength(0)
    arrive()
    const asked = await resolvedCalls(opened[0])
    expect(asked.map(({ name, data }) => [name, data])).toEqual([
      ['user', {}],
      ['moreForUser', { call: 'signMessage', data: { message: 'hi', ui: { title: 'Sign' } } }],
    ])
    asked[0]?.resolve({ user: null })
    asked[1]?.reject(new Error('no'))
    expect(await user).toBeNull()
    await expect(signed).rejects.toThrow('no')
  })

  it('has a ready promise that works before and after the script loads', async () => {
    const { stub, opened, arrive } = makePage()
    const { ready } = stub
    arrive()
    opened[0]?.calls[0]?.resolve({ user: null })
    expect(await ready).toEqual({ authenticated: false })
    const later = stub.ready
    opened[0]?.calls[1]?.resolve({ user: { id: 'u1' } })
    expect(await later).toEqual({ authenticated: true })
  })

  it('can be awaited and printed like any object', async () => {
    const { stub } = makePage()
    expect(await stub).toBe(stub)
    expect(String(stub)).toBe('[object Object]')
  })

  it('becomes the handle itself, and methods that were taken off it still work', async () => {
    const { page, stub, opened, arrive } = makePage()
    const { getUser } = stub
    const handle = arrive()
    expect(page.latchkey).toBe(stub)
    expect(stub.login).toBe(handle.login)
    expect(stub.appId).toBe('a'.repeat(25))
    const user = getUser()
    opened[0]?.calls[0]?.resolve({ user: null })
    expect(await user).toBeNull()
  })

  it('adds and removes listeners before and after the script loads', () => {
    const { stub, opened, arrive } = makePage()
    const received: string[] = []
    const listen = (name: string) => stub.on('open', () => received.push(name))
    const [early, never] = [listen('early'), listen('never')]
    listen('kept')
    never()
    const handle = arrive()
    handle.getUser().catch(() => {})
    opened[0]?.onShown(true)
    early()
    opened[0]?.onShown(true)
    expect(received).toEqual(['early', 'kept', 'kept'])
  })

  it('rejects pending and later calls if the script fails to load', async () => {
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
    'rejects pending calls for a tag without an app id that fails to load: %s',
    async (release) => {
      const { stub, fail } = makePage()
      const early = stub.login()
      fail({ target: { dataset: {}, src: `https://dialog.example/loader/${release}/loader.js` } })
      await expect(early).rejects.toMatchObject({ code: 'server_unreachable' })
    },
  )

  it('rejects pending calls if the script loads but does not run, as in a browser that cannot parse it', async () => {
    const { stub, load } = makePage()
    const early = stub.login()
    load({ target: { dataset: { appId: 'a' } } })
    for (const call of [early, stub.getUser()]) {
      await expect(call).rejects.toMatchObject({ code: 'not_supported' })
    }
  })

  it('is left alone if the script has loaded and run', async () => {
    const { stub, opened, arrive, load } = makePage()
    const user = stub.getUser()
    arrive()
    load({ target: { dataset: { appId: 'a' } } })
    opened[0]?.calls[0]?.resolve({ user: null })
    expect(await user).toBeNull()
  })

  it.each(['fly', 'forkSessions', 'toJSON'])('rejects an unknown method with a code: %s', async (name) => {
    const { stub, arrive } = makePage()
    const early = stub[name]?.()
    arrive()
    await expect(early).rejects.toMatchObject({ code: 'method_not_found' })
    await expect(stub[name]?.()).rejects.toMatchObject({ code: 'method_not_found' })
  })

  it('replays only own members of the handle', async () => {
    const { stub, arrive } = makePage()
    if (!isStub(stub)) expect.unreachable()
    const refused: unknown[] = []
    const n = (error: unknown) => refused.push(Reflect.get(Object(error), 'code'))
    for (const m of ['constructor', '__proto__', 'toString', '']) stub.q.push({ m, a: [], y: () => {}, n })
    arrive()
    expect(refused).toEqual(Array(4).fill('method_not_found'))
  })
})
