/**
 * Which script has which source. A capability has one of its own, which loads with its first use; what all share is
 * cut by when it is wanted, since a page that loads a hundred small scripts waits for each. Only folders are named
 * here, and of a source at most its kind (the limits of a call): a source loads with its folder, and what is loaded by
 * itself, when it is used, is in a folder `lazy/`. Another language than English is a script for each folder.
 *
 * A folder that is renamed without its name here ends the build.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Rolldown } from 'vite'
import { openingCapabilities } from './open-page.config.ts'

/** The first that a source fits takes it, and whatever that imports which none before has taken. */
const inOrder: readonly Omit<Rolldown.CodeSplittingGroup, 'priority'>[] = [
  { name: 'core', tags: ['$initial'] },
  // The capabilities' list and what draws them are asked for together, always.
  {
    name: 'shell',
    test: anyOf(
      inDialog(
        'start/lazy',
        'shell',
        'shell/elements',
        'ui',
        'ui/fields',
        'ui/feedback',
        'flow',
        'host',
        'i18n',
        'browser',
      ),
      inProtocol('texts'),
    ),
  },
  // Its rules of every country's numbers weigh as much as the rest of a card, and come with the first such field.
  { name: 'phone', test: inDialog('ui/fields/phone') },
  // Neither the shell nor a login draws them; they come with the first capability that does.
  {
    name: 'parts',
    test: inDialog('shell/lazy', 'approval/step', 'ui/fields/lazy', 'ui/rows', 'ui/marks', 'ui/wallet-page'),
  },
  // After the parts, which it is made of. What few methods draw, and its library.
  { name: 'qr', test: anyOf(inDialog('ui/qr', 'phone-app'), /\/node_modules\/uqr\//) },
  // The page of a call that waits asks for these whatever the app has on, and one script of them compresses better.
  { name: 'entrance', test: ofCapability(openingCapabilities) },
  // What several ways to log in share, and what each of them asks the server with.
  { name: 'window-login', test: anyOf(inDialog('window-login'), /\/protocol\/windows\//) },
  // Small things that ways to log in share, which would else come along with the wallet, or with one another.
  {
    name: 'shared',
    test: anyOf(inProtocol('entities', 'entities/wallets', 'rows'), /\/protocol\/(?:[^/]+\/)+limits\.ts$/),
  },
  {
    name: 'wallet',
    test: anyOf(inDialog('wallet'), /\/protocol\/(?:vault\/|capabilities\/[^/]+\/wallet\.ts$)/),
  },
  // What the flows of several capabilities for users share would else come along with whichever sorts first.
  { name: 'flows', test: inDialog('approval', 'contract', 'host/lazy') },
  // The small objects of capabilities, by when they come; and how LANDING lays out what an app may have on or not. After
  // what LANDING always has, so that they take nothing of that along.
  { name: listOf },
  // What asks chains, for whichever capability wants that first; by itself it would come along with what sorts first.
  { name: 'chains', test: anyOf(inDialog('chains'), /\/protocol\/chains\//) },
  // What asks the browser's authenticators, for whichever capability wants that first; in which words, and its mark.
  {
    name: 'webauthn',
    test: anyOf(
      inDialog('webauthn'),
      /\/protocol\/capabilities\/passkey[./]|\/node_modules\/@simplewebauthn\//,
    ),
  },
  { name: capabilityOf },
  // The client of a relay weighs more than the rest of the dialog together.
  { name: 'relay-client', test: inDialog('walletconnect') },
  // A folder is a script, after all that it shares with others.
  { name: lazyFolderOf },
]
export const chunks: Rolldown.CodeSplittingGroup[] = inOrder.map((group, position) => ({
  ...group,
  priority: inOrder.length - position,
}))

type OfModule = (moduleId: string) => boolean

/** What is directly in one of these folders. */
function directlyIn(root: string, folders: readonly string[]): OfModule {
  for (const folder of folders) {
    const isThere = existsSync(join(import.meta.dirname, '../..', root, folder))
    if (!isThere) throw new Error(`There is no folder ${root}/${folder} to make a script of`)
  }
  const endings = folders.map((folder) => `/${root}/${folder}`)
  return (moduleId) => endings.some((ending) => dirname(moduleId).endsWith(ending))
}

function inDialog(...folders: readonly string[]): OfModule {
  return directlyIn('dialog-app', folders)
}

function inProtocol(...folders: readonly string[]): OfModule {
  return directlyIn('protocol', folders)
}

function anyOf(test: OfModule, folder: RegExp | OfModule): OfModule {
  return (moduleId) =>
    test(moduleId) || (typeof folder === 'function' ? folder(moduleId) : folder.test(moduleId))
}

function ofCapability(names: readonly string[]): OfModule {
  return (moduleId) => names.includes(capabilityOf(moduleId) ?? '')
}

function capabilityOf(moduleId: string): string | null {
  if (moduleId.includes('/lazy/')) return null
  return /\/capabilities\/([^/.]+)[./]/.exec(moduleId)?.[1] ?? null
}

/** A list is a script. */
function listOf(moduleId: string): string | null {
  if (moduleId.includes('/capabilities/landing/lazy/options/')) return 'with-setting'
  return /\/capabilities\/lazy\/([^/.]+)/.exec(moduleId)?.[1] ?? null
}

function lazyFolderOf(moduleId: string): string | null {
  return /\/capabilities\/.+\/lazy\/([^/]+)\//.exec(moduleId)?.[1] ?? null
}
