import { describe, expect, test } from 'vitest'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { createRpc, type Fetch, RpcRefused } from './rpc.ts'

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const result = (value: unknown) => async () => json({ jsonrpc: '2.0', id: 1, result: value })
const silent: Fetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function chain(answers: Readonly<Record<string, Fetch>>) {
  const clock = makeFakeClock()
  const asked: string[] = []
  const fetch: Fetch = (url, init) => {
    asked.push(url)
    const answer = answers[url]
    return answer ? answer(url, init) : Promise.reject(new TypeError('Failed to fetch'))
  }
  return { clock, asked, rpc: createRpc(Object.keys(answers), { clock, fetch }) }
}

describe('RPC node', () => {
  test('is called at the first URL', async () => {
    const { rpc, asked } = chain({ 'https://a.example': result('0x1'), 'https://b.example': result('0x2') })
    expect(await rpc.ask('eth_chainId', [])).toBe('0x1')
    expect(asked).toEqual(['https://a.example'])
  })

  test.each<[string, Fetch]>([
    ['can not be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['answers with a page', async () => new Response('<!doctype html>', { status: 502 })],
    ['answers with anything', async () => json({ hello: 1 })],
    ['takes no more calls', async () => json({ error: { code: -32_005, message: 'limit exceeded' } })],
  ])('is asked at the next one where the first %s', async (_name, first) => {
    const { rpc, asked } = chain({ 'https://a.example': first, 'https://b.example': result('0x2') })
    expect(await rpc.ask('eth_chainId', [])).toBe('0x2')
    expect(asked).toEqual(['https://a.example', 'https://b.example'])
  })

  test('is abandoned for the next after 5 s', async () => {
    const { rpc, clock, asked } = chain({ 'https://a.example': silent, 'https://b.example': result('0x2') })
    const answer = watch(rpc.ask('eth_chainId', []))
    await settle()
    await clock.advance(4_999)
    expect(asked).toEqual(['https://a.example'])
    await clock.advance(1)
    await settle()
    expect(answer.value).toBe('0x2')
  })

  test('is the only one called if it refuses the call', async () => {
    const refused: Fetch = async () =>
      json({ error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } })
    const { rpc, asked } = chain({ 'https://a.example': refused, 'https://b.example': result('0x2') })
    const error = await rpc.ask('eth_call', []).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RpcRefused)
    expect(error).toMatchObject({ code: 3, message: 'execution reverted', data: '0x08c379a0' })
    expect(asked).toEqual(['https://a.example'])
  })

  test('rejects with a code if no node answers', async () => {
    const { rpc } = chain({})
    await expect(rpc.ask('eth_chainId', [])).rejects.toMatchObject({ code: 'server_unreachable' })
  })

  test('is not awaited after the caller aborted', async () => {
    const { rpc, asked } = chain({ 'https://a.example': silent, 'https://b.example': result('0x2') })
    const over = new AbortController()
    const answer = watch(rpc.ask('eth_chainId', [], over.signal))
    await settle()
    over.abort(new Error('over'))
    await settle()
    expect(answer.settled).toBe(true)
    expect(asked).toEqual(['https://a.example'])
  })
})
