import { type LoginMethod, loginMethods } from '@latchkey/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Item, layOut, type Placed, type Wishes } from './layout.ts'

const showsOf = (method: LoginMethod): Placed['shows'] => {
  switch (method) {
    case 'email':
    case 'sms':
      return 'field'
    case 'wallet':
      return 'wallets'
    case 'passkey':
      return 'link'
    default:
      return 'row'
  }
}
const place = (names: readonly LoginMethod[]) => names.map((method) => ({ method, shows: showsOf(method) }))
const said = (item: Item) => {
  switch (item.kind) {
    case 'method':
      return item.method
    case 'wallet':
      return `#${item.position + 1}`
    case 'opener':
      return `${item.says}>${item.opens}`
    default:
      return item satisfies never
  }
}
const list = (words: string) => words.split(' ').filter((word) => word !== '') as LoginMethod[]

/** Views in words: `default`, then what else is not empty. */
function laidOut(methods: string, wishes: Partial<Wishes> = {}) {
  const all = layOut(
    { primary: undefined, groupPriority: 'web2-first', wallets: 0, ...wishes },
    place(list(methods)),
  )
  const views = Object.entries(all).filter(([view, items]) => view === 'default' || items.length > 0)
  return Object.fromEntries(views.map(([view, items]) => [view, items.map(said).join(' ')]))
}

describe('an order of the host', () => {
  const five = 'email sms google apple discord'
  // spec L9.9, L9.10, L2.16, L2.18
  test.each([
    ['one', 'google', '', { default: 'google' }],
    ['four, all', 'email sms google apple', '', { default: 'email sms google apple' }],
    ['five, all', five, '', { default: five }],
    [
      'five with an overflow, four',
      five,
      'github',
      { default: 'email sms google apple moreOptions>more', more: 'discord github' },
    ],
    [
      'six, four',
      `${five} github`,
      '',
      { default: 'email sms google apple moreOptions>more', more: 'discord github' },
    ],
    [
      'two with an overflow, both',
      'email google',
      'apple passkey',
      { default: 'email google moreOptions>more', more: 'apple passkey' },
    ],
    ['none but an overflow', '', 'apple', { default: 'moreOptions>more', more: 'apple' }],
    ['the link where it stands', 'passkey email', '', { default: 'passkey email' }],
  ])('shows of %s', (_name, primary, overflow, expected) => {
    expect(laidOut(`${primary} ${overflow}`, { primary: list(primary) })).toEqual(expected)
  })

  // spec L2.19
  test('stands a button for the wallets, wherever they are', () => {
    const primary = list('email wallet')
    expect(laidOut('email wallet', { primary, wallets: 2 })).toEqual({
      default: 'email aWallet>web3-overflow',
      'web3-overflow': '#1 #2',
    })
    expect(laidOut('email wallet', { primary: list('email'), wallets: 1 })).toEqual({
      default: 'email moreOptions>more',
      more: 'aWallet>web3-overflow',
      'web3-overflow': '#1',
    })
    expect(laidOut('email wallet', { primary })).toEqual({ default: 'email wallet' })
  })
})

describe('web2 first', () => {
  // spec L9.11, L2.17, L2.22
  test.each([
    ['a field and three socials, all', 'email google apple twitter', undefined],
    ['four socials, all', 'google apple discord github', 'google apple discord github'],
    ['two fields and two socials, all', 'email sms google apple', 'email sms google apple'],
    [
      'five socials, three',
      'google apple discord github tiktok',
      'google apple discord otherSocials>web2-overflow',
    ],
    [
      'a field and four socials, two',
      'email google apple discord github',
      'email google apple otherSocials>web2-overflow',
    ],
    [
      'two fields and three socials, one',
      'sms email google apple discord',
      'sms email google otherSocials>web2-overflow',
    ],
    [
      'Telegram and Farcaster as socials',
      'email telegram farcaster google apple',
      'email telegram farcaster otherSocials>web2-overflow',
    ],
  ])('shows of %s', (_name, methods, expected) => {
    expect(laidOut(methods).default).toBe(expected ?? methods)
  })

  test('keeps the rest behind the button', () => {
    expect(laidOut('sms email google apple discord')['web2-overflow']).toBe('apple discord')
  })

  // spec L2.19, L2.23
  test('leads to the wallets by a button below, and has the passkey last', () => {
    expect(laidOut('passkey wallet email google', { wallets: 5 })).toEqual({
      default: 'email google aWallet>web3-overflow passkey',
      'web3-overflow': '#1 #2 #3 #4 #5',
    })
    expect(laidOut('wallet email').default).toBe('email wallet')
  })
})

describe('web3 first', () => {
  const groupPriority = 'web3-first'
  // spec L9.12, L2.17, L2.19, L2.23
  test.each([
    [1, '#1', undefined],
    [4, '#1 #2 #3 #4', undefined],
    [5, '#1 #2 #3 otherWallets>web3-overflow', '#4 #5'],
    [7, '#1 #2 #3 otherWallets>web3-overflow', '#4 #5 #6 #7'],
  ])('of %d wallets', (wallets, shown, rest) => {
    expect(laidOut('email passkey wallet google', { groupPriority, wallets })).toEqual({
      default: `${shown} email google passkey`,
      ...(rest !== undefined && { 'web3-overflow': rest }),
    })
  })

  test('keeps the rule of the socials below', () => {
    expect(laidOut('wallet email google apple discord github', { groupPriority, wallets: 1 })).toEqual({
      default: '#1 email google apple otherSocials>web2-overflow',
      'web2-overflow': 'discord github',
    })
  })
})

test('no method is lost, none stands twice, and every view that is not empty is opened once', () => {
  const offered = fc.shuffledSubarray([...loginMethods])
  const wishes = fc.record({
    primary: fc.option(fc.subarray([...loginMethods]), { nil: undefined }),
    groupPriority: fc.constantFrom('web2-first' as const, 'web3-first' as const),
    wallets: fc.nat({ max: 12 }),
  })
  fc.assert(
    fc.property(offered, wishes, (methods, wish) => {
      const layout = layOut(wish, place(methods))
      const items = Object.values(layout).flat()
      const hasRows = methods.includes('wallet') && wish.wallets > 0
      const standing = items.flatMap((item) => (item.kind === 'method' ? [item.method] : []))
      const expected = methods.filter((method) => !(hasRows && method === 'wallet'))
      expect(standing.toSorted()).toEqual(expected.toSorted())
      const wallets = items.flatMap((item) => (item.kind === 'wallet' ? [item.position] : []))
      expect(wallets.toSorted((one, other) => one - other)).toEqual(
        hasRows ? Array.from({ length: wish.wallets }, (_, position) => position) : [],
      )
      const opened = items.flatMap((item) => (item.kind === 'opener' ? [item.opens] : []))
      const overflows = Object.entries(layout).filter(([view]) => view !== 'default')
      const filled = overflows.filter(([, all]) => all.length > 0).map(([view]) => view)
      expect(opened.toSorted()).toEqual(filled.toSorted())
    }),
  )
})
