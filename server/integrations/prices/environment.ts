import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'
import { type Coins, type Tokens, tokenKey } from './coins.ts'

const coinForm = 'must be <chain id>=<symbol>:<id of the feed>, separated by spaces: 31337=ETH:ethereum'
const coinEntry = /^([1-9][0-9]{0,14})=([A-Za-z0-9]{1,16}):([a-z0-9-]{1,64})$/
const splitEntries = (value: string) => value.split(/\s+/).filter((part) => part !== '')
const coins = v.pipe(
  v.string(),
  v.transform(splitEntries),
  v.check((entries) => entries.every((entry) => coinEntry.test(entry)), coinForm),
  v.transform(
    (entries): Coins =>
      new Map(
        entries.map((entry) => {
          const [, chainId = '', symbol = '', id = ''] = coinEntry.exec(entry) ?? []
          return [chainId, { symbol: symbol.toUpperCase(), id }]
        }),
      ),
  ),
)

const tokenForm =
  'must be <chain id>:<contract>=<digits after the point>:<id of the feed>, or solana:<mint>=…, optionally with :<symbol>, separated by spaces: 1:0x6b17…=18:dai:DAI'
const tokenEntry =
  /^(?:([1-9][0-9]{0,14}):(0x[0-9a-fA-F]{40})|(solana):([1-9A-HJ-NP-Za-km-z]{32,44}))=([0-9]|[12][0-9]|3[0-6]):([a-z0-9-]{1,64})(?::([A-Za-z0-9]{1,16}))?$/
const tokens = v.pipe(
  v.string(),
  v.transform(splitEntries),
  v.check((entries) => entries.every((entry) => tokenEntry.test(entry)), tokenForm),
  v.transform(
    (entries): Tokens =>
      new Map(
        entries.map((entry) => {
          const [, chainId, contract, solana = '', mint = '', decimals = '', id = '', symbol = null] =
            tokenEntry.exec(entry) ?? []
          return [tokenKey(chainId ?? solana, contract ?? mint), { decimals: Number(decimals), id, symbol }]
        }),
      ),
  ),
)

const feedUrl = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/\S+[^/\s]$/, 'must be an http address without a slash at its end'),
)

export const priceEnvironment = environmentPart(
  {
    /** If unset, no feed is requested and nothing has a price. */
    PRICE_FEED_URL: v.optional(feedUrl),
    PRICE_FEED_KEY: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must have no spaces'))),
    /** Coins and tokens to add to the built-in lists. */
    PRICE_FEED_COINS: v.optional(coins, ''),
    PRICE_FEED_TOKENS: v.optional(tokens, ''),
  },
  {
    PRICE_FEED_URL:
      'The feed of coin prices: `https://api.coingecko.com/api/v3`, or a compatible one. Without it, the card can approve nothing that has a value.',
    PRICE_FEED_KEY: { meaning: 'Your API key for the feed.', isSecret: true },
    PRICE_FEED_COINS:
      'Coins of chains that this release does not know: `<chain id>=<symbol>:<id at the feed>`, separated by spaces.',
    PRICE_FEED_TOKENS:
      'Tokens that this release does not know: `<chain id>:<contract>=<decimals>:<id at the feed>`, or `solana:<mint>=…`, optionally with `:<symbol>`, separated by spaces.',
  },
)
