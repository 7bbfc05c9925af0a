import { type Picture, type Pictures, pictured, picturedPart } from '../../contract/picture.ts'
import type { PasskeyPageState } from '../../webauthn/window/page-screen.tsx'
import { passkeyPageScreen, passkeyWindowScreen } from '../../webauthn/window/screens.ts'
import type { PasskeyWindowState } from '../../webauthn/window/window-screen.tsx'
import type { ListedPasskey } from './link-passkey-screen.tsx'
import type { DialogueState } from './passkey-screens.tsx'
import type { PasskeyProblem } from './problem.ts'
import { dialogueScreen, linkPasskeyScreen, passkeyEntry } from './screens.ts'

const dialogue = (caption: string, state: DialogueState): Picture => ({
  caption: `Passkey, ${caption}`,
  screen: pictured(dialogueScreen, state),
  canGoBack: true,
})

const devices = ['iCloud Keychain', 'Chrome, Windows', undefined, 'Google Password Manager', '1Password']
const passkeys = devices.map((device, at): ListedPasskey => ({ id: String(at), device }))

type Listed = { count: number; isAdding?: boolean; problem?: PasskeyProblem }
const list = (caption: string, { count, isAdding = false, problem }: Listed): Picture => ({
  caption: `Your passkeys, ${caption}`,
  screen: pictured(linkPasskeyScreen, {
    status: 'list',
    passkeys: passkeys.slice(0, count),
    hasRoom: count < devices.length,
    isAdding,
    problem,
  }),
})

const ownWindow = (caption: string, state: PasskeyWindowState): Picture => ({
  caption: `Passkey in a window of its own, ${caption}`,
  screen: pictured(passkeyWindowScreen, state),
  canGoBack: true,
})
const page = (caption: string, state: PasskeyPageState): Picture => ({
  caption: `Passkey page, ${caption}`,
  screen: pictured(passkeyPageScreen, state),
  standalone: true,
})
const ready = {
  status: 'ready',
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
  wasRefused: false,
} as const

export const pictures: Pictures = {
  entries: [{ caption: 'passkey', entry: picturedPart(passkeyEntry, {}) }],
  screens: [
    dialogue('waiting', { status: 'loading' }),
    dialogue('success', { status: 'success' }),
    dialogue('not allowed', { status: 'error', problem: 'notAllowed' }),
    dialogue('unknown error', { status: 'error', problem: 'unknown' }),
    ownWindow('to open', { status: 'to open' }),
    ownWindow('waiting', { status: 'waiting', mayBeBlocked: false }),
    ownWindow('perhaps blocked', { status: 'waiting', mayBeBlocked: true }),
    ownWindow('that asks for digits', { status: 'waiting', mayBeBlocked: true, digits: '42' }),
    ownWindow('inside of an app', { status: 'in-app' }),
    page('reading', { status: 'reading' }),
    page('use', { ...ready, asks: 'get' }),
    page('create', { ...ready, asks: 'create' }),
    page('not allowed', { ...ready, asks: 'get', wasRefused: true }),
    page('waiting', { status: 'asking' }),
    page('telling', { status: 'telling' }),
    page('answered', { status: 'answered' }),
    page('canceled', { status: 'refused' }),
    page('answered before', { status: 'over', why: 'answered' }),
    page('unknown', { status: 'over', why: 'unknown' }),
    page('unreachable', { status: 'unreachable' }),
    list('none', { count: 0 }),
    list('one', { count: 1 }),
    list('adding', { count: 2, isAdding: true }),
    list('three', { count: 3 }),
    list('as many as there can be', { count: 5 }),
    list('not allowed', { count: 1, problem: 'notAllowed' }),
    list('too many', { count: 1, problem: 'tooMany' }),
    { caption: 'Passkey added', screen: pictured(linkPasskeyScreen, { status: 'added' }) },
  ],
}
