import type { Action } from '@latchkey/protocol/reading'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { noHandlers } from '../../../testing/approval.ts'
import type { Prepared } from '../preparation.ts'
import { type SendFacts, SendView, type SendViewProps } from './send-screen.tsx'

const facts: SendFacts = {
  ui: {},
  chain: {
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    decimals: 18,
    explorerUrl: 'https://etherscan.io',
    isOpStack: false,
  },
  from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  to: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  value: 10n ** 18n,
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
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
  mayCostMore: false,
  hasEnough: true,
  willFail: false,
}
const reviewOf = (
  over: Partial<Prepared> = {},
  {
    usd = null,
    isFundable = false,
    ...more
  }: Partial<SendFacts & Pick<SendViewProps, 'usd' | 'isFundable'>> = {},
  action: Action = { kind: 'native-transfer' },
) =>
  renderToStaticMarkup(
    <SendView
      facts={{ ...facts, ...more }}
      usd={usd}
      isFundable={isFundable}
      step={{ status: 'review', prepared: { ...prepared, ...over }, action }}
      approval={{ by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } }}
      handlers={noHandlers}
      onRetry={() => {}}
      onAddFunds={() => {}}
      onLeave={() => {}}
    />,
  )

describe('the review of a transaction', () => {
  test('shows the maximum fee if that is more than three times the estimate', () => {
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
    'shows the worth where the host wants it, and always the currency of the chain: %j',
    (priceDisplay, rows) => {
      const review = reviewOf({}, { usd: '12.34', priceDisplay })
      const shownRows = [...review.matchAll(/Estimated fees|Total|Worth at most/g)].map(([row]) => row)
      expect(shownRows).toEqual(rows)
      expect(review).toMatch(/Total.*?1\.001 ETH/)
      expect(review.includes('$12.34')).toBe(review.includes('Worth at most'))
    },
  )

  test('warns if the app gets the signed transaction', () => {
    expect(reviewOf()).not.toContain('at any time')
    expect(reviewOf({}, { isHandedOver: true })).toContain('This is signed and handed to the app')
  })

  test('shows every digit of the amount', () => {
    expect(reviewOf({}, { value: 1n })).toContain('Send 0.000000000000000001 ETH')
    expect(reviewOf({}, { value: 10n ** 18n + 1n })).toContain('Send 1.000000000000000001 ETH')
  })

  const usdc = { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', symbol: 'USDC', decimals: 6 }
  const spender = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
  const owner = '0x52908400098527886E0F7030069857D2E4169EE7'
  test.each<[string, Action, string]>([
    [
      'an amount',
      { kind: 'approval', token: usdc, spender, amount: 5_000_001n },
      'Allow 5.000001 USDC to be taken',
    ],
    [
      'an amount more',
      { kind: 'approval', token: usdc, spender, amount: 5_000_000n, isMore: true },
      'Allow 5 USDC more to be taken',
    ],
    [
      'an unlimited amount',
      { kind: 'approval', token: usdc, spender, amount: null },
      'Allow everything that you have in USDC to be taken',
    ],
    ['nothing', { kind: 'approval-revoked', token: usdc, spender }, 'Take back: no more USDC may be taken'],
  ])('shows that %s is allowed, and the spender', (_what, action, words) => {
    const text = reviewOf({}, {}, action).replaceAll(/<[^>]*>/g, '')
    expect(text).toContain(words)
    expect(text).toMatch(new RegExp(`Taken by${spender.slice(0, 4)}`))
  })

  test('shows the owner of the tokens if the call names one', () => {
    const action: Action = { kind: 'approval', token: usdc, owner, spender, amount: 5n }
    expect(reviewOf({}, {}, action).replaceAll(/<[^>]*>/g, '')).toMatch(/Taken from0x5290.*Taken by0xCD2a/)
  })
})

describe('a chain without a name', () => {
  const chain = {
    id: 9_119,
    name: undefined,
    symbol: undefined,
    explorerUrl: 'https://etherscan.io',
    isOpStack: false,
  } as const
  test('is shown by its number, with amounts in its smallest units', () => {
    const text = reviewOf({}, { chain, value: 1_234n }).replace(/<[^>]*>/g, ' ')
    expect(text).toContain('Send coins')
    expect(text).toContain('Unknown network (chain 9119)')
    expect(text).toContain('Send 1234 of the smallest units')
    expect(text).toContain('1000000000000000 of the smallest units')
  })
})

test('the texts of a host are shown before the facts, and labelled', () => {
  const html = reviewOf({}, { ui: { transactionInfo: { title: 'Network', action: 'Nothing is sent' } } })
  const factList = html.slice(html.indexOf('<dl'), html.indexOf('</dl>'))
  expect(factList).not.toContain('Nothing is sent')
  expect(html.replace(/<[^>]*>/g, '')).toContain('What the app says: Network: Nothing is sent')
})

test('the review warns about fees that may be higher', () => {
  expect(reviewOf({ mayCostMore: true })).toContain('The fees may be higher')
  expect(reviewOf()).not.toContain('The fees may be higher')
})

test('the maximum fee is shown with every digit', () => {
  expect(reviewOf({ mostFee: 10n ** 18n + 1n })).toContain('1.000000000000000001 ETH')
})

test('the highest possible amount is shown as everything', () => {
  const token = { address: facts.from, symbol: 'USDC', decimals: 6 }
  const all = { kind: 'token-transfer', token, to: facts.from, amount: 2n ** 256n - 1n } as const
  expect(reviewOf({}, {}, all).replace(/<[^>]*>/g, '')).toContain('Send everything that there is in USDC')
})

/** Returns the visible texts in order. */
const read = (html: string) => html.split(/<[^>]*>/).filter((text) => text !== '')
const leadOf = (html: string) => {
  const [, lead = ''] = /data-part="amount">(.*?)<\/div>/.exec(html) ?? []
  return lead.replaceAll(/<p[^>]*>/g, '|').replaceAll(/<[^>]*>/g, '')
}

describe('the review leads with', () => {
  const token = { address: facts.from, symbol: 'USDC', decimals: 6 }
  const friend = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
  const bird = { ...token, symbol: 'BIRD', decimals: undefined }

  test('the amount, right below the title', () => {
    expect(read(reviewOf()).slice(0, 5)).toEqual([
      'Send ETH',
      '1 ETH',
      'F',
      'Fieldnotes',
      'app.fieldnotes.example',
    ])
  })

  test.each<[string, Action, string]>([
    ['of coins', { kind: 'native-transfer' }, '|1 ETH'],
    ['of a token', { kind: 'token-transfer', token, to: friend, amount: 25_500_000n }, '|25.5 USDC'],
    [
      'of everything',
      { kind: 'token-transfer', token, to: friend, amount: 2n ** 256n - 1n },
      '|Everything in USDC',
    ],
    ['of an approval', { kind: 'approval', token, spender: friend, amount: 10_000_000n }, '|10 USDC'],
    [
      'of an unlimited approval',
      { kind: 'approval', token, spender: friend, amount: null },
      '|Unlimited USDC',
    ],
    [
      'of NFTs',
      { kind: 'nft-transfer', token: bird, from: facts.from, to: friend, id: 7n, count: 2n },
      '|2 × BIRD #7',
    ],
    [
      'of a collection',
      { kind: 'approval-for-all', token: bird, spender: friend, isGiven: true },
      '|Everything in BIRD',
    ],
    ['of an unknown call with coins', { kind: 'unknown', data: '0x12' }, '|1 ETH'],
  ])('the amount %s', (_what, action, lead) => {
    expect(leadOf(reviewOf({}, {}, action))).toBe(lead)
  })

  test.each<[Action]>([
    [{ kind: 'unknown', data: '0x12' }],
    [{ kind: 'contract-creation', data: '0x12' }],
    [{ kind: 'approval-revoked', token, spender: friend }],
    [{ kind: 'approval-for-all', token: bird, spender: friend, isGiven: false }],
  ])('no amount if nothing is transferred: %j', (action) => {
    expect(leadOf(reviewOf({}, { value: 0n }, action))).toBe('')
  })

  test('dollars below the amount, or in the order that the host sets', () => {
    const usd = '12.34'
    expect(leadOf(reviewOf({}, { usd }))).toBe('|1 ETH|$12.34 at most, with fees')
    expect(leadOf(reviewOf({}, { usd, priceDisplay: { primary: 'fiat-currency' } }))).toBe('|$12.34|1 ETH')
    expect(leadOf(reviewOf({}, { usd, priceDisplay: { secondary: null } }))).toBe('|1 ETH')
  })
})

describe('a review without enough funds', () => {
  const poor = { hasEnough: false, balance: finney }

  test('shows the balance, the needed and the missing amount before the facts', () => {
    const all = read(reviewOf(poor))
    expect(all.slice(5, 15)).toEqual([
      'Wallet has insufficient funds on this network for this transaction.',
      'Balance',
      '0.001 ETH',
      'Needed at most',
      '1.002 ETH',
      'Missing',
      '1.001 ETH',
      'You need 1.001 ETH more on Ethereum.',
      'Copy address',
      'From',
    ])
    expect(all.at(-1)).toBe('Submit')
    expect(all).not.toContain('Add Funds')
  })

  test('has a button that adds funds if that is possible', () => {
    const all = read(reviewOf(poor, { isFundable: true }))
    expect(all).toContain('Add funds on Ethereum to complete the transaction.')
    expect(all.slice(-2)).toEqual(['Add Funds', 'Submit'])
  })
})
