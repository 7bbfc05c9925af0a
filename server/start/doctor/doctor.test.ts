import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyMasterKeys, newMasterKey, readMasterKeys } from '../../kernel/keys/master-key.ts'
import { useDatabase } from '../commands/testing/used-database.ts'
import { examine } from './doctor.ts'
import type { DoctorPorts } from './ports.ts'
import { checkMigrations } from './storage.ts'

const nowMs = Date.UTC(2026, 4, 1)
const inDays = (days: number) => nowMs + days * 86_400_000

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const environment = () => ({
  DIALOG_ORIGIN: 'https://dialog.example',
  WALLET_ORIGIN: 'https://wallet.test',
  SMTP_URL: 'smtp://smtp.example:587',
  MAIL_FROM: 'Fieldnotes <login@fieldnotes.example>',
  DATABASE_URL: join(folder, 'database', 'latchkey.sqlite'),
  MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
})

const healthyPorts: DoctorPorts = {
  nowMs: () => nowMs,
  thirdPartyNowMs: () => nowMs - 2_000,
  resolve: async () => ['192.0.2.7'],
  readCertificate: async () => ({ expiresAtMs: inDays(60) }),
  fetchStatus: async () => 200,
  reach: async () => {},
  createDeadline: () => new AbortController().signal,
}

type Setup = {
  variables?: Readonly<Record<string, string>>
  ports?: Partial<DoctorPorts>
  keyBackups?: string[]
}

/** Runs the checks and returns one line each: `ok Clock: …`. */
async function diagnose({ variables = {}, ports = {}, keyBackups = [] }: Setup = {}) {
  const found = await examine({
    environment: { ...environment(), ...variables },
    keyBackups,
    ports: { ...healthyPorts, ...ports },
  })
  return found.map(({ state, check, message }) => `${state} ${check}: ${message}`)
}
const never = () => new Promise<never>(() => {})

describe('a new server', () => {
  it('passes every check but the key backup, and nothing is created', async () => {
    mkdirSync(join(folder, 'keys'))
    expect(await diagnose()).toEqual([
      'ok Configuration: Every variable is valid.',
      'ok DNS of dialog.example: 192.0.2.7',
      'ok TLS of dialog.example: The certificate is valid until 2026-06-30.',
      'ok Response of dialog.example: A server answers.',
      'ok DNS of wallet.test: 192.0.2.7',
      'ok TLS of wallet.test: The certificate is valid until 2026-06-30.',
      'ok Response of wallet.test: A server answers.',
      'ok Two sites: dialog.example and wallet.test are different sites.',
      `ok Database: The first start creates ${join(folder, 'database', 'latchkey.sqlite')}.`,
      `ok Data folder: The first start creates ${join(folder, 'database')}.`,
      `ok Master key: The first start creates ${join(folder, 'keys', 'master.key')}.`,
      'ok SMTP_URL: smtp.example:587 answers.',
      'ok Clock: It agrees with the time in responses of third parties.',
    ])
    expect(existsSync(join(folder, 'database'))).toBe(false)
  })

  it('lists missing, invalid and misspelled variables and stops', async () => {
    expect(await diagnose({ variables: { MAIL_FROM: '', PORT: 'http', DATABSE_URL: 'x' } })).toEqual([
      'failed Configuration: MAIL_FROM is missing.',
      'failed Configuration: PORT must be a number.',
      'warning Configuration: Nothing reads the variable DATABSE_URL.',
    ])
  })

  it('fails if the data folder cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '')
    const lines = await diagnose({ variables: { DATABASE_URL: join(folder, 'file', 'latchkey.sqlite') } })
    expect(lines).toContain(`failed Data folder: This user cannot write in ${join(folder, 'file')} (EACCES).`)
  })
})

describe('the hostnames', () => {
  it.each([
    [
      inDays(13),
      undefined,
      'warning TLS of dialog.example: The certificate expires in 13 days, on 2026-05-14.',
    ],
    [inDays(-1), 'CERT_HAS_EXPIRED', 'failed TLS of dialog.example: The certificate expired on 2026-04-30.'],
    [
      inDays(60),
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'failed TLS of dialog.example: Browsers reject the certificate (ERR_TLS_CERT_ALTNAME_INVALID).',
    ],
  ])('report a certificate that expires at %d with the problem %s', async (expiresAtMs, problem, line) => {
    const readCertificate = async () => ({ expiresAtMs, ...(problem !== undefined && { problem }) })
    expect(await diagnose({ ports: { readCertificate } })).toContain(line)
  })

  it('fail if a name cannot be resolved', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    expect(await diagnose({ ports: { resolve } })).toContain(
      'failed DNS of wallet.test: It cannot be resolved (ENOTFOUND).',
    )
  })

  it('warn if the proxy does not forward to a server', async () => {
    expect(await diagnose({ ports: { fetchStatus: async () => 502 } })).toContain(
      'warning Response of wallet.test: /healthz answers with status 502.',
    )
  })

  it('warn if both end with the same two labels', async () => {
    expect(await diagnose({ variables: { WALLET_ORIGIN: 'https://wallet.login.example' } })).toContain(
      'ok Two sites: dialog.example and wallet.login.example are different sites.',
    )
    const variables = {
      DIALOG_ORIGIN: 'https://dialog.acme.example',
      WALLET_ORIGIN: 'https://w.acme.example',
    }
    expect(await diagnose({ variables })).toContain(
      'warning Two sites: dialog.acme.example and w.acme.example both end with acme.example.',
    )
  })

  it('end each wait at its deadline', async () => {
    const expired = () => AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    const lines = await diagnose({
      ports: { resolve: never, reach: never, createDeadline: expired },
    })
    expect(lines).toContain('failed DNS of dialog.example: It cannot be resolved (TimeoutError).')
    expect(lines).toContain('failed SMTP_URL: smtp.example:587 cannot be used (TimeoutError).')
  })
})

describe('the storage of a used server', () => {
  beforeEach(() => useDatabase(environment(), 1))
  const copy = () => join(folder, 'copy.key')

  it('passes, and a current copy of the key file too', async () => {
    copyMasterKeys(copy(), readMasterKeys(environment().MASTER_KEY_FILE))
    const lines = await diagnose({ keyBackups: [copy()] })
    expect(lines).toContain('ok Database: It answers (sqlite).')
    expect(lines).toContain('ok Migrations: The tables are up to date.')
    expect(lines).toContain(`ok Master key: Only its owner can read ${environment().MASTER_KEY_FILE}.`)
    expect(lines).toContain('ok Key backup: The copies contain every key.')
  })

  it('warns without a copy of the key file, and fails for a copy of another key', async () => {
    expect(await diagnose()).toContain(
      'warning Key backup: Not checked. Without the key file, nobody can open the wallets in the database.',
    )
    copyMasterKeys(copy(), [newMasterKey()])
    const id = readMasterKeys(environment().MASTER_KEY_FILE)[0].id
    expect(await diagnose({ keyBackups: [copy()] })).toContain(
      `failed Key backup: No copy has the key ${id} of the master key file.`,
    )
  })

  it('fails for a key file that others can read, that is missing, or that has another key', async () => {
    const file = environment().MASTER_KEY_FILE
    chmodSync(file, 0o644)
    expect(await diagnose()).toContain(
      `failed Master key: The master key file ${file} can be read by others. Run: chmod 600 ${file}`,
    )
    rmSync(file)
    expect(await diagnose()).toContain(`failed Master key: The master key file ${file} does not exist.`)
    copyMasterKeys(file, [newMasterKey()])
    expect((await diagnose()).find((line) => line.startsWith('failed Master key'))).toMatch(
      / contains [\w-]{22}, but the database needs [\w-]{22}\.$/,
    )
  })

  it('fails for a file that is not a database', async () => {
    mkdirSync(join(folder, 'text'))
    const file = join(folder, 'text', 'text.sqlite')
    writeFileSync(file, 'This is a text and not a database. '.repeat(100))
    expect(await diagnose({ variables: { DATABASE_URL: file } })).toContain(
      'failed Database: The file of DATABASE_URL is not an SQLite database. Correct the path.',
    )
  })
})

it('an unreachable PostgreSQL fails', async () => {
  expect(await diagnose({ variables: { DATABASE_URL: 'postgres://latchkey@127.0.0.1:1/none' } })).toContain(
    'failed Database: The database of DATABASE_URL does not answer (ECONNREFUSED).',
  )
})

it('pending migrations fail on PostgreSQL only, unless a server runs them at its start', () => {
  const state = { missing: ['0001-first-tables', '0002-bounded-growth'], oldestReleases: [] }
  const migrate = (migratesAtStart: boolean, engine: 'sqlite' | 'postgres') =>
    checkMigrations(state, { migratesAtStart }, engine)
  expect(migrate(false, 'postgres')).toMatchObject({
    state: 'failed',
    message: '2 migrations are pending.',
    advice: 'Run: latchkey migrate',
  })
  expect(migrate(true, 'postgres').state).toBe('ok')
  expect(migrate(false, 'sqlite').state).toBe('ok')
  expect(
    checkMigrations({ missing: [], oldestReleases: ['99.0.0'] }, { migratesAtStart: true }, 'sqlite').state,
  ).toBe('failed')
})

it('a clock that is 31 s off fails', async () => {
  expect(await diagnose({ ports: { thirdPartyNowMs: () => nowMs - 31_000 } })).toContain(
    'failed Clock: The clock of this machine is 31 s ahead of the clocks of third parties.',
  )
  expect(await diagnose({ ports: { thirdPartyNowMs: () => undefined } })).toContain(
    'warning Clock: No third party returned its time, so the clock is not compared.',
  )
})
