/**
 * Assigns sources to bundles. A capability has its own bundle, loaded on first use. Shared code is split by when it
 * loads, because many small scripts delay a page. Rules name folders, or kinds of sources such as limits; code that
 * loads separately is in a `lazy/` folder. Each language other than English is one bundle.
 *
 * The build fails if a named folder no longer exists.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Rolldown } from 'vite'
import { openingCapabilities } from './open-page.config.ts'

/** The first matching group receives a source and its remaining imports. */
const inOrder: readonly Omit<Rolldown.CodeSplittingGroup, 'priority'>[] = [
  { name: 'core', tags: ['$initial'] },
  // The capability list, the code that renders capabilities and the first capabilities of a login always load together,
  // and one bundle compresses better.
  {
    name: 'shell',
    test: either(
      either(
        ofCapability(openingCapabilities),
        inDialog(
          'start/lazy',
          'app',
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
      ),
      inProtocol('texts'),
    ),
  },
  // The phone number rules are as large as the rest of a card, so they load with the first phone field.
  { name: 'phone', test: inDialog('ui/fields/phone') },
  // Icons of rows and banners, which the options of LANDING share with most cards.
  { name: 'icons', test: inDialog('ui/lazy') },
  // Loaded with the first capability that uses them; neither the shell nor a login does.
  {
    name: 'parts',
    test: inDialog(
      'shell/lazy',
      'app/wallet-window',
      'approval/step',
      'ui/fields/lazy',
      'ui/rows',
      'ui/marks',
      'ui/wallet-page',
    ),
  },
  // After the parts that it imports. Used by few methods, with its library.
  { name: 'qr', test: either(inDialog('ui/qr', 'phone-app'), /\/node_modules\/uqr\//) },
  // Shared by several login methods, with their API routes.
  { name: 'window-login', test: either(inDialog('window-login'), /\/protocol\/windows\//) },
  // Small code shared by login methods, which would otherwise load with the wallet or with each other.
  {
    name: 'shared',
    test: either(inProtocol('entities', 'entities/wallets', 'rows'), /\/protocol\/(?:[^/]+\/)+limits\.ts$/),
  },
  {
    name: 'wallet',
    test: either(inDialog('wallet'), /\/protocol\/(?:vault\/|capabilities\/[^/]+\/wallet\.ts$)/),
  },
  // Shared by the flows of several capabilities, which would otherwise load with the first in order.
  { name: 'flows', test: inDialog('approval', 'contract', 'host/lazy') },
  // TanStack Query loads with the first screen that shows data of the server.
  {
    name: 'server-data',
    test: either(inDialog('app/server-data'), /\/node_modules\/@tanstack\//),
  },
  // The small objects of capabilities, by the time they load, and the optional parts of LANDING. These groups follow the
  // required parts of LANDING, so that they contain none of those.
  { name: getList },
  // The RPC client, which would otherwise load with the first capability in order.
  { name: 'chains', test: either(inDialog('chains'), /\/protocol\/chains\//) },
  // The passkey code with its texts and mark.
  {
    name: 'webauthn',
    test: either(
      inDialog('webauthn'),
      /\/protocol\/capabilities\/passkey[./]|\/node_modules\/@simplewebauthn\//,
    ),
  },
  // With the host calls of a Solana wallet, which would be a script of 300 bytes.
  {
    name: 'wallet-create',
    test: either(inDialog('capabilities/wallet-create'), /\/protocol\/capabilities\/solana[./]/),
  },
  { name: getCapability },
  // The relay client is larger than the rest of the dialog.
  { name: 'relay-client', test: inDialog('walletconnect') },
  // Lazy folders, after the code that they share.
  { name: getLazyFolder },
]
export const chunks: Rolldown.CodeSplittingGroup[] = inOrder.map((group, position) => ({
  ...group,
  priority: inOrder.length - position,
}))

type OfModule = (moduleId: string) => boolean

/** Matches sources directly in one of these folders. */
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

function either(test: OfModule, folder: RegExp | OfModule): OfModule {
  return (moduleId) =>
    test(moduleId) || (typeof folder === 'function' ? folder(moduleId) : folder.test(moduleId))
}

function ofCapability(names: readonly string[]): OfModule {
  return (moduleId) => names.includes(getCapability(moduleId) ?? '')
}

function getCapability(moduleId: string): string | null {
  if (moduleId.includes('/lazy/')) return null
  return /\/capabilities\/([^/.]+)[./]/.exec(moduleId)?.[1] ?? null
}

/** Returns the list of a list module. */
function getList(moduleId: string): string | null {
  if (moduleId.includes('/capabilities/landing/lazy/options/')) return 'with-setting'
  return /\/capabilities\/lazy\/([^/.]+)/.exec(moduleId)?.[1] ?? null
}

function getLazyFolder(moduleId: string): string | null {
  return /\/capabilities\/.+\/lazy\/([^/]+)\//.exec(moduleId)?.[1] ?? null
}
