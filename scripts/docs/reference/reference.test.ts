import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { userEvents } from '@latchkey/protocol/admin'
import { walletPurposes } from '@latchkey/protocol/wallet'
import { describe, expect, it } from 'vitest'
import { claimMeanings } from '../../../protocol/doc/tokens.ts'
import { accessTokenClaimsSchema } from '../../../protocol/entities/session.ts'
import { errorCodes } from '../../../protocol/errors/error-codes.ts'
import { type ErrorSender, errorDocs } from '../../../protocol/errors/error-docs.ts'
import { LatchkeyError } from '../../../protocol/errors/errors.ts'
import { reservedCodes } from '../../../protocol/errors/reserved-codes.ts'
import { auditedEvents } from '../../../server/identity/outbox/audited-events.ts'
import { auditEvents } from '../../../server/start/reference/audit-events.ts'
import { listUserTables, storedData } from '../../../server/start/reference/data-inventory.ts'
import { root } from '../../setup.mjs'
import { docPages } from '../pages.ts'
import { readMembers } from './client-calls.ts'
import { referencePages } from './pages.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readSources = (folder: string) =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: (path) => /node_modules|dist$/.test(path) })
    .filter((path) => !/\/testing\/|\/gallery\/|\.test(-d)?\.tsx?$/.test(path))
    .map(read)

/** Returns the first cells of the table rows of a page. */
const firstCells = (path: string) =>
  [...read(path).matchAll(/^\| (?:<a id="\w+"><\/a>)?`([^`|]+)` \|/gm)].map(([, name = '']) => name)

it.each(referencePages)('$path matches the output of `npm run reference`', ({ path, render }) => {
  expect(read(path)).toBe(render())
})

it.each(['loader', 'sdk/server', 'sdk/testing', 'sdk/sandbox', 'sdk/migrate'])(
  'the package %s names the homepage, issues and repository of the project',
  (folder) => {
    const { homepage, bugs, repository } = JSON.parse(read('package.json'))
    expect(JSON.parse(read(`${folder}/package.json`))).toMatchObject({
      homepage,
      bugs,
      repository: { ...repository, directory: folder },
    })
  },
)

describe('docs/reference/errors.md', () => {
  it('has one row for each code', () => {
    expect(firstCells('docs/reference/errors.md').toSorted()).toEqual([...errorCodes].toSorted())
  })

  it('has an anchor at the docsUrl of each code', () => {
    const { homepage } = JSON.parse(read('package.json'))
    const page = docPages.find(({ source }) => source === 'docs/reference/errors.md')
    for (const code of errorCodes) {
      expect(new LatchkeyError(code, '').docsUrl).toBe(`${homepage}/${page?.slug}/#${code}`)
      expect(read('docs/reference/errors.md')).toContain(`<a id="${code}"></a>`)
    }
  })

  it('has a sentence with a meaning and one with advice for each code that is sent', () => {
    for (const [code, [senders, meaning, action]] of Object.entries(errorDocs)) {
      expect([code, senders.length > 0, meaning, action]).toEqual([
        code,
        true,
        expect.stringMatching(/^[A-Z`].{10,}\.$/),
        expect.stringMatching(/^[A-Z].{5,}\.$/),
      ])
    }
  })

  const folders: readonly [ErrorSender, string][] = [
    ['loader', 'loader'],
    ['dialog', 'dialog-app'],
    ['wallet', 'wallet-frame'],
    ['server', 'server'],
    ['channel', 'protocol'],
  ]
  it.each(folders)('names the %s for each code that it creates', (sender, folder) => {
    const sources = readSources(folder)
    const creates = (code: string) => {
      const pattern = new RegExp(`LatchkeyError\\(\\s*'${code}'|toLatchkeyError\\([^,]*,\\s*'${code}'`)
      return sources.some((text) => pattern.test(text))
    }
    const missing = Object.entries(errorDocs).filter(
      ([code, [senders]]) => creates(code) && !senders.includes(sender),
    )
    expect(sources.length).toBeGreaterThan(30)
    expect(missing.map(([code]) => code)).toEqual([])
  })

  it('describes no code that is reserved', () => {
    expect(Object.keys(errorDocs).filter((code) => code in reservedCodes)).toEqual([])
  })
})

it('every claim of an access token has a meaning', () => {
  expect(Object.keys(claimMeanings).toSorted()).toEqual(
    Object.keys(accessTokenClaimsSchema.entries).toSorted(),
  )
})

it('the audit events are those that the server records', () => {
  const area = [...new Set(Object.keys(auditEvents).map((event) => event.split('.')[0]))].join('|')
  const recorded = readSources('server')
    // Webhook events have names of the same form.
    .filter((text) => /audit/i.test(text) && !text.includes('auditedEvents'))
    .flatMap((text) => [...text.matchAll(new RegExp(`'((?:${area})\\.[a-z_]+)'`, 'g'))])
    .map(([, event = '']) => event)
    .filter((event) => /(ed|begun|bound|reset|set|taken)(_|$)/.test(event))
  const ofReleases = Object.values(walletPurposes).flatMap(({ recordedAs }) => recordedAs ?? [])
  expect([...new Set([...recorded, ...ofReleases])].toSorted()).toEqual(Object.keys(auditEvents).toSorted())
})

it('the audit events with a webhook event are recorded, and each webhook event of users has one', () => {
  expect(Object.keys(auditedEvents).filter((event) => !(event in auditEvents))).toEqual([])
  const details = { outcome: 'taken back', methods: 'totp' }
  const published = Object.values(auditedEvents).map((convert) => convert({ sessionId: null, details })?.type)
  expect([...new Set(published)].toSorted()).toEqual(Object.keys(userEvents).toSorted())
})

describe('docs/reference/data-inventory.md', () => {
  it('has every table with rows of a user, or with rows that expire', () => {
    expect(listUserTables().length).toBeGreaterThan(30)
    expect(listUserTables().filter((table) => !(table in storedData))).toEqual([])
  })

  it('says for each table how long its rows are stored', () => {
    const rows = [...read('docs/reference/data-inventory.md').matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)]
    expect(rows.map(([, table]) => table)).toEqual(Object.keys(storedData))
    expect(rows.filter(([, , end]) => end === '').map(([, table]) => table)).toEqual([])
  })
})

describe('docs/reference/client.md', () => {
  it('has every event of the loader, with a meaning', () => {
    const rows = [...read('docs/reference/client.md').matchAll(/^\| `(\w+)` \| `.*` \| (.*) \|$/gm)]
    expect(rows.map(([, name]) => name)).toEqual(
      expect.arrayContaining(['login', 'getAccessToken', 'sendTransaction', 'chainChanged', 'mfaRequired']),
    )
    expect(rows.filter(([, , meaning]) => meaning === '').map(([, name]) => name)).toEqual([])
  })
})

it('reads methods, values and comments of a declared type', () => {
  const source =
    'export type A = B & {\n  /** The id. */\n  id: string\n  /**\n   * Logs in\n   * the user.\n   */\n  login(\n    options?: C,\n  ): Promise<D>\n}\n\nexport type E = {\n  f: string\n}\n'
  expect(readMembers(source, 'A')).toEqual([
    { name: 'id', signature: ': string', meaning: 'The id.' },
    { name: 'login', signature: '( options?: C, ): Promise<D>', meaning: 'Logs in the user.' },
  ])
  expect(() => readMembers(source, 'G')).toThrow('There is no type G')
})
