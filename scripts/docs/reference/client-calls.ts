/** Renders docs/reference/client.md from the types of the loader. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedBy, markdownTable } from '../../../server/start/reference/markdown.ts'
import { root } from '../../setup.mjs'
import { readMembers } from './declared-members.ts'

const read = (path: string) => readFileSync(join(root, 'loader', path), 'utf8')

const groups: [title: string, file: string, type: string][] = [
  ['Login and session', 'calls/latchkey.ts', 'Latchkey'],
  ['Accounts and external wallets', 'calls/accounts.ts', 'AccountCalls'],
  ['Wallets', 'calls/wallets.ts', 'WalletCalls'],
  ['Signatures and transactions', 'calls/signing.ts', 'SigningCalls'],
  ['Second factors', 'calls/mfa.ts', 'MfaCalls'],
]

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
  const lines = [
    '# Client calls and events',
    '',
    generatedBy,
    '',
    'The handle that `createLatchkey()` returns, and `window.latchkey` of the script tag. Every promise settles, and every rejection is a `LatchkeyError` with one of the [error codes](errors.md). The [loader](../../loader/README.md) describes how calls behave.',
    ...groups.flatMap(([title, file, type]) => ['', `## ${title}`, '', ...table('call', file, type)]),
    '',
    '## Linking',
    '',
    '`link<Method>(options?)` opens the dialog to add an account, and `unlink<Method>(id, options?)` to remove one. Both resolve with the user. `<Method>` is `Email`, `Phone`, `Wallet`, `Passkey`, `Apple`, `Discord`, `Github`, `Google`, `LinkedIn`, `Spotify`, `Instagram`, `Twitter`, `Tiktok`, `Farcaster` or `Telegram`.',
    '',
    '## Events',
    '',
    '`on(name, listener)` adds a listener and returns a function that removes it.',
    '',
    ...table('event', 'types/options.ts', 'LatchkeyEvents'),
  ]
  return `${lines.join('\n')}\n`
}
