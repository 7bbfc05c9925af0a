/** Renders docs/reference/limits.md from the limits of the protocol and their comments. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { confirmLimits } from '../../../protocol/capabilities/confirm/limits.ts'
import { mfaLimits } from '../../../protocol/capabilities/mfa/limits.ts'
import * as common from '../../../protocol/limits/limits.ts'
import { serverLimits } from '../../../protocol/limits/server.ts'
import { walletLimits } from '../../../protocol/limits/wallet.ts'
import { walletSizes } from '../../../protocol/limits/wallet-sizes.ts'
import { generatedBy, markdownTable } from '../../../server/start/reference/markdown.ts'
import { root } from '../../setup.mjs'

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

const units: [seconds: number, name: string][] = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
]

function formatSeconds(seconds: number): string {
  const [size, name] = units.find(([unit]) => seconds >= 2 * unit && seconds % unit === 0) ?? [1, 's']
  return `${seconds / size} ${name}`
}

function formatValue(name: string, value: unknown): string {
  if (typeof value !== 'number') return Array.isArray(value) ? value.join(', ') : String(value)
  if (name.endsWith('Ms')) return value < 1_000 ? `${value} ms` : formatSeconds(value / 1_000)
  if (/seconds$/i.test(name)) return formatSeconds(value)
  if (name.endsWith('Bytes'))
    return value >= 1_024 && value % 1_024 === 0 ? `${value / 1_024} KB` : `${value} bytes`
  return String(value)
}

/** Returns the comment before a limit in its table, or nothing. */
function describeLimit(table: string, name: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s+${name}:`).exec(table)?.[1] ?? ''
  return comment
    .replaceAll(/\n\s*\*/g, ' ')
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
  const lines = [
    '# Limits',
    '',
    generatedBy,
    '',
    'Limits of this release. Above a rate limit, calls reject with `too_many_requests` and `retryAfterSeconds`. [Distributed guessing](../security/guarantees.md#distributed-guessing) has the limits by network. The limits of approvals are [settings of the app](app-settings.md).',
    ...groups.flatMap(({ title, file, table, limits }) => {
      const source = readTable(file, table)
      const listed = Object.entries(limits).filter(([name]) => !/^(day|minute)Seconds$/.test(name))
      return [
        '',
        `## ${title}`,
        '',
        ...markdownTable(
          ['limit', 'value', 'meaning'],
          listed.map(([name, value]) => [
            `\`${name}\``,
            formatValue(name, value),
            describeLimit(source, name),
          ]),
        ),
      ]
    }),
  ]
  return `${lines.join('\n')}\n`
}
