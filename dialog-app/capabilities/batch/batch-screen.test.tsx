import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { type BatchFacts, BatchView } from './batch-screen.tsx'
import type { Outcome } from './batch-status.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const friend = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const hash = `0x${'5e3f'.repeat(16)}`
const batch: BatchFacts = {
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
  chain: {
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    decimals: 18,
    explorerUrl: 'https://etherscan.io',
    isOpStack: false,
  },
  from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  calls: [
    { to: token, value: '0', hasData: true, hash: null },
    { to: token, value: '250000000000000000', hasData: true, hash },
    { to: friend, value: '1', hasData: false, hash },
    { to: null, value: '0', hasData: true, hash },
  ],
}
const textOf = (facts: BatchFacts = batch, outcomes?: readonly Outcome[]) =>
  renderToStaticMarkup(<BatchView facts={facts} outcomes={outcomes} isBusy={false} onPress={() => {}} />)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u2066-\u2069\u200b]+/g, ' ')

describe('the list of a batch', () => {
  const review = textOf()

  test('shows the action of each call, the exact amounts, and their sum', () => {
    expect(review).toContain('4 transactions')
    expect(review).toMatch(
      /Call a contract (?!,).*Call a contract, with 0\.25 ETH.*Send 0\.000000000000000001 ETH/,
    )
    expect(review).toContain('Create a contract')
    expect(review).toMatch(/Sum, without fees 0\.250000000000000001 ETH/)
  })

  test('shows the origin that the browser reports, and that calls are approved separately', () => {
    expect(review).toContain('app.fieldnotes.example')
    expect(review).toContain('You approve each of them separately')
    expect(review).not.toContain('Done')
  })

  test('shows the outcome of each call', () => {
    const shown = textOf(batch, ['succeeded', 'waiting', 'reverted', 'not-sent'])
    expect(shown).toMatch(/Done.*Waiting.*Rejected by the network.*Not sent/)
  })

  test('shows amounts in the smallest units on a chain without a name', () => {
    const chain = {
      id: 999,
      explorerUrl: 'https://explorer.example',
      isOpStack: false,
    } as BatchFacts['chain']
    const shown = textOf({ ...batch, chain })
    expect(shown).toContain('250000000000000001 of the smallest units')
    expect(shown).toContain('Unknown network (chain 999)')
  })
})
