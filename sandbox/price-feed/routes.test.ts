import { afterAll, expect, test } from 'vitest'
import { startSandbox } from '../sandbox.ts'

const sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
afterAll(() => sandbox.stop())
const at = sandbox.httpUrl.replace('sandbox.localhost', '127.0.0.1')

const ask = (query: string) => fetch(`${at}/price-feed/simple/price?${query}`)
const post = (path: string, body: unknown) =>
  fetch(at + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const whole = 'ids=ethereum,nobody&vs_currencies=usd&include_last_updated_at=true'

test('the feed returns prices with their time, and omits unknown coins', async () => {
  const said = await (await ask(whole)).json()
  expect(said).toEqual({ ethereum: { usd: 2_500, last_updated_at: expect.any(Number) } })
  expect(Math.abs(said.ethereum.last_updated_at - Date.now() / 1_000)).toBeLessThan(60)
  expect(await (await ask('ids=ethereum&vs_currencies=usd')).json()).toEqual({ ethereum: { usd: 2_500 } })
})

test('the feed returns a price that a test has set', async () => {
  expect(await (await post('/api/prices', { ethereum: 3_000.5 })).json()).toMatchObject({ ethereum: 3_000.5 })
  expect(await (await ask(whole)).json()).toMatchObject({ ethereum: { usd: 3_000.5 } })
  expect((await post('/api/prices', { ethereum: '1' })).status).toBe(400)
})

test('the feed fails on demand', async () => {
  await post('/api/faults', { priceFeed: 'failing' })
  expect((await ask(whole)).status).toBe(500)
  await post('/api/faults', { priceFeed: 'too-many-requests' })
  expect((await ask(whole)).status).toBe(429)
  await post('/api/faults', { priceFeed: 'stale' })
  const { ethereum } = await (await ask(whole)).json()
  expect(Date.now() / 1_000 - ethereum.last_updated_at).toBeGreaterThan(3_500)
  await post('/api/faults', { priceFeed: 'none' })
  expect((await ask(whole)).status).toBe(200)
})
