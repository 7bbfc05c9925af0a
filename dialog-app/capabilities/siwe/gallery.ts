import { rowFor } from '../../contract/error-table.ts'
import {
  type EntryPicture,
  type Picture,
  type Pictures,
  pictured,
  picturedPart,
} from '../../contract/picture.ts'
import { problems as problemsOf } from './problem.ts'
import type { Step } from './screens/awaiting-screen.tsx'
import {
  awaitingConnectOnlyScreen,
  awaitingPaymentScreen,
  awaitingScreen,
  connectOnlyScreen,
  connectOnlyUserScreen,
  failedScreen,
  installScreen,
  payFromScreen,
  phoneScreen,
  walletRow,
} from './screens.ts'
import { namedWallet, namedWallets } from './sources/named-wallets.ts'
import type { WalletFace } from './sources/offered-wallets.ts'
import type { Meeting } from './sources/sources.ts'

/** An icon of the form that extensions announce (EIP-6963). */
const icon =
  'data:image/svg+xml;base64,' +
  btoa(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f2a44"/><path d="M8 20l8-12 8 12z" fill="#7bdcb5"/></svg>',
  )
const own: WalletFace = { key: 'example.cairn', name: 'Cairn', icon }
const longName: WalletFace = { key: 'example.long', name: 'The wallet of a very long name for its small row' }
const named = (key: string): WalletFace => ({ key, name: namedWallet(key)?.name ?? 'WalletConnect' })
const metamask = named('metamask')

const row = (wallet: WalletFace | undefined, isLastUsed = false): EntryPicture['entry'] =>
  picturedPart(walletRow, { wallet, isLastUsed })
const awaiting = (caption: string, step: Step, wallet = metamask, appLink?: string): Picture => ({
  caption: `Wallet, ${caption}`,
  screen: pictured(awaitingScreen, { wallet, step, appLink }),
  canGoBack: step.status !== 'success' && step.status !== 'signing',
})

type ConnectOnly = { isUser: boolean; suggestedAddress?: string }
const connectOnly = (
  caption: string,
  record: typeof connectOnlyScreen | typeof connectOnlyUserScreen,
  { isUser, suggestedAddress }: ConnectOnly,
): Picture => ({
  caption: `Connect a wallet, ${caption}`,
  screen(onEvent) {
    const entries = [row(own), row(metamask), row(named('rainbow'))].map((entry) => entry(onEvent))
    return pictured(record, { entries, isUser, suggestedAddress })(onEvent)
  },
})

const suggestedAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const otherAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const uri = `wc:${'7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'}@2?relay-protocol=irn&symKey=587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303`
const meeting: Meeting = { uri, link: undefined, canInstall: true }
const codes = {
  exists: 'linked_to_another_user',
  'timed out': 'client_request_timeout',
  rejected: 'user_rejected_request',
  'request pending': 'wallet_request_pending',
  'any other': 'generic_connect_wallet_error',
} as const

export const pictures: Pictures = {
  entries: [
    ...[own, ...['metamask', 'rainbow', 'wallet_connect'].map(named), longName].map((wallet) => ({
      caption: `${wallet.name}, a wallet`,
      entry: row(wallet),
    })),
    { caption: 'the wallet used last', entry: row(metamask, true) },
    { caption: 'no wallet', entry: row(undefined) },
  ],
  screens: [
    awaiting('connecting', { status: 'connecting' }),
    awaiting('connecting, its own icon', { status: 'connecting' }, own),
    awaiting('meeting at a relay', { status: 'connecting', meeting }, named('rainbow')),
    awaiting('on any phone', { status: 'connecting', meeting }, named('wallet_connect')),
    awaiting('on this phone', { status: 'connecting' }, named('wallet_connect')),
    awaiting(
      'meeting any',
      { status: 'connecting', meeting: { ...meeting, canInstall: false } },
      named('wallet_connect'),
    ),
    awaiting(
      'meeting on this phone',
      {
        status: 'connecting',
        meeting: { uri, link: `https://wallet.example/wc?uri=${uri}`, canInstall: false },
      },
      named('rainbow'),
    ),
    awaiting('switching networks', { status: 'switching' }),
    awaiting('sign', { status: 'sign' }),
    awaiting('sign on this phone', { status: 'sign' }, named('rainbow'), 'https://wallet.example/wc'),
    awaiting('signing', { status: 'signing' }),
    awaiting('success', { status: 'success' }),
    ...Object.entries(codes).map(([caption, code]) =>
      awaiting(caption, { status: 'failed', problem: rowFor(problemsOf, code), isRepeated: false }),
    ),
    awaiting('failed again', { status: 'failed', problem: 'rejected', isRepeated: true }),
    connectOnly('for a visitor', connectOnlyScreen, { isUser: false }),
    connectOnly('for a user', connectOnlyUserScreen, { isUser: true }),
    connectOnly('as the page asks', connectOnlyScreen, {
      isUser: false,
      suggestedAddress,
    }),
    {
      caption: 'Connect a wallet, connected',
      screen: pictured(awaitingConnectOnlyScreen, { wallet: own, step: { status: 'connected' } }),
    },
    {
      caption: 'Connect a wallet, another account',
      screen: pictured(awaitingConnectOnlyScreen, {
        wallet: metamask,
        step: { status: 'other account', address: otherAddress, wanted: suggestedAddress },
      }),
      canGoBack: true,
    },
    {
      caption: 'Pay from a wallet',
      screen: (onEvent) =>
        pictured(payFromScreen, {
          entries: [row(own), row(metamask)].map((entry) => entry(onEvent)),
          amount: '0.25 ETH',
          network: 'Base',
        })(onEvent),
      canGoBack: true,
    },
    {
      caption: 'Pay from a wallet, confirm there',
      screen: pictured(awaitingPaymentScreen, { wallet: metamask, step: { status: 'pay' } }),
      canGoBack: true,
    },
    {
      caption: 'Pay from a wallet, sent',
      screen: pictured(awaitingPaymentScreen, { wallet: metamask, step: { status: 'paid' } }),
    },
    { caption: 'Wallet, gave up', screen: pictured(failedScreen, {}) },
    {
      caption: 'Wallet, install',
      screen: pictured(installScreen, { wallet: namedWallets.metamask }),
      canGoBack: true,
    },
    {
      caption: 'Wallet, none found',
      screen: pictured(installScreen, { wallet: undefined }),
      canGoBack: true,
    },
    {
      caption: 'Wallet, on a phone',
      screen: pictured(phoneScreen, {
        wallet: named('phantom'),
        open: 'https://wallet.example/browse',
        store: 'https://store.example',
      }),
      canGoBack: true,
    },
  ],
}
