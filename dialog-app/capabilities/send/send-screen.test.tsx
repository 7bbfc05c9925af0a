import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Prepared } from './preparation.ts'
import { SendScreen, type ShownSend } from './send-screen.tsx'

const shown: ShownSend = {
  ui: {},
  chain: { id: 1, name: 'Ethereum', symbol: 'ETH', decimals: 18, explorerUrl: 'https://etherscan.io' },
  from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  to: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  value: 10n ** 18n,
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
  usd: null,
  priceDisplay: undefined,
}
const finney = 10n ** 15n
const prepared: Prepared = {
  nonce: 7,
  gasLimit: 21_000n,
  fees: { kind: 'legacy', gasPrice: 1n },
  estimatedFee: finney,
  mostFee: 2n * finney,
  balance: 10n ** 20n,
  hasEnough: true,
  willFail: false,
}
const reviewOf = (over: Partial<Prepared> = {}, more: Partial<ShownSend> = {}) =>
  renderToStaticMarkup(
    <SendScreen
      state={{
        ...shown,
        ...more,
        status: 'review',
        approval: { by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } },
        prepared: { ...prepared, ...over },
        action: { kind: 'native-transfer' },
      }}
      send={() => {}}
    />,
  )

describe('the review of a transaction', () => {
  test('says what fees may cost at most, where that is more than three times what they will', () => {
    expect(reviewOf({ mostFee: 3n * finney })).not.toContain('Fees at most')
    expect(reviewOf({ mostFee: 30_000n * finney })).toMatch(/Fees at most.*?30 ETH/)
  })

  test.each([
    [undefined, ['Estimated fees', 'Total', 'Worth at most']],
    [{ primary: 'native-token' }, ['Estimated fees', 'Total', 'Worth at most']],
    [{ primary: 'fiat-currency' }, ['Worth at most', 'Estimated fees', 'Total']],
    [{ primary: 'fiat-currency', secondary: null }, ['Worth at most', 'Estimated fees', 'Total']],
    [{ primary: 'native-token', secondary: null }, ['Estimated fees', 'Total']],
    [{ secondary: null }, ['Estimated fees', 'Total']],
  ] as const)(
    'shows what it is worth where the host wants it, and its own currency always: %j',
    (priceDisplay, rows) => {
      const review = reviewOf({}, { usd: '12.34', priceDisplay })
      const shownRows = [...review.matchAll(/Estimated fees|Total|Worth at most/g)].map(([row]) => row)
      expect(shownRows).toEqual(rows)
      expect(review).toMatch(/Total.*?1\.001 ETH/)
      expect(review.includes('$12.34')).toBe(review.includes('Worth at most'))
    },
  )

  test('says whether the app gets it signed, or may get it', () => {
    expect(reviewOf()).not.toContain('at any time')
    expect(reviewOf({}, { isHandedOver: true })).toContain('This is signed and given to the app')
    expect(reviewOf({}, { mayBeHandedOver: true })).toContain(
      'Once it is signed, this may be given to the app',
    )
  })
})
