/** Renders docs/reference/limits.md from the limits of the protocol and their comments. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { confirmLimits } from '../capabilities/confirm/limits.ts'
import { mfaLimits } from '../capabilities/mfa/limits.ts'
import * as common from '../limits/limits.ts'
import { serverLimits } from '../limits/server.ts'
import { walletLimits } from '../limits/wallet.ts'
import { walletSizes } from '../limits/wallet-sizes.ts'
import { formatDuration, markdownPage, markdownTable } from './markdown.ts'

const root = join(import.meta.dirname, '../..')

type Group = { title: string; file: string; table: string; limits: Readonly<Record<string, unknown>> }

const commonFile = 'protocol/limits/limits.ts'
const groups: Group[] = [
  { title: 'Guesses and codes', file: commonFile, table: 'attemptLimits', limits: common.attemptLimits },
  { title: 'Codes by e-mail', file: commonFile, table: 'emailLimits', limits: common.emailLimits },
  { title: 'Codes by SMS', file: commonFile, table: 'smsLimits', limits: common.smsLimits },
  {
    title: 'Sessions in the browser',
    file: commonFile,
    table: 'sessionLimits',
    limits: common.sessionLimits,
  },
  { title: 'Server', file: 'protocol/limits/server.ts', table: 'serverLimits', limits: serverLimits },
  { title: 'Calls of the HTTP API', file: commonFile, table: 'apiLimits', limits: common.apiLimits },
  {
    title: 'Messages between windows',
    file: commonFile,
    table: 'channelLimits',
    limits: common.channelLimits,
  },
  { title: 'Images of a host page', file: commonFile, table: 'pictureLimits', limits: common.pictureLimits },
  { title: 'Wallet', file: 'protocol/limits/wallet.ts', table: 'walletLimits', limits: walletLimits },
  {
    title: 'Sizes of wallet data',
    file: 'protocol/limits/wallet-sizes.ts',
    table: 'walletSizes',
    limits: walletSizes,
  },
  {
    title: 'Confirmations',
    file: 'protocol/capabilities/confirm/limits.ts',
    table: 'confirmLimits',
    limits: confirmLimits,
  },
  {
    title: 'Second factors',
    file: 'protocol/capabilities/mfa/limits.ts',
    table: 'mfaLimits',
    limits: mfaLimits,
  },
]

function formatValue(name: string, value: unknown): string {
  if (typeof value !== 'number') return Array.isArray(value) ? value.join(', ') : String(value)
  if (name.endsWith('Ms')) return value < 1_000 ? `${value} ms` : formatDuration(value / 1_000, 's')
  if (/seconds$/i.test(name)) return formatDuration(value, 's')
  if (name.endsWith('Bytes'))
    return value >= 1_024 && value % 1_024 === 0 ? `${value / 1_024} KB` : `${value} bytes`
  return String(value)
}

/** Returns the comment before a limit in its table, or nothing. */
function describeLimit(table: string, name: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s+${name}:`).exec(table)?.[1] ?? ''
  return comment
    .replaceAll(/\n[ \t]*\*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function readTable(file: string, table: string): string {
  const source = readFileSync(join(root, file), 'utf8')
  const start = source.indexOf(`export const ${table} = {`)
  if (start < 0) throw new Error(`${file} has no ${table}`)
  return source.slice(start, source.indexOf('\n}', start))
}

export function renderLimits(): string {
  return markdownPage(
    'Limits',
    'Limits of this release. Above a rate limit, calls reject with `too_many_requests` and `retryAfterSeconds`. [Distributed guessing](../security/guarantees.md#distributed-guessing) has the limits by network. The limits of approvals are [settings of the app](app-settings.md).',
    ...groups.flatMap(({ title, file, table, limits }) => {
      const source = readTable(file, table)
      const listed = Object.entries(limits).filter(([name]) => !/^(day|minute)Seconds$/.test(name))
      return [
        `## ${title}`,
        markdownTable(
          ['limit', 'value', 'meaning'],
          listed.map(([name, value]) => [
            `\`${name}\``,
            formatValue(name, value),
            describeLimit(source, name),
          ]),
        ),
      ]
    }),
  )
}
