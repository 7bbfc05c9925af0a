import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, picturedEntry, picturedView } from '../../contract/picture.ts'
import { onlyClose } from '../../flow/screen.ts'
import type { EntryProps } from '../../window-login/entry.tsx'
import { Row } from './account-entry.tsx'
import { failures } from './failures.ts'
import type { ProviderApp } from './provider/provider-app.ts'
import type { RequestPhase } from './request/request-state.ts'
import { AuthView, type AuthViewProps } from './screens/auth-screen.tsx'
import { ProviderEntry } from './screens/provider-entry.tsx'
import { RequestView, type RequestViewProps } from './screens/request-screen.tsx'
import {
  type LinkedWallet,
  UnlinkView,
  type UnlinkViewProps,
  WalletsView,
  type WalletsViewProps,
} from './screens/wallets-screen.tsx'
import { authScreen, requestScreen, walletsScreen } from './screens.ts'
import { texts } from './texts.arb'

const app: ProviderApp = { appId: 'lkdemo0000000000000000002', name: 'Ledgerline', iconUrl: null }
const longName: ProviderApp = { ...app, name: 'The Society of Antiquaries of Newcastle' }
const address = '0x52908400098527886E0F7030069857D2E4169EE7'

const entry = (provider: ProviderApp, isAlone: boolean) =>
  picturedEntry(
    texts,
    ProviderEntry,
    (press): EntryProps<ProviderApp> => ({ provider, isAlone, onPress: press('press') }),
  )

function auth(caption: string, state: AuthViewProps['state'], by = app): Picture {
  const canGoBack = state.status === 'verifying' || state.status === 'failed'
  return {
    caption: `Another app, ${caption}`,
    screen: picturedView(
      authScreen,
      AuthView,
      (press): AuthViewProps => ({ app: by, state, onOpen: press('open'), onLeave: press('leave') }),
      canGoBack ? undefined : onlyClose,
    ),
    canGoBack,
  }
}
const request = (
  caption: string,
  phase: RequestPhase,
  { kind = 'message', by = app }: { kind?: RequestViewProps['kind']; by?: ProviderApp } = {},
): Picture => ({
  caption: `Wallet of another app, ${caption}`,
  screen: picturedView(
    requestScreen,
    RequestView,
    (press): RequestViewProps => ({
      phase,
      app: by,
      address,
      kind,
      onOpen: press('open'),
      onLeave: press('leave'),
    }),
  ),
})

const codes = [
  'oauth_unexpected',
  'oauth_user_denied',
  'client_request_timeout',
  'pkce_state_code_mismatch',
  'cross_app_connection_not_allowed',
  'linked_to_another_user',
] as const
const problems = ['timeout', 'notStarted', 'failed'] as const

const wallet: LinkedWallet = {
  account: {
    type: 'cross_app',
    subject: 'user-9',
    providerAppId: app.appId,
    embeddedWallets: [{ address }],
    smartWallets: [],
    verifiedAt: 0,
    firstVerifiedAt: null,
    latestVerifiedAt: null,
  },
  app,
  use: 'signs',
}
const wallets: readonly LinkedWallet[] = [
  wallet,
  { account: { ...wallet.account, subject: 'user-8' }, app: longName, use: 'readOnly' },
  { account: { ...wallet.account, subject: 'user-7', embeddedWallets: [] }, app, use: 'gone' },
]
const list = (caption: string, shown: readonly LinkedWallet[]): Picture => ({
  caption: `Wallets of other apps, ${caption}`,
  screen: picturedView(
    walletsScreen,
    WalletsView,
    (press): WalletsViewProps => ({ wallets: shown, onUnlink: press('unlink') }),
  ),
  canGoBack: true,
})
const unlink = (caption: string, change: Partial<UnlinkViewProps> = {}): Picture => ({
  caption: `Wallets of other apps, ${caption}`,
  screen: picturedView(
    walletsScreen,
    UnlinkView,
    (press): UnlinkViewProps => ({
      app,
      isUnlinking: false,
      problem: undefined,
      onUnlink: press('unlink'),
      onKeep: press('keep'),
      ...change,
    }),
  ),
  canGoBack: true,
})

export const pictures: Pictures = {
  entries: [
    { caption: 'another app', entry: entry(app, false) },
    {
      caption: 'another app, alone',
      entry: entry(longName, true),
    },
  ],
  account: [Row],
  screens: [
    auth('window to open', { status: 'verifying', window: 'to open' }),
    auth('window open', { status: 'verifying', window: 'open' }),
    auth('with a long name', { status: 'verifying', window: 'open' }, longName),
    auth('window closed', { status: 'verifying', window: 'closed' }),
    auth('no window', { status: 'verifying', window: 'none' }),
    auth('no window, digits', { status: 'verifying', window: 'none', digits: '42' }),
    auth('confirmed', { status: 'confirmed' }),
    auth('success', { status: 'success' }),
    ...codes.map((code) => auth(code, { status: 'failed', ...rowFor(failures, code) })),
    request('a message', { at: 'ready' }),
    request('typed data', { at: 'ready' }, { kind: 'typed-data' }),
    request('a transaction', { at: 'ready' }, { kind: 'transaction', by: longName }),
    request('to be connected again', { at: 'lost' }),
    request('window open', { at: 'waiting', window: 'open' }),
    request('window closed', { at: 'waiting', window: 'closed' }),
    request('no window', { at: 'waiting', window: 'none', digits: '42' }),
    request('connecting', { at: 'connecting' }),
    request('signed', { at: 'granted' }),
    request('sent', { at: 'granted' }, { kind: 'transaction' }),
    ...problems.map((text) =>
      request(text, { at: 'failed', text: { of: 'request', text }, isRetryable: text !== 'timeout' }),
    ),
    request('not connected', {
      at: 'failed',
      text: { of: 'auth', text: 'denied' },
      isRetryable: true,
    }),
    list('three', wallets),
    list('none', []),
    unlink('unlink'),
    unlink('unlinking', { isUnlinking: true }),
    unlink('unlink, the last account', { problem: 'sole' }),
    unlink('unlink, failed', { problem: 'failed' }),
  ],
}
