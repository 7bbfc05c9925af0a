import { createElement } from 'react'
import { rowFor } from '../../contract/error-table.ts'
import { type EntryPicture, type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { onlyClose, showElement } from '../../flow/screen.ts'
import type { ConnectionStep } from './connection/connection-state.ts'
import { problems as problemsOf } from './problem.ts'
import { InstallScreen, PhoneScreen } from './screens/absent-wallet-screens.tsx'
import { AwaitingView, FailedView } from './screens/awaiting-screen.tsx'
import { ConnectOnlyView, PayFromView } from './screens/choice-screens.tsx'
import { WalletRow } from './screens/wallet-row.tsx'
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
} from './screens.ts'
import { namedWallet, namedWallets } from './sources/named-wallets.ts'
import type { OfferedWallet, WalletFace } from './sources/offered-wallets.ts'
import type { Meeting } from './sources/sources.ts'
import { texts } from './texts.arb'

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

const row =
  (wallet: WalletFace | undefined, isLastUsed = false): EntryPicture['entry'] =>
  (onEvent) =>
    showElement(
      createElement(WalletRow, { wallet, isLastUsed, onChoose: () => onEvent('choose', []) }),
      texts,
    )

/** Pictures a step, without a way back from the use of a signature. */
const awaitingOn = (
  record: typeof awaitingScreen | typeof awaitingConnectOnlyScreen | typeof awaitingPaymentScreen,
  step: ConnectionStep,
  { wallet = metamask, appLink, canGoBack = true }: AwaitingPicture = {},
): Pick<Picture, 'screen' | 'canGoBack'> => ({
  screen: picturedView(
    record,
    AwaitingView,
    (press) => ({
      wallet,
      step,
      appLink,
      onRetry: press('retry'),
      onOther: press('other'),
      onInstall: press('install'),
    }),
    canGoBack ? record.options.ways : onlyClose,
  ),
  canGoBack,
})
type AwaitingPicture = { wallet?: WalletFace; appLink?: string; canGoBack?: boolean }

const awaiting = (caption: string, step: ConnectionStep, picture?: AwaitingPicture): Picture => ({
  caption: `Wallet, ${caption}`,
  ...awaitingOn(awaitingScreen, step, picture),
})

const offered = (...wallets: readonly WalletFace[]): readonly OfferedWallet[] =>
  wallets.map((wallet) => ({ ...wallet, way: { type: 'page', id: wallet.key } }))

type ConnectOnly = { isUser: boolean; suggestedAddress?: string }
const connectOnly = (
  caption: string,
  record: typeof connectOnlyScreen | typeof connectOnlyUserScreen,
  { isUser, suggestedAddress }: ConnectOnly,
): Picture => ({
  caption: `Connect a wallet, ${caption}`,
  screen: picturedView(record, ConnectOnlyView, (press) => ({
    wallets: offered(own, metamask, named('rainbow')),
    lastUsed: undefined,
    isUser,
    suggestedAddress,
    onChoose: press('choose'),
    onGuide: press('guide'),
  })),
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
    awaiting('connecting, its own icon', { status: 'connecting' }, { wallet: own }),
    awaiting('meeting at a relay', { status: 'connecting', meeting }, { wallet: named('rainbow') }),
    awaiting('on any phone', { status: 'connecting', meeting }, { wallet: named('wallet_connect') }),
    awaiting('on this phone', { status: 'connecting' }, { wallet: named('wallet_connect') }),
    awaiting(
      'meeting any',
      { status: 'connecting', meeting: { ...meeting, canInstall: false } },
      { wallet: named('wallet_connect') },
    ),
    awaiting(
      'meeting on this phone',
      {
        status: 'connecting',
        meeting: { uri, link: `https://wallet.example/wc?uri=${uri}`, canInstall: false },
      },
      { wallet: named('rainbow') },
    ),
    awaiting('switching networks', { status: 'switching' }),
    awaiting('sign', { status: 'sign' }),
    awaiting(
      'sign on this phone',
      { status: 'sign' },
      { wallet: named('rainbow'), appLink: 'https://wallet.example/wc' },
    ),
    awaiting('signing', { status: 'signing' }, { canGoBack: false }),
    awaiting('success', { status: 'success' }, { canGoBack: false }),
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
      ...awaitingOn(awaitingConnectOnlyScreen, { status: 'connected' }, { wallet: own, canGoBack: false }),
    },
    {
      caption: 'Connect a wallet, another account',
      ...awaitingOn(awaitingConnectOnlyScreen, {
        status: 'other account',
        address: otherAddress,
        wanted: suggestedAddress,
      }),
    },
    {
      caption: 'Pay from a wallet',
      screen: picturedView(payFromScreen, PayFromView, (press) => ({
        wallets: offered(own, metamask),
        lastUsed: undefined,
        amount: '0.25 ETH',
        network: 'Base',
        onChoose: press('choose'),
        onGuide: press('guide'),
      })),
      canGoBack: true,
    },
    { caption: 'Pay from a wallet, confirm there', ...awaitingOn(awaitingPaymentScreen, { status: 'pay' }) },
    {
      caption: 'Pay from a wallet, sent',
      ...awaitingOn(awaitingPaymentScreen, { status: 'paid' }, { canGoBack: false }),
    },
    {
      caption: 'Wallet, gave up',
      screen: picturedView(failedScreen, FailedView, (press) => ({
        onRetry: press('retry'),
        onLeave: press('leave'),
      })),
    },
    {
      caption: 'Wallet, install',
      screen: picturedView(installScreen, InstallScreen, () => ({ wallet: namedWallets.metamask })),
      canGoBack: true,
    },
    {
      caption: 'Wallet, none found',
      screen: picturedView(installScreen, InstallScreen, () => ({ wallet: undefined })),
      canGoBack: true,
    },
    {
      caption: 'Wallet, on a phone',
      screen: picturedView(phoneScreen, PhoneScreen, () => ({
        wallet: named('phantom'),
        open: 'https://wallet.example/browse',
        store: 'https://store.example',
      })),
      canGoBack: true,
    },
  ],
}
