/**
 * A Vite plugin for the code of docs/wagmi.md: `printed:wagmi` is its first block, `printed:rainbowkit` the
 * block below that heading, and so on. It inserts the app, dialog and chain of the tests.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const guide = readFileSync(join(import.meta.dirname, '../../docs/wagmi.md'), 'utf8')

export function printedBlock(kit: string): string {
  const [section, ...others] = guide
    .split(/^#+ /m)
    .filter((text) => text.split(/[\n,]/)[0]?.toLowerCase() === kit)
  const [, block] = /```ts\n(.*?)```/s.exec(section ?? '') ?? []
  if (!block || others.length > 0) throw new Error(`docs/wagmi.md must have exactly one block for ${kit}`)
  return block
}

const settings = 'document.documentElement.dataset'
const replaced: readonly (readonly [RegExp, string])[] = [
  [/'YOUR_APP_ID'/g, `${settings}.appId`],
  [/'https:\/\/dialog\.example'/g, `${settings}.dialogUrl`],
  [/'YOUR-WALLETCONNECT-PROJECT'/g, `'${'0'.repeat(32)}'`],
  [/\bmainnet\b/g, 'anvil'],
  [/http\(\)/g, `http(${settings}.chainUrl)`],
]

export const printed: Plugin = {
  name: 'printed',
  resolveId: (id) =>
    id.startsWith('printed:') ? join(import.meta.dirname, 'pages', `${id.slice(8)}.printed.ts`) : undefined,
  load(id) {
    const [, kit] = /\/([\w-]+)\.printed\.ts$/.exec(id) ?? []
    return kit && replaced.reduce((code, [words, with_]) => code.replaceAll(words, with_), printedBlock(kit))
  },
}
