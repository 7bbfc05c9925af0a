import type { PasskeyCeremony } from '@latchkey/protocol/api'
import { type Picture, type Pictures, picturedEntry, picturedView } from '../../contract/picture.ts'
import { onlyClose } from '../../flow/screen.ts'
import {
  type PasskeyPageState,
  PasskeyPageView,
  type PasskeyPageViewProps,
} from '../../webauthn/window/page-screen.tsx'
import { passkeyPageScreen, passkeyWindowScreen } from '../../webauthn/window/screens.ts'
import { PasskeyWindowView, type PasskeyWindowViewProps } from '../../webauthn/window/window-screen.tsx'
import { DialogueView, type DialogueViewProps } from './dialogue-screen.tsx'
import { PasskeyEntry, type PasskeyEntryProps } from './entry.tsx'
import {
  LinkPasskeyView,
  type LinkPasskeyViewProps,
  type ListedPasskey,
  PasskeyAdded,
} from './link-passkey-screen.tsx'
import { dialogueScreen, linkPasskeyScreen, passkeyAddedScreen } from './screens.ts'
import { texts } from './texts.arb'

const dialogue = (caption: string, state: DialogueViewProps['state']): Picture => ({
  caption: `Passkey, ${caption}`,
  screen: picturedView(
    dialogueScreen,
    DialogueView,
    (press): DialogueViewProps => ({ state, onRetry: press('retry') }),
    state.status === 'success' ? onlyClose : undefined,
  ),
  canGoBack: true,
})

const devices = ['iCloud Keychain', 'Chrome, Windows', undefined, 'Google Password Manager', '1Password']
const passkeys = devices.map((device, at): ListedPasskey => ({ id: String(at), device }))

type Listed = { count: number } & Partial<Pick<LinkPasskeyViewProps, 'isAdding' | 'problem'>>
const list = (caption: string, { count, isAdding = false, problem }: Listed): Picture => ({
  caption: `Your passkeys, ${caption}`,
  screen: picturedView(
    linkPasskeyScreen,
    LinkPasskeyView,
    (press, send): LinkPasskeyViewProps => ({
      passkeys: passkeys.slice(0, count),
      hasRoom: count < devices.length,
      isAdding,
      problem,
      onAdd: press('add'),
      onUnlink: send('unlink'),
    }),
  ),
})

type OwnWindow = Partial<Pick<PasskeyWindowViewProps, 'isInApp' | 'opened'>>
const ownWindow = (caption: string, { isInApp = false, opened }: OwnWindow = {}): Picture => ({
  caption: `Passkey in a window of its own, ${caption}`,
  screen: picturedView(
    passkeyWindowScreen,
    PasskeyWindowView,
    (press): PasskeyWindowViewProps => ({
      isInApp,
      opened,
      onOpen: press('open'),
      onOpenAgain: press('again'),
      onLeave: press('leave'),
    }),
  ),
  canGoBack: true,
})
const page = (caption: string, state: PasskeyPageState): Picture => ({
  caption: `Passkey page, ${caption}`,
  screen: picturedView(
    passkeyPageScreen,
    PasskeyPageView,
    (press): PasskeyPageViewProps => ({
      appName: 'Fieldnotes',
      state,
      onAsk: press('ask'),
      onLeave: press('leave'),
      onRetry: press('retry'),
    }),
  ),
  standalone: true,
})
const use: PasskeyCeremony = { type: 'get', options: { challenge: 'bG9naW4' } }
const create: PasskeyCeremony = {
  type: 'create',
  options: {
    rp: { name: 'Fieldnotes', id: 'dialog.localhost' },
    user: { id: 'dXNlcg', name: 'Ada', displayName: 'Ada' },
    challenge: 'bGluaw',
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  },
}
const ready = {
  status: 'ready',
  origin: 'https://app.fieldnotes.example',
  ceremony: use,
  wasRefused: false,
} as const

export const pictures: Pictures = {
  entries: [
    {
      caption: 'passkey',
      entry: picturedEntry(texts, PasskeyEntry, (press): PasskeyEntryProps => ({ onPress: press('press') })),
    },
  ],
  screens: [
    dialogue('waiting', { status: 'loading' }),
    dialogue('success', { status: 'success' }),
    dialogue('not allowed', { status: 'error', problem: 'notAllowed' }),
    dialogue('unknown error', { status: 'error', problem: 'unknown' }),
    ownWindow('to open'),
    ownWindow('waiting', { opened: { window: 'open' } }),
    ownWindow('perhaps blocked', { opened: { window: 'none' } }),
    ownWindow('that asks for digits', { opened: { window: 'none', digits: '42' } }),
    ownWindow('inside of an app', { isInApp: true }),
    page('reading', { status: 'reading' }),
    page('use', ready),
    page('create', { ...ready, ceremony: create }),
    page('not allowed', { ...ready, wasRefused: true }),
    page('waiting', { status: 'asking' }),
    page('telling', { status: 'telling' }),
    page('answered', { status: 'answered' }),
    page('canceled', { status: 'refused' }),
    page('answered before', { status: 'over', why: 'answered' }),
    page('unknown', { status: 'over', why: 'unknown' }),
    page('unreachable', { status: 'unreachable', retry: async () => {} }),
    list('none', { count: 0 }),
    list('one', { count: 1 }),
    list('adding', { count: 2, isAdding: true }),
    list('three', { count: 3 }),
    list('as many as there can be', { count: 5 }),
    list('not allowed', { count: 1, problem: 'notAllowed' }),
    list('too many', { count: 1, problem: 'tooMany' }),
    { caption: 'Passkey added', screen: picturedView(passkeyAddedScreen, PasskeyAdded, () => ({})) },
  ],
}
