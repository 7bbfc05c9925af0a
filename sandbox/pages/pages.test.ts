import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCoins } from '../chain/page.ts'
import { type Sandbox, startSandbox } from '../sandbox.ts'
import { bar, places } from './layout.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 0 })
})
afterAll(() => sandbox.stop())

const get = (path: string) => fetch(`http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`)
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

async function rpc(method: string, ...params: readonly unknown[]) {
  const answer = await fetch(sandbox.chainUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await answer.json()).result
}

test.each(places.map(({ path, name }) => [path, name] as const))(
  '%s has the title %s, links to the other pages, and runs only own scripts',
  async (path, name) => {
    const answer = await get(path)
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(page).toContain('plays every third party on this machine')
    expect(page).toContain(`<a href="${path}" aria-current="page">${name}</a>`)
    for (const other of places) expect(page).toContain(`<a href="${other.path}"`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|\*/)
  },
)

test('the inbox file has the same navigation bar as the other pages', () => {
  const flat = (text: string) => text.replaceAll(/>\s+</g, '><').replaceAll(/\s+/g, ' ')
  const inbox = readFileSync(new URL('../mail/page/index.html', import.meta.url), 'utf8')
  expect(flat(inbox)).toContain(flat(bar('/')))
})

test('each live page polls an address that responds', async () => {
  for (const path of ['/phone', '/chain', '/relay']) {
    const [, live = ''] = /data-live="([^"]+)"/.exec(await (await get(path)).text()) ?? []
    const answer = await get(live)
    expect([path, answer.status]).toEqual([path, 200])
  }
})

test('the chain page shows the coin price and new transactions', async () => {
  const before = await (await get('/chain')).text()
  expect(before).not.toContain('0.01 ETH')
  expect(before).toContain('$2,500')
  const { block } = await (await get('/api/chain/head')).json()
  const [from] = await rpc('eth_accounts')
  const hash = await rpc('eth_sendTransaction', { from, to: recipient, value: '0x2386f26fc10000' })
  await expect.poll(async () => (await (await get('/api/chain/head')).json()).block).toBeGreaterThan(block)
  const after = await (await get('/chain')).text()
  expect(after).toContain(hash)
  expect(after).toContain('0.01 ETH')
})

test('the chain page states that there is no chain', async () => {
  const without = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
  try {
    const page = await fetch(`http://127.0.0.1:${new URL(without.httpUrl).port}/chain`)
    expect(await page.text()).toContain('There is no chain')
  } finally {
    await without.stop()
  }
})

test.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [10_000_000_000_000_000n, '0.01'],
  [10_000_000_000_000_000_000n, '10'],
])('formats %s wei as %s coins', (wei, coins) => {
  expect(formatCoins(wei)).toBe(coins)
})
