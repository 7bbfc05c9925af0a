import { afterEach, describe, expect, it, vi } from 'vitest'
import { freePorts } from '../programs/ports.ts'
import { runByControl, serveControl } from './control.ts'
import type { Product } from './product.ts'

let close = async () => {}
afterEach(() => close())

async function served(answer: Product['app'] = async (...args) => args.join(' ')) {
  const app = vi.fn((...args: string[]) => answer(...args))
  const { control } = await freePorts()
  close = await serveControl({ app }, control)
  return { url: `http://127.0.0.1:${control}`, app }
}
const allowed = { 'content-type': 'application/json', 'latchkey-sandbox-control': '1' }

describe('the control server', () => {
  it('runs an operator command for another process, and returns its output', async () => {
    const { url, app } = await served()
    expect(await runByControl(url, ['set', 'an app', 'theme=dark'])).toBe('set an app theme=dark')
    expect(app).toHaveBeenCalledWith('set', 'an app', 'theme=dark')
  })

  it('returns the reason why a command was refused', async () => {
    const { url } = await served(() => Promise.reject(new Error('There is no app x')))
    await expect(runByControl(url, ['show', 'x'])).rejects.toThrow('There is no app x')
  })

  it.each([
    ['no header', { 'content-type': 'application/json' }, '["list"]', 403],
    ['a form submission of a page', { ...allowed, 'content-type': 'text/plain' }, '["list"]', 403],
    ['invalid JSON', allowed, 'list', 422],
    ['a body that is not an array', allowed, '{"0":"list"}', 422],
    ['an array with other values than strings', allowed, '["list",1]', 422],
    ['a body of over 100,000 characters', allowed, JSON.stringify(['x'.repeat(100_001)]), 422],
  ])('rejects %s without running a command', async (_, headers, body, status) => {
    const { url, app } = await served()
    expect((await fetch(`${url}/app`, { method: 'POST', headers, body })).status).toBe(status)
    expect(app).not.toHaveBeenCalled()
  })

  it('serves nothing else', async () => {
    const { url } = await served()
    expect((await fetch(`${url}/app`, { headers: allowed })).status).toBe(404)
    expect((await fetch(`${url}/`, { method: 'POST', headers: allowed, body: '[]' })).status).toBe(404)
  })
})
