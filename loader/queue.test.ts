import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHandle } from './handle.ts'
import { adoptStub, isStub } from './queue.ts'
import { makeClient } from './testing/client.ts'

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
const stubSource = /<script>\n([\s\S]*?)<\/script>/.exec(readme)?.[1] ?? ''

/** A page that has run the stub of the README, and nothing else yet. */
function makePage() {
  const errors: ((event: unknown) => void)[] = []
  const window: { latchkey?: Record<string, (...args: unknown[]) => unknown> } = {}
  const source = stubSource.replaceAll(/(?<!window\.)latchkey(?=[[.}\s;])/g, 'window.latchkey')
  new Function('window', 'addEventListener', source)(window, (_type: string, run: (event: unknown) => void) =>
    errors.push(run),
  )
  const stub = window.latchkey ?? expect.unreachable()
  const { client, opened } = makeClient()
  const arrive = () => {
    const handle = createHandle('a'.repeat(25), { client, release() {} })
    if (isStub(stub)) adoptStub(stub, handle)
    return handle
  }
  const fail = (event: unknown) => {
    for (const run of errors) run(event)
  }
  return { window, stub, opened, arrive, fail }
}

describe('the queue stub of the README', () => {
  it('is two lines, and has every call of the handle', () => {
    const { stub, arrive } = makePage()
    expect(stubSource.trim().split('\n')).toHaveLength(2)
    const before = Object.keys(stub).filter((name) => name !== 'q')
    const calls = Object.entries(Object.getOwnPropertyDescriptors(arrive())).filter(
      ([, { value }]) => typeof value === 'function',
    )
    expect(before.sort()).toEqual(calls.map(([name]) => name).sort())
  })

  it('keeps calls until the script arrives, with their arguments and in their order', async () => {
    const { stub, opened, arrive } = makePage()
    const user = stub.getUser?.()
    const signed = stub.signMessage?.('hi', { title: 'Sign' })
    expect(opened).toHaveLength(0)
    arrive()
    const asked = opened[0]?.asked ?? []
    expect(asked.map(({ name, data }) => [name, data])).toEqual([
      ['user', {}],
      ['signMessage', { message: 'hi', ui: { title: 'Sign' } }],
    ])
    asked[0]?.resolve({ user: null })
    asked[1]?.reject(new Error('no'))
    expect(await user).toBeNull()
    await expect(signed).rejects.toThrow('no')
  })

  it('becomes the handle itself, and functions that were taken off it still work', async () => {
    const { window, stub, opened, arrive } = makePage()
    const { getUser } = stub
    const handle = arrive()
    expect(window.latchkey).toBe(stub)
    expect(stub.login).toBe(handle.login)
    expect(stub.appId).toBe('a'.repeat(25))
    const user = getUser?.()
    opened[0]?.asked[0]?.resolve({ user: null })
    expect(await user).toBeNull()
  })

  it('takes listeners, and takes them back before and after', () => {
    const { stub, opened, arrive } = makePage()
    const told: string[] = []
    const listen = (name: string) => stub.on?.('open', () => told.push(name))
    const offs = [listen('early'), listen('never'), listen('kept')]
    const off = (index: number) => {
      const run = offs[index]
      if (typeof run === 'function') run()
    }
    off(1)
    const handle = arrive()
    handle.getUser().catch(() => {})
    opened[0]?.onShown(true)
    off(0)
    opened[0]?.onShown(true)
    expect(told).toEqual(['early', 'kept', 'kept'])
  })

  it('rejects what waits, and what comes later, when the script fails to load', async () => {
    const { stub, fail } = makePage()
    const early = stub.login?.()
    fail({ target: { dataset: {} } })
    fail({ target: {} })
    fail({ target: { dataset: { appId: 'a' } } })
    await expect(early).rejects.toMatchObject({ code: 'server_unreachable' })
    await expect(stub.getUser?.()).rejects.toMatchObject({ code: 'server_unreachable' })
  })

  it('ignores what is no call of a handle', () => {
    const { stub, arrive } = makePage()
    if (!isStub(stub)) expect.unreachable()
    for (const m of ['constructor', '__proto__', 'appId', 'ready']) stub.q.push({ m, a: [] })
    expect(arrive).not.toThrow()
  })
})
