import type { Action } from '@latchkey/protocol/reading'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Prepared } from '../preparation.ts'
import { SendScreen, type ShownSend } from './send-screen.tsx'

const shown: ShownSend = {
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
  mayCostMore: false,
  hasEnough: true,
  willFail: false,
}
const reviewOf = (
  over: Partial<Prepared> = {},
  more: Partial<ShownSend> & { isFundable?: boolean } = {},
  action: Action = { kind: 'native-transfer' },
) =>
  renderToStaticMarkup(
    <SendScreen
      state={{
        ...shown,
        ...more,
        status: 'review',
        approval: { by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } },
        prepared: { ...prepared, ...over },
        action,
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

  test('says whether the app gets it signed', () => {
    expect(reviewOf()).not.toContain('at any time')
    expect(reviewOf({}, { isHandedOver: true })).toContain('This is signed and handed to the app')
  })

  test('says to the last digit what is sent', () => {
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
      'all that there is',
      { kind: 'approval', token: usdc, spender, amount: null },
      'Allow everything that you have in USDC to be taken',
    ],
    [
      'nothing any more',
      { kind: 'approval-revoked', token: usdc, spender },
      'Take back: no more USDC may be taken',
    ],
  ])('says that %s is allowed, and to whom', (_what, action, words) => {
    const text = reviewOf({}, {}, action).replaceAll(/<[^>]*>/g, '')
    expect(text).toContain(words)
    expect(text).toMatch(new RegExp(`Taken by${spender.slice(0, 4)}`))
  })

  test('says whose tokens are allowed to be taken, where the call names somebody', () => {
    const action: Action = { kind: 'approval', token: usdc, owner, spender, amount: 5n }
    expect(reviewOf({}, {}, action).replaceAll(/<[^>]*>/g, '')).toMatch(/Taken from0x5290.*Taken by0xCD2a/)
  })
})

describe('a chain that nobody has named', () => {
  const chain = {
    id: 9_119,
    name: undefined,
    symbol: undefined,
    explorerUrl: 'https://etherscan.io',
    isOpStack: false,
  } as const
  test('has a number, and amounts in its smallest units', () => {
    const text = reviewOf({}, { chain, value: 1_234n }).replace(/<[^>]*>/g, ' ')
    expect(text).toContain('Send coins')
    expect(text).toContain('Unknown network (chain 9119)')
    expect(text).toContain('Send 1234 of the smallest units')
    expect(text).toContain('1000000000000000 of the smallest units')
  })
})

test('the words of a host are no facts: they stand before them, and say whose they are', () => {
  const html = reviewOf({}, { ui: { transactionInfo: { title: 'Network', action: 'Nothing is sent' } } })
  const facts = html.slice(html.indexOf('<dl'), html.indexOf('</dl>'))
  expect(facts).not.toContain('Nothing is sent')
  expect(html.replace(/<[^>]*>/g, '')).toContain('What the app says: Network: Nothing is sent')
})

test('fees that may be higher are said to be', () => {
  expect(reviewOf({ mayCostMore: true })).toContain('The fees may be higher')
  expect(reviewOf()).not.toContain('The fees may be higher')
})

test('the most that fees may cost is said whole', () => {
  expect(reviewOf({ mostFee: 10n ** 18n + 1n })).toContain('1.000000000000000001 ETH')
})

test('more than anybody has of a token is everything', () => {
  const token = { address: shown.from, symbol: 'USDC', decimals: 6 }
  const all = { kind: 'token-transfer', token, to: shown.from, amount: 2n ** 256n - 1n } as const
  expect(reviewOf({}, {}, all).replace(/<[^>]*>/g, '')).toContain('Send everything that there is in USDC')
})

/** Every piece of text that a person reads, in their order. */
const read = (html: string) => html.split(/<[^>]*>/).filter((text) => text !== '')
const leadOf = (html: string) => {
  const [, lead = ''] = /data-part="amount">(.*?)<\/div>/.exec(html) ?? []
  return lead.replaceAll(/<p[^>]*>/g, '|').replaceAll(/<[^>]*>/g, '')
}

describe('the review leads with', () => {
  const token = { address: shown.from, symbol: 'USDC', decimals: 6 }
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
    ['that is allowed', { kind: 'approval', token, spender: friend, amount: 10_000_000n }, '|10 USDC'],
    ['without limit', { kind: 'approval', token, spender: friend, amount: null }, '|Unlimited USDC'],
    [
      'of single things',
      { kind: 'nft-transfer', token: bird, from: shown.from, to: friend, id: 7n, count: 2n },
      '|2 × BIRD #7',
    ],
    [
      'of a collection',
      { kind: 'approval-for-all', token: bird, spender: friend, isGiven: true },
      '|Everything in BIRD',
    ],
    ['that an unknown call takes along', { kind: 'unknown', data: '0x12' }, '|1 ETH'],
  ])('the amount %s', (_what, action, lead) => {
    expect(leadOf(reviewOf({}, {}, action))).toBe(lead)
  })

  test.each<[Action]>([
    [{ kind: 'unknown', data: '0x12' }],
    [{ kind: 'contract-creation', data: '0x12' }],
    [{ kind: 'approval-revoked', token, spender: friend }],
    [{ kind: 'approval-for-all', token: bird, spender: friend, isGiven: false }],
  ])('no amount where none is moved: %j', (action) => {
    expect(leadOf(reviewOf({}, { value: 0n }, action))).toBe('')
  })

  test('dollars beside the amount, in the order that the host wants', () => {
    const usd = '12.34'
    expect(leadOf(reviewOf({}, { usd }))).toBe('|1 ETH|$12.34 at most, with fees')
    expect(leadOf(reviewOf({}, { usd, priceDisplay: { primary: 'fiat-currency' } }))).toBe('|$12.34|1 ETH')
    expect(leadOf(reviewOf({}, { usd, priceDisplay: { secondary: null } }))).toBe('|1 ETH')
  })
})

describe('a review that can not be paid', () => {
  const poor = { hasEnough: false, balance: finney }

  test('says what is there, what is needed, what is missing and what would suffice, before all facts', () => {
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

  test('has the button that adds funds, where there is one', () => {
    const all = read(reviewOf(poor, { isFundable: true }))
    expect(all).toContain('Add funds on Ethereum to complete the transaction.')
    expect(all.slice(-2)).toEqual(['Add Funds', 'Submit'])
  })
})
