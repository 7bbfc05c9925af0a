/** Wallets that a host can list: their EIP-6963 names, store pages and app links. */
import { siweLimits } from '@latchkey/protocol'

export type NamedWallet = {
  name: string
  /** The reverse domain names (EIP-6963) of its extension. */
  rdns: readonly string[]
  /** The store page of its extension. */
  extension: string
  ios: string
  android: string
  /** The prefix of the app's WalletConnect link; a pairing URI follows. Undefined without WalletConnect support. */
  relay?: string
  /** Returns a link that opens the page in the app's own browser. */
  openPage?: (page: string) => string
  /** The pause before a retry. The wallet drops requests that arrive sooner after a failure. */
  retryPromptDelayMs?: number
}

const chromeStore = (name: string) => `https://chromewebstore.google.com/detail/${name}`
const appStore = (id: string) => `https://apps.apple.com/app/id${id}`
const play = (id: string) => `https://play.google.com/store/apps/details?id=${id}`

/** Listed in the default display order. */
export const namedWallets = {
  metamask: {
    name: 'MetaMask',
    rdns: ['io.metamask', 'io.metamask.flask', 'io.metamask.mobile'],
    extension: 'https://metamask.io/download',
    ios: appStore('1438144202'),
    android: play('io.metamask'),
    relay: 'https://metamask.app.link/wc?uri=',
    openPage: (page) => `https://metamask.app.link/dapp/${page.replace(/^https?:\/\//, '')}`,
    retryPromptDelayMs: siweLimits.retryPromptDelayMs,
  },
  coinbase_wallet: {
    name: 'Coinbase Wallet',
    rdns: ['com.coinbase.wallet'],
    extension: chromeStore('coinbase-wallet-extension/hnfanknocfeofbddgcijnmhnfnkdnaad'),
    ios: appStore('1278383455'),
    android: play('org.toshi'),
    relay: 'https://go.cb-w.com/wc?uri=',
    openPage: (page) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(page)}`,
  },
  rainbow: {
    name: 'Rainbow',
    rdns: ['me.rainbow'],
    extension: 'https://rainbow.me/extension',
    ios: appStore('1457119021'),
    android: play('me.rainbow'),
    relay: 'https://rnbwapp.com/wc?uri=',
  },
  phantom: {
    name: 'Phantom',
    rdns: ['app.phantom'],
    extension: 'https://phantom.app/download',
    ios: appStore('1598432977'),
    android: play('app.phantom'),
    openPage: (page) =>
      `https://phantom.app/ul/browse/${encodeURIComponent(page)}?ref=${encodeURIComponent(new URL(page).origin)}`,
  },
  zerion: {
    name: 'Zerion',
    rdns: ['io.zerion.wallet'],
    extension: 'https://zerion.io/extension',
    ios: appStore('1456732565'),
    android: play('io.zerion.android'),
    relay: 'https://wallet.zerion.io/wc?uri=',
  },
  cryptocom: {
    name: 'Crypto.com',
    rdns: ['com.crypto.wallet'],
    extension: chromeStore('cryptocom-wallet-extension/hifafgmccdpekplomjjkcfgodnhcellj'),
    ios: appStore('1512048310'),
    android: play('com.defi.wallet'),
    relay: 'https://wallet.crypto.com/wc?uri=',
  },
  uniswap: {
    name: 'Uniswap',
    rdns: ['org.uniswap.app'],
    extension: 'https://wallet.uniswap.org',
    ios: appStore('6443944476'),
    android: play('com.uniswap.mobile'),
    relay: 'https://uniswap.org/app/wc?uri=',
  },
  okx_wallet: {
    name: 'OKX Wallet',
    rdns: ['com.okex.wallet'],
    extension: 'https://okx.com/download',
    ios: appStore('1327268470'),
    android: play('com.okinc.okex.gp'),
    relay: 'okex://main/wc?uri=',
    openPage: (page) =>
      `https://www.okx.com/download?deeplink=${encodeURIComponent(
        `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(page)}`,
      )}`,
  },
  rabby_wallet: {
    name: 'Rabby Wallet',
    rdns: ['io.rabby'],
    extension: 'https://rabby.io',
    ios: appStore('6474381673'),
    android: play('com.debank.rabbymobile'),
  },
} as const satisfies Readonly<Record<string, NamedWallet>>

export type NamedWalletKey = keyof typeof namedWallets
export const namedWallet = (name: string): NamedWallet | undefined =>
  isNamed(name) ? namedWallets[name] : undefined
const isNamed = (name: string): name is NamedWalletKey => Object.hasOwn(namedWallets, name)
export const namedWalletNames: readonly string[] = Object.keys(namedWallets)
