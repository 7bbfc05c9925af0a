/** Renders docs/reference/client.md from the types of the loader. TypeScript 7 has no programming interface. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownPage, markdownTable } from '../../../protocol/doc/markdown.ts'
import { root } from '../../setup.mjs'

const read = (path: string) => readFileSync(join(root, 'loader', path), 'utf8')

const groups: [title: string, file: string, type: string][] = [
  ['Login and session', 'calls/latchkey.ts', 'Latchkey'],
  ['Accounts and external wallets', 'calls/accounts.ts', 'AccountCalls'],
  ['Wallets', 'calls/wallets.ts', 'WalletCalls'],
  ['Signatures and transactions', 'calls/signing.ts', 'SigningCalls'],
  ['Second factors', 'calls/mfa.ts', 'MfaCalls'],
]

/** A member of a type, with its documentation comment. */
type Member = { name: string; signature: string; meaning: string }

const member = /^ {2}(?:\/\*\*([\s\S]*?)\*\/\s+)?(?:(\w+)(?:<[^\n]*)?(\([\s\S]*?\n? *\): [^\n]+|: [^\n]+))$/gm

const joinLines = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Returns the members of `export type <name> = … {`. */
export function readMembers(source: string, type: string): Member[] {
  const start = new RegExp(`^export type ${type} = [^\\n]*\\{\\n`, 'm').exec(source)
  if (start === null) throw new Error(`There is no type ${type}`)
  const from = start.index + start[0].length
  const body = source.slice(from, source.indexOf('\n}\n', from) + 1)
  return [...body.matchAll(member)].map(([, comment = '', name = '', signature = '']) => ({
    name,
    signature: joinLines(signature),
    meaning: joinLines(comment.replaceAll(/^\s*\* ?/gm, '')),
  }))
}

const table = (first: string, file: string, type: string) =>
  markdownTable(
    [first, 'type', 'meaning'],
    readMembers(read(file), type).map(({ name, signature, meaning }) => [
      `\`${name}\``,
      `\`${signature.replace(/^: /, '')}\``,
      meaning,
    ]),
  )

export function renderClientCalls(): string {
  return markdownPage(
    'Client calls and events',
    'The handle that `createLatchkey()` returns, and `window.latchkey` of the script tag. Every promise settles, and every rejection is a `LatchkeyError` with one of the [error codes](errors.md). The [loader](../../loader/README.md) describes how calls behave.',
    ...groups.flatMap(([title, file, type]) => [`## ${title}`, table('call', file, type)]),
    '## Linking',
    '`link<Method>(options?)` opens the dialog to add an account, and `unlink<Method>(id, options?)` to remove one. Both resolve with the user. `<Method>` is `Email`, `Phone`, `Wallet`, `Passkey`, `Apple`, `Discord`, `Github`, `Google`, `LinkedIn`, `Spotify`, `Instagram`, `Twitter`, `Tiktok`, `Farcaster` or `Telegram`.',
    '## Events',
    '`on(name, listener)` adds a listener and returns a function that removes it.',
    table('event', 'types/options.ts', 'LatchkeyEvents'),
  )
}
