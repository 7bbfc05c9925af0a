// @vitest-environment happy-dom
/** The words of descriptors and simulations on the confirmation page. */
import type { OpenConfirmation } from '@latchkey/protocol/api'
import { expect, test } from 'vitest'
import { renderRequest } from './shown.ts'
import type { Content } from './subject.ts'
import { pageTexts } from './texts.ts'

const texts = pageTexts.in('en')
const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const contract = '0x00000000000000000000000000000000000000AA'
const token = '0x00000000000000000000000000000000000000dc'

const content: Content = {
  type: 'transaction',
  chainId: 1n,
  chain: { name: 'Ethereum', symbol: 'ETH', decimals: 18 },
  to: contract,
  value: 5n * 10n ** 17n,
  mostFee: 0n,
  action: { kind: 'unknown', data: '0x12345678c0ffee' },
  isUnlisted: false,
}
const record: OpenConfirmation = {
  state: 'open',
  appName: 'Fieldnotes',
  request: { method: 'eth_signTransaction', params: ['0x02', wallet] },
  address: wallet,
  account: null,
  digest: `0x${'d1'.repeat(32)}`,
  reason: 'not_understood',
  usd: null,
  origin: null,
  chain: content.chain ?? null,
  token: null,
  tokens: [],
  l1Fee: null,
  passkey: null,
  expiresInSeconds: 300,
}
const description: NonNullable<OpenConfirmation['description']> = {
  owner: 'Harbour',
  intent: 'Swap tokens',
  lines: [
    { label: 'You pay', value: `1.5 PRC (${token})`, isSmallestUnit: false },
    { label: 'You receive', value: '7', isSmallestUnit: true },
  ],
  rest: [{ path: 'extra', value: '0xc0ffee' }],
}

/** Returns the text of each element that the page shows below the title. */
const render = (change: Partial<OpenConfirmation>, shown: Content = content) =>
  renderRequest({ record: { ...record, ...change }, content: shown }, texts).parts.map(
    (part) => part.textContent,
  )
const plainParts = render({})

test('shows a description after all that the page shows without it, which stays the same', () => {
  const parts = render({ description })
  expect(parts.slice(0, plainParts.length)).toEqual(plainParts)
  expect(parts.slice(plainParts.length)).toEqual([
    'The words below are from Harbour. We have not checked them. The values are those of the request.',
    `Swap tokensYou pay1.5 PRC (${token})You receive7 of the smallest unitsValues that this description leaves outextra0xc0ffee`,
  ])
  expect(plainParts.join()).toContain('We cannot tell what this transaction does.')
  expect(plainParts.join()).toContain(`To${contract}`)
  expect(plainParts.join()).toContain('Value0.5 ETH')
  expect(plainParts.join()).toContain('0x12345678c0ffee')
})

test('keeps labels that imitate ours in the box of the description, and shows invisible characters', () => {
  const imitation = {
    ...description,
    owner: 'your wallet. We have checked',
    lines: [
      { label: 'To', value: wallet, isSmallestUnit: false },
      { label: 'Network', value: 'Test\u202E', isSmallestUnit: false },
      { label: '<b>Value</b>', value: '0 ETH', isSmallestUnit: false },
    ],
    rest: [],
  }
  const { parts } = renderRequest({ record: { ...record, description: imitation }, content }, texts)
  expect(parts.slice(0, plainParts.length).map((part) => part.textContent)).toEqual(plainParts)
  const box = parts.at(-1)
  expect(box?.className).toBe('box')
  expect(box?.ariaLabel).toBe('Description by another party')
  expect([...(box?.querySelectorAll('dt') ?? [])].map((term) => term.textContent)).toEqual([
    'To',
    'Network',
    '<b>Value</b>',
  ])
  expect(box?.querySelector('.chip')?.textContent).toBe('U+202E')
  expect(parts.at(-2)?.querySelector('bdi')?.textContent).toBe('your wallet. We have checked')
})

test('describes typed data after all of its values', () => {
  const typed: Content = {
    type: 'typed-data',
    tree: [{ name: 'buyer', type: 'address', value: contract }],
    findings: [],
  }
  const without = render({}, typed)
  const parts = render({ description }, typed)
  expect(parts.filter((part) => !without.includes(part)).at(-1)).toMatch(/^Swap tokensYou pay/)
  expect(without.every((part) => parts.includes(part))).toBe(true)
})

test('shows simulated balance changes last, and that they are those of now', () => {
  const changes = [
    { token: null, symbol: 'ETH', amount: '-0.5', isSmallestUnit: false, id: null },
    { token, symbol: 'PRC', amount: '+1.5', isSmallestUnit: false, id: null },
    { token, symbol: null, amount: '+7', isSmallestUnit: true, id: null },
    { token, symbol: null, amount: '+1', isSmallestUnit: false, id: '3' },
  ]
  const parts = render({ description, simulation: { reverts: false, changes } })
  expect(parts.at(-1)).toBe(
    `If it were submitted now, your balances would change by:-0.5 ETH+1.5 PRC ${token}+7 of the smallest units ${token}+1 tokens #3 ${token}The result may be another one when it is submitted.`,
  )
  expect(parts.slice(0, plainParts.length)).toEqual(plainParts)
})

test('shows simulated balance changes of a Solana transaction last', () => {
  const [solana, mint] = [
    'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ]
  const meaning = { actions: [], payer: solana, mostFee: 5_000n, tables: [], otherSigners: [] }
  const shown: Content = { type: 'solana-transaction', wallet: solana, meaning }
  const without = render({}, shown)
  const changes = [
    { token: null, symbol: 'SOL', amount: '-0.000005', isSmallestUnit: false, id: null },
    { token: mint, symbol: 'USDC', amount: '+2', isSmallestUnit: false, id: null },
  ]
  expect(render({ simulation: { reverts: false, changes } }, shown)).toEqual([
    ...without,
    `If it were submitted now, your balances would change by:-0.000005 SOL+2 USDC ${mint}The result may be another one when it is submitted.`,
  ])
})

test('shows that a simulated transaction changes nothing or fails', () => {
  expect(render({ simulation: { reverts: false, changes: [] } }).at(-1)).toMatch(
    /^If it were submitted now, it would not change your balances\./,
  )
  expect(render({ simulation: { reverts: true, changes: [] } }).at(-1)).toMatch(
    /^If it were submitted now, it would fail\./,
  )
})
