/** What typed data means, in the words that the card and the page of the wallet share. */
import { formatWhole } from './amounts.ts'
import type { Order, OrderItem } from './orders.ts'
import type { Finding } from './typed-data-meaning.ts'

/** What lists of ours or the operator's know, and nobody else: the network's coin, and tokens by their contracts. */
export type Names = {
  readonly coin: { readonly symbol: string; readonly decimals: number } | null
  readonly tokens: readonly {
    readonly address: string
    readonly symbol: string | null
    readonly decimals: number
  }[]
}
export const noNames: Names = { coin: null, tokens: [] }

export type TypedDataWords = {
  /** `what`: how much of which token. */
  readonly permit: (spender: string, what: string) => string
  readonly takenBack: (spender: string, token: string) => string
  readonly transfer: (to: string, what: string) => string
  readonly owner: (owner: string) => string
  readonly upTo: (amount: string) => string
  readonly unlimited: (token: string) => string
  readonly everything: (token: string) => string
  readonly smallest: (amount: string, token: string) => string
  readonly token: (address: string | undefined) => string
  readonly coin: string
  readonly nft: (count: string, id: string, collection: string) => string
  readonly anyNft: (count: string, collection: string) => string
  readonly and: (items: readonly string[]) => string
  readonly until: (said: string, when: string) => string
  readonly sell: (gives: string, gets: string) => string
  readonly buy: (gets: string, gives: string) => string
  readonly giveAway: (gives: string) => string
  /** The whole sentence of an order. */
  readonly order: (said: string, market: string) => string
  readonly elsewhere: (what: string, to: string) => string
  readonly maker: (maker: string) => string
  readonly noContract: string
  readonly noChain: string
  readonly titles: {
    readonly permit: (what: string) => string
    readonly permits: string
    readonly takenBack: string
    readonly transfer: (what: string) => string
    readonly transfers: string
    readonly order: string
    readonly orders: (count: number) => string
  }
  /** Of the time of Greenwich, which it names; the title has the day alone. */
  readonly moment: (atMs: number) => string
  readonly day: (atMs: number) => string
}

/** `isPlain`: it is as it should be, and nothing to be warned of. */
export type Said = { readonly text: string; readonly isPlain: boolean }
/** `title` is undefined for what has none of its own. */
export type Meaning = { readonly title: string | undefined; readonly said: readonly Said[] }

/** Nothing of ours says it, and no person can wait for it: the year 10,000. */
const NO_END_SECONDS = 253_402_300_800n

export function meaningOf(findings: readonly Finding[], names: Names, words: TypedDataWords): Meaning {
  return {
    title: titleOf(findings, names, words),
    said: findings.flatMap((finding, at) => {
      const said = saidOf(finding, names, words)
      // Of many orders each has its number, so that one that is said twice counts twice.
      const isOneOfMany = finding.kind === 'order' && findings.length > 1
      return isOneOfMany ? said.map((each) => ({ ...each, text: `${at + 1}. ${each.text}` })) : said
    }),
  }
}

const warning = (text: string): Said => ({ text, isPlain: false })

function saidOf(finding: Finding, names: Names, words: TypedDataWords): readonly Said[] {
  switch (finding.kind) {
    case 'permit': {
      const { spender, amount, untilSeconds } = finding
      const what = movedSaid(finding, names, 'unlimited', words)
      const limited = amount === null ? what : words.upTo(what)
      const until = whenSaid(untilSeconds, words.moment)
      return [
        warning(words.permit(spender, until === undefined ? limited : words.until(limited, until))),
        ...ownerSaid(finding, words),
      ]
    }
    case 'permit-taken-back': {
      const { spender, token } = finding
      const text = words.takenBack(spender, words.token(namedToken(token, names)))
      return [{ text, isPlain: true }, ...ownerSaid(finding, words)]
    }
    case 'transfer':
      return [
        warning(words.transfer(finding.to, movedSaid(finding, names, 'everything', words))),
        ...ownerSaid(finding, words),
      ]
    case 'order':
      return saidOfOrder(finding, names, words)
    case 'no-contract':
      return [warning(words.noContract)]
    case 'no-chain':
      return [warning(words.noChain)]
    default:
      return finding satisfies never
  }
}

const ownerSaid = ({ owner }: { readonly owner?: string | undefined }, words: TypedDataWords) =>
  owner === undefined ? [] : [warning(words.owner(owner))]

function listed(token: string | undefined, { tokens }: Names) {
  const found = tokens.find(({ address }) => address.toLowerCase() === token?.toLowerCase())
  return found && found.symbol !== null ? { ...found, symbol: found.symbol } : undefined
}

/** A symbol stands beside the address that it belongs to. */
function namedToken(token: string | undefined, names: Names): string | undefined {
  const known = listed(token, names)
  return known ? `${known.symbol} (${token})` : token
}

type Moved = { readonly token: string | undefined; readonly amount: string | null }

/** How much of which token. */
function movedSaid(
  { token, amount }: Moved,
  names: Names,
  all: 'unlimited' | 'everything',
  words: TypedDataWords,
): string {
  const known = listed(token, names)
  const named = words.token(namedToken(token, names))
  if (amount === null) return words[all](named)
  if (!known) return words.smallest(amount, named)
  return `${formatWhole(BigInt(amount), known.decimals)} ${known.symbol} (${token})`
}

function itemSaid(item: OrderItem, names: Names, words: TypedDataWords): string {
  switch (item.what) {
    case 'coin':
      return shortOf(item, names) ?? words.smallest(item.amount, words.coin)
    case 'tokens':
      return movedSaid(item, names, 'everything', words)
    case 'nft':
      return item.id === null
        ? words.anyNft(item.count, item.token)
        : words.nft(item.count, item.id, item.token)
    default:
      return item satisfies never
  }
}

/** Without its address, where a list has it. */
function shortOf(item: OrderItem, names: Names): string | undefined {
  if (item.what === 'nft' || item.amount === null) return undefined
  const known = item.what === 'coin' ? names.coin : listed(item.token, names)
  return known ? `${formatWhole(BigInt(item.amount), known.decimals)} ${known.symbol}` : undefined
}

function whenSaid(seconds: string | undefined, format: (atMs: number) => string): string | undefined {
  if (seconds === undefined || !/^[0-9]+$/.test(seconds) || BigInt(seconds) >= NO_END_SECONDS)
    return undefined
  return format(Number(seconds) * 1_000)
}

function saidOfOrder(order: Order, names: Names, words: TypedDataWords): readonly Said[] {
  const { gives, gets, market, maker, untilSeconds } = order
  const each = (items: readonly OrderItem[]) => words.and(items.map((item) => itemSaid(item, names, words)))
  const own = gets.filter(({ to }) => to === undefined)
  const said = dealSaid(order, own.length === 0 ? undefined : each(own), each(gives), words)
  const until = whenSaid(untilSeconds, words.moment)
  return [
    {
      text: words.order(until === undefined ? said : words.until(said, until), market),
      isPlain: own.length > 0,
    },
    ...gets.flatMap(({ to, ...item }) =>
      to === undefined ? [] : [warning(words.elsewhere(itemSaid(item, names, words), to))],
    ),
    ...(maker === undefined ? [] : [warning(words.maker(maker))]),
  ]
}

function dealSaid({ side }: Order, gets: string | undefined, gives: string, words: TypedDataWords): string {
  if (gets === undefined) return words.giveAway(gives)
  return side === 'buy' ? words.buy(gets, gives) : words.sell(gives, gets)
}

/** With amounts where a list knows all of them: a title has no room for addresses. */
function titleOf(findings: readonly Finding[], names: Names, words: TypedDataWords): string | undefined {
  const { titles } = words
  const [first, second] = findings.filter(({ kind }) => kind !== 'no-contract' && kind !== 'no-chain')
  if (first === undefined) return undefined
  switch (first.kind) {
    case 'permit': {
      const what = second ? undefined : shortOfMoved(first, names)
      const said = what === undefined ? titles.permits : titles.permit(what)
      const until = second ? undefined : whenSaid(first.untilSeconds, words.day)
      return until === undefined ? said : words.until(said, until)
    }
    case 'permit-taken-back':
      return titles.takenBack
    case 'transfer': {
      const what = shortOfMoved(first, names)
      return what === undefined ? titles.transfers : titles.transfer(what)
    }
    case 'order':
      return second ? titles.orders(findings.length) : titleOfOrder(first, names, words)
    default:
      return undefined
  }
}

function shortOfMoved({ token, amount }: Moved, names: Names): string | undefined {
  return token === undefined ? undefined : shortOf({ what: 'tokens', token, amount }, names)
}

function titleOfOrder(order: Order, names: Names, words: TypedDataWords): string {
  const short = (items: readonly OrderItem[]): string | undefined => {
    const [only, ...more] = items
    return only === undefined || more.length > 0 ? undefined : shortOf(only, names)
  }
  const own = order.gets.filter(({ to }) => to === undefined)
  const [gives, gets] = [short(order.gives), short(own)]
  if (gives === undefined || (gets === undefined && own.length > 0)) return words.titles.order
  const said = dealSaid(order, gets, gives, words)
  const until = whenSaid(order.untilSeconds, words.day)
  return until === undefined ? said : words.until(said, until)
}
