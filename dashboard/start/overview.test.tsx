import { beforeEach, expect, test, vi } from 'vitest'
import { app, open, type Replies, stubServer } from './testing/dashboard.tsx'

// The chart draws on a canvas, which the simulated document does not have.
vi.mock('../ui/chart.tsx', () => ({ Chart: () => null }))

const path = `/admin/v1/apps/${app}/sponsored`
const period = { from: '2026-11-24T00:00:00.000Z', to: '2026-11-30T12:00:00.000Z' }
const sponsored = {
  ...period,
  chains: [],
  limit: { usd_per_day: 20, spent_usd: '0.00', left_usd: '20.00' },
  pending: 0,
  data: [],
}

let replies: Replies
beforeEach(() => {
  ;({ replies } = stubServer())
  replies[`GET /admin/v1/apps/${app}/stats`] = { body: { ...period, data: [] } }
})

test('charts each metric by its kinds', async () => {
  const at = '2026-11-29T00:00:00.000Z'
  const data = [
    { metric: 'logins', by: 'email', at, count: 5 },
    { metric: 'signatures', by: 'card', at, count: 9 },
  ]
  replies[`GET /admin/v1/apps/${app}/stats`] = { body: { ...period, data } }
  replies[`GET ${path}`] = { body: sponsored }
  const page = open(`/apps/${app}/overview`)
  expect((await page.find('table', 'Logins by method')).textContent).toBe('KindTotalemail5')
  expect((await page.find('table', 'Signatures by place')).textContent).toBe('KindTotalcard9')
})

test('shows the sponsored fees by chain, and the rest of the limit', async () => {
  const day = { usd: '0.10', operations: 2, failed: 1 }
  replies[`GET ${path}`] = {
    body: {
      ...sponsored,
      chains: ['8453'],
      limit: { usd_per_day: 20, spent_usd: '3.50', left_usd: '16.50' },
      pending: 1,
      data: [
        { ...day, chain_id: '8453', at: '2026-11-29T00:00:00.000Z' },
        { ...day, chain_id: '8453', at: '2026-11-30T00:00:00.000Z', usd: '0.20' },
      ],
    },
  }
  const page = open(`/apps/${app}/overview`)
  const table = await page.find('table', 'Sponsored fees in US dollars')
  expect(table.textContent).toBe('KindTotalChain 84530.3')
  const tile = async (name: string) => (await page.findText(name)).nextElementSibling?.textContent
  expect(await tile('Left of 20 USD a day')).toBe('16.50')
  expect(await tile('Fees of 24 hours')).toBe('3.50')
  expect(await tile('Sponsored operations')).toBe('4')
  expect(await tile('Failed operations')).toBe('2')
  expect(await tile('In no block yet')).toBe('1')
})

test('says that the server pays no fees', async () => {
  replies[`GET ${path}`] = { body: sponsored }
  const page = open(`/apps/${app}/overview`)
  await page.findText('The server pays no fees for this app')
})
