import type { TypedDataWords } from './typed-data-words.ts'

const list = new Intl.ListFormat('en', { type: 'conjunction' })
const date = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const times = (count: string) => (count === '1' ? '' : `${count} × `)

const formatted = (more: Intl.DateTimeFormatOptions, atMs: number) =>
  new Intl.DateTimeFormat('en-GB', { ...date, ...more }).format(atMs)

export const typedDataEnglish: TypedDataWords = {
  permit: (spender, what) =>
    `This lets ${spender} take ${what} out of your wallet, without asking you again.`,
  takenBack: (spender, token) => `This takes back what ${spender} may take of ${token}.`,
  transfer: (to, what) => `This moves ${what} to ${to}, as soon as whoever has it says so.`,
  owner: (owner) => `The tokens are those of ${owner}, not of this wallet.`,
  upTo: (amount) => `up to ${amount}`,
  unlimited: (token) => `tokens without any limit of ${token}`,
  everything: (token) => `everything that you have of ${token}`,
  smallest: (amount, token) => `${amount} of the smallest units of ${token}`,
  token: (address) => (address === undefined ? 'a token that it does not name' : `the token ${address}`),
  coin: 'the coin of the network',
  nft: (count, id, collection) => `${times(count)}number ${id} of the collection ${collection}`,
  anyNft: (count, collection) => `any ${count} of the collection ${collection}`,
  and: (items) => list.format(items),
  until: (said, when) => `${said} until ${when}`,
  sell: (gives, gets) => `Sell ${gives} for at least ${gets}`,
  buy: (gets, gives) => `Buy ${gets} for at most ${gives}`,
  giveAway: (gives) => `Give away ${gives}`,
  order: (said, market) => `${said}, on ${market}.`,
  elsewhere: (what, to) => `Not to this wallet, but to ${to}: ${what}.`,
  maker: (maker) => `It is an order of the wallet ${maker}, not of this one.`,
  noContract: 'It names no contract that may use it, so it may count where you do not expect it.',
  noChain: 'It names no network, so it may count on several.',
  titles: {
    permit: (what) => `Allow ${what}`,
    permits: 'Allow tokens to be taken',
    takenBack: 'Take back what may be taken',
    transfer: (what) => `Send ${what}`,
    transfers: 'Send tokens',
    order: 'Sign an order',
    orders: (count) => `Sign ${count} orders`,
  },
  moment: (atMs) => formatted({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }, atMs),
  day: (atMs) => formatted({}, atMs),
}
