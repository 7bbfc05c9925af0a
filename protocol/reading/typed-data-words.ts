/** Describes typed data in words, for the card and the wallet pages. */

import type { Language } from '../texts/languages.ts'
import { formatExact } from './amounts.ts'
import type { Order, OrderItem } from './orders.ts'
import type { Texts } from './texts.arb'
import type { Finding } from './typed-data-meaning.ts'

/** The network's native coin and tokens by contract, from token lists or the operator's settings. */
export type AssetNames = {
  coin: { symbol: string; decimals: number } | null
  tokens: readonly {
    address: string
    symbol: string | null
    decimals: number
  }[]
}
export const noAssetNames: AssetNames = { coin: null, tokens: [] }

export type TypedDataTexts = Texts

/** `isPlain`: informational, not a warning. */
export type Sentence = { text: string; isPlain: boolean }
/** `title` is undefined if the findings have no title of their own. */
export type FindingsDescription = { title: string | undefined; sentences: readonly Sentence[] }

/** The year 10,000. Later expiries are treated as unlimited. */
const NO_END_SECONDS = 253_402_300_800n

export function describeFindings(
  findings: readonly Finding[],
  names: AssetNames,
  texts: TypedDataTexts,
  language: Language,
): FindingsDescription {
  const words = { ...texts, ...createFormats(language) }
  return {
    title: createTitle(findings, names, words),
    sentences: findings.flatMap((finding, at) => {
      const sentences = toSentences(finding, names, words)
      // Numbers each of several orders, so that identical ones count separately.
      const isOneOfMany = finding.kind === 'order' && findings.length > 1
      return isOneOfMany ? sentences.map((each) => ({ ...each, text: `${at + 1}. ${each.text}` })) : sentences
    }),
  }
}

type Words = TypedDataTexts & ReturnType<typeof createFormats>

/** Creates formatters for lists and times of the language, with Latin digits like amounts and addresses. */
function createFormats(language: Language) {
  // All English texts put days before months.
  const locale = `${language === 'en' ? 'en-GB' : language}-u-nu-latn`
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  const date = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  const formatted = (more: Intl.DateTimeFormatOptions, atMs: number) =>
    new Intl.DateTimeFormat(locale, { ...date, ...more }).format(atMs)
  return {
    and: (items: readonly string[]) => list.format(items),
    /** Includes the time zone, UTC. The title has the date only. */
    moment: (atMs: number) => formatted({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }, atMs),
    day: (atMs: number) => formatted({}, atMs),
  }
}

const toWarning = (text: string): Sentence => ({ text, isPlain: false })

function toSentences(finding: Finding, names: AssetNames, words: Words): readonly Sentence[] {
  switch (finding.kind) {
    case 'permit': {
      const { spender, amount, untilSeconds } = finding
      const what = formatAmount(finding, names, 'unlimited', words)
      const limited = amount === null ? what : words.upTo({ amount: what })
      const until = formatTime(untilSeconds, words.moment)
      return [
        toWarning(
          words.permit({
            spender,
            what: until === undefined ? limited : words.until({ said: limited, when: until }),
          }),
        ),
        ...toOwnerSentences(finding, words),
      ]
    }
    case 'permit-revoked': {
      const { spender, token } = finding
      const text = words.takenBack({ spender, token: formatToken(token, names, words) })
      return [{ text, isPlain: true }, ...toOwnerSentences(finding, words)]
    }
    case 'transfer':
      return [
        toWarning(
          words.transfer({ to: finding.to, what: formatAmount(finding, names, 'everything', words) }),
        ),
        ...toOwnerSentences(finding, words),
      ]
    case 'order':
      return toOrderSentences(finding, names, words)
    case 'no-contract':
      return [toWarning(words.noContract)]
    case 'no-chain':
      return [toWarning(words.noChain)]
    default:
      return finding satisfies never
  }
}

const toOwnerSentences = ({ owner }: { owner?: string | undefined }, words: Words) =>
  owner === undefined ? [] : [toWarning(words.owner({ owner }))]

function findToken(token: string | undefined, { tokens }: AssetNames) {
  const match = tokens.find(({ address }) => address.toLowerCase() === token?.toLowerCase())
  return match && match.symbol !== null ? { ...match, symbol: match.symbol } : undefined
}

/** Formats a token with its address, and its symbol if known. */
function formatToken(token: string | undefined, names: AssetNames, words: Words): string {
  if (token === undefined) return words.unnamedToken
  const knownToken = findToken(token, names)
  return words.token({ address: knownToken ? `${knownToken.symbol} (${token})` : token })
}

type TokenAmount = { token: string | undefined; amount: string | null }

/** Formats an amount with its token. */
function formatAmount(
  { token, amount }: TokenAmount,
  names: AssetNames,
  all: 'unlimited' | 'everything',
  words: Words,
): string {
  const knownToken = findToken(token, names)
  const tokenLabel = formatToken(token, names, words)
  if (amount === null) return words[all]({ token: tokenLabel })
  if (!knownToken) return words.smallest({ amount, token: tokenLabel })
  return `${formatExact(BigInt(amount), knownToken.decimals)} ${knownToken.symbol} (${token})`
}

function formatItem(item: OrderItem, names: AssetNames, words: Words): string {
  switch (item.what) {
    case 'coin':
      return formatShort(item, names) ?? words.smallest({ amount: item.amount, token: words.coin })
    case 'tokens':
      return formatAmount(item, names, 'everything', words)
    case 'nft':
      return item.id === null
        ? words.anyNft({ count: item.count, collection: item.token })
        : words.nft({ count: item.count, id: item.id, collection: item.token })
    default:
      return item satisfies never
  }
}

/** Formats an amount without the token's address, or returns undefined for an unknown token. */
function formatShort(item: OrderItem, names: AssetNames): string | undefined {
  if (item.what === 'nft' || item.amount === null) return undefined
  const knownToken = item.what === 'coin' ? names.coin : findToken(item.token, names)
  return knownToken
    ? `${formatExact(BigInt(item.amount), knownToken.decimals)} ${knownToken.symbol}`
    : undefined
}

function formatTime(seconds: string | undefined, format: (atMs: number) => string): string | undefined {
  if (seconds === undefined || !/^[0-9]+$/.test(seconds) || BigInt(seconds) >= NO_END_SECONDS)
    return undefined
  return format(Number(seconds) * 1_000)
}

function toOrderSentences(order: Order, names: AssetNames, words: Words): readonly Sentence[] {
  const { gives, gets, market, maker, untilSeconds } = order
  const each = (items: readonly OrderItem[]) => words.and(items.map((item) => formatItem(item, names, words)))
  const own = gets.filter(({ to }) => to === undefined)
  const deal = formatDeal(order, own.length === 0 ? undefined : each(own), each(gives), words)
  const until = formatTime(untilSeconds, words.moment)
  return [
    {
      text: words.order({
        said: until === undefined ? deal : words.until({ said: deal, when: until }),
        market,
      }),
      isPlain: own.length > 0,
    },
    ...gets.flatMap(({ to, ...item }) =>
      to === undefined ? [] : [toWarning(words.elsewhere({ what: formatItem(item, names, words), to }))],
    ),
    ...(maker === undefined ? [] : [toWarning(words.maker({ maker }))]),
  ]
}

function formatDeal({ side }: Order, gets: string | undefined, gives: string, words: Words): string {
  if (gets === undefined) return words.giveAway({ gives })
  return side === 'buy' ? words.buy({ gets, gives }) : words.sell({ gives, gets })
}

/** Creates the title. It contains amounts if all tokens are known, and never addresses. */
function createTitle(findings: readonly Finding[], names: AssetNames, words: Words): string | undefined {
  const { titles } = words
  const [first, second] = findings.filter(({ kind }) => kind !== 'no-contract' && kind !== 'no-chain')
  if (first === undefined) return undefined
  switch (first.kind) {
    case 'permit': {
      const what = second ? undefined : formatShortAmount(first, names)
      const deal = what === undefined ? titles.permits : titles.permit({ what })
      const until = second ? undefined : formatTime(first.untilSeconds, words.day)
      return until === undefined ? deal : words.until({ said: deal, when: until })
    }
    case 'permit-revoked':
      return titles.takenBack
    case 'transfer': {
      const what = formatShortAmount(first, names)
      return what === undefined ? titles.transfers : titles.transfer({ what })
    }
    case 'order':
      return second ? titles.orders({ count: findings.length }) : createOrderTitle(first, names, words)
    default:
      return undefined
  }
}

function formatShortAmount({ token, amount }: TokenAmount, names: AssetNames): string | undefined {
  return token === undefined ? undefined : formatShort({ what: 'tokens', token, amount }, names)
}

function createOrderTitle(order: Order, names: AssetNames, words: Words): string {
  const short = (items: readonly OrderItem[]): string | undefined => {
    const [only, ...more] = items
    return only === undefined || more.length > 0 ? undefined : formatShort(only, names)
  }
  const own = order.gets.filter(({ to }) => to === undefined)
  const [gives, gets] = [short(order.gives), short(own)]
  if (gives === undefined || (gets === undefined && own.length > 0)) return words.titles.order
  const deal = formatDeal(order, gets, gives, words)
  const until = formatTime(order.untilSeconds, words.day)
  return until === undefined ? deal : words.until({ said: deal, when: until })
}
