/**
 * Disaster recovery drill: the machine of a server on SQLite is lost. From a backup and a copy of the key file, a
 * server on each engine is restored, and the same user obtains the same wallet shares.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestBrowser, testBrowser, testServer } from '../../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../../identity/sessions/tokens/verifier.ts'
import { collectMigrations } from '../../../kernel/capability.ts'
import { type Database, openDatabase } from '../../../kernel/db/database.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { openKms } from '../../../kernel/keys/keys.ts'
import { testApp, testContext } from '../../../testing/context.ts'
import { freePort } from '../../../testing/program.ts'
import { testVault } from '../../../wallet/wallets/testing/vault.ts'
import { capabilities } from '../../capabilities.ts'
import { startServer } from '../../server.ts'
import { environmentIn, operate } from '../testing/used-database.ts'
import { backupTool } from './backup-tool.ts'
import { copyTool } from './copy-tool.ts'
import { restoreTool } from './restore-tool.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-drill-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const systemClock = { nowMs: Date.now }

/** Opens a server with the key file of its machine. */
async function serverOn(database: Database, masterKeyFile: string) {
  const kms = await openKms({ database, masterKeyFile, clock: systemClock })
  const context = await testContext(database, {
    kms,
    verifyToken: (own) => (token) => createTokenVerifier(own())(token),
  })
  return { context, server: testServer(context) }
}

const tokenAnswer = v.object({ token: v.string() })
const pendingAnswer = v.object({
  wallet_id: v.string(),
  generation: v.number(),
  sealing_key: v.object({ id: v.string(), public_key: v.string() }),
})
const sealed = v.object({ v: v.literal(1), enc: v.string(), ct: v.string() })
const sharesAnswer = v.object({ auth_share: sealed, recovery_share: sealed })
const refreshAnswer = v.object({ token: v.string() })

type Vault = Awaited<ReturnType<typeof testVault>>
const operation = { id: 'op_1', step: 1 }

async function tokenFor(
  browser: TestBrowser,
  token: string,
  vault: Vault,
  step: { purpose: 'create' | 'recover'; address: string | null },
): Promise<string> {
  const body = { public_key: vault.publicKey, operation, ...step, confirmation: null }
  return v.parse(tokenAnswer, (await browser.call('walletToken', { token, body })).answer).token
}

/** Creates the user's wallet, with shares on the server. */
async function makeWallet(browser: TestBrowser, appId: string, userId: string, token: string) {
  const vault = await testVault()
  const creating = await tokenFor(browser, token, vault, { purpose: 'create', address: null })
  const begun = await browser.call('beginWallet', { token: creating, body: { chain_type: 'ethereum' } })
  const pending = v.parse(pendingAnswer, begun.answer)
  const { id, public_key: publicKey } = pending.sealing_key
  const place = {
    appId,
    userId,
    walletId: pending.wallet_id,
    kind: 'entropy',
    chain: 'ethereum',
    generation: pending.generation,
  } as const
  const { commit, shares } = await vault.commit(place, { id, publicKey })
  const made = await browser.call('commitWallet', {
    token: creating,
    body: {
      wallet_id: commit.walletId,
      generation: commit.generation,
      address: commit.address,
      sealing_key_id: commit.sealingKeyId,
      auth_share: commit.authShare,
      recovery: commit.recovery,
      proof: commit.proof,
    },
  })
  expect(made).toMatchObject({ status: 200 })
  return { place, shares, address: vault.address }
}
type Made = Awaited<ReturnType<typeof makeWallet>>

/** Returns the shares that a new vault of the user obtains. */
async function recover(browser: TestBrowser, token: string, { place, address }: Made) {
  const vault = await testVault()
  const recovering = await tokenFor(browser, token, vault, { purpose: 'recover', address })
  const { answer } = await browser.call('releaseShares', { token: recovering })
  const released = v.parse(sharesAnswer, answer)
  return {
    auth: await vault.open(released.auth_share, { ...place, role: 'auth', address }, operation),
    recovery: await vault.open(released.recovery_share, { ...place, role: 'recovery', address }, operation),
  }
}

forEachEngine((database, _engine, url) => {
  /** Creates a user with a wallet on a machine, saves its data with `save`, and deletes the machine. */
  async function lostMachine(save: (environment: ReturnType<typeof environmentIn>) => Promise<void>) {
    const environment = environmentIn(join(folder, 'lost'))
    const first = openDatabase(environment.DATABASE_URL, { migrations: collectMigrations(capabilities) })
    await first.migrate()
    let now = await serverOn(first, environment.MASTER_KEY_FILE)
    const { context } = now
    const app = await testApp(context)
    // The browser stays the same, whichever server responds.
    const browser = testBrowser({ request: (...call) => now.server.request(...call) }, context, app)
    const session = await browser.login()
    const made = await makeWallet(browser, app.id, session.user.id, session.token)
    const unused = await browser.codeFor('grace@example.com')

    const masterKeyFile = join(folder, 'saved', 'master.key')
    mkdirSync(dirname(masterKeyFile), { mode: 0o700 })
    copyFileSync(environment.MASTER_KEY_FILE, masterKeyFile)
    await save(environment)
    await first.close()
    rmSync(join(folder, 'lost'), { recursive: true })

    return {
      masterKeyFile,
      browser,
      session,
      made,
      unused,
      async replace() {
        now = await serverOn(database(), masterKeyFile)
        // Mails of the new server are delivered to the same inbox.
        Object.assign(now.context.mails, {
          push: (...mails: typeof context.mails) => context.mails.push(...mails),
        })
      },
    }
  }

  const path = () => join(folder, 'saved', 'backup')
  const keys = (masterKeyFile: string) => ({ DATABASE_URL: url(), MASTER_KEY_FILE: masterKeyFile })
  const refresh = (browser: TestBrowser, refreshToken: string | null) =>
    browser.call('refreshSession', { body: { refresh_token: refreshToken } })

  test('after a restore, the user logs in again and obtains the wallet shares', async () => {
    const lost = await lostMachine(async (environment) => {
      expect(await operate(backupTool, ['--to', path()], environment)).toMatchObject({ ok: true, why: '' })
    })
    const { browser, session, made, unused } = lost
    const restored = await operate(restoreTool, ['--from', path()], keys(lost.masterKeyFile))
    expect(restored).toMatchObject({ ok: true, why: '' })
    await lost.replace()
    expect(await refresh(browser, session.refresh_token)).toMatchObject({ status: 401 })
    // A code from before the backup may have been used since.
    const body = { email: 'grace@example.com', code: unused }
    expect(await browser.call('loginWithEmailCode', { body })).toMatchObject({
      answer: { code: 'invalid_credentials' },
    })
    const again = await browser.login()
    expect(again.user.id).toBe(session.user.id)
    const shares = await recover(browser, again.token, made)
    expect(shares.auth).toEqual(Buffer.from(made.shares.auth))
    expect(shares.recovery).toEqual(Buffer.from(made.shares.recovery))
  })

  test('after a restore with --keep-sessions, the user stays logged in', async () => {
    const lost = await lostMachine(async (environment) => {
      await operate(backupTool, ['--to', path()], environment)
    })
    const { browser, session, made } = lost
    await operate(restoreTool, ['--from', path(), '--keep-sessions'], keys(lost.masterKeyFile))
    await lost.replace()
    const refreshed = await refresh(browser, session.refresh_token)
    expect(refreshed).toMatchObject({ status: 200 })
    const { token } = v.parse(refreshAnswer, refreshed.answer)
    expect((await recover(browser, token, made)).auth).toEqual(Buffer.from(made.shares.auth))
  })

  test('after a copy, the user stays logged in and codes are valid', async () => {
    const lost = await lostMachine(async (environment) => {
      const args = ['--from', environment.DATABASE_URL, '--to', url()]
      expect(await operate(copyTool, args, environment)).toMatchObject({ ok: true, why: '' })
    })
    const { browser, session, made, unused } = lost
    await lost.replace()
    const refreshed = await refresh(browser, session.refresh_token)
    const { token } = v.parse(refreshAnswer, refreshed.answer)
    expect((await recover(browser, token, made)).recovery).toEqual(Buffer.from(made.shares.recovery))
    const body = { email: 'grace@example.com', code: unused }
    expect(await browser.call('loginWithEmailCode', { body })).toMatchObject({ status: 200 })
  })

  test('a server starts with the restored database and the saved key file, and with no other key', async () => {
    const lost = await lostMachine(async (environment) => {
      await operate(backupTool, ['--to', path()], environment)
    })
    await operate(restoreTool, ['--from', path()], keys(lost.masterKeyFile))
    const port = await freePort()
    const environment = { ...keys(lost.masterKeyFile), PORT: String(port), LOG_LEVEL: 'silent' }
    const other = { ...environment, MASTER_KEY_FILE: join(folder, 'saved', 'other.key') }
    await expect(startServer({ environment: other, capabilities, clock: systemClock })).rejects.toThrow(
      'The database belongs to the master key',
    )
    const { end } = await startServer({ environment, capabilities, clock: systemClock })
    try {
      const { checks } = await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()
      const met = { met: true }
      expect(checks).toMatchObject({ serving: met, database: met, keys: met })
      const jwks = await (await fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`)).json()
      expect(jwks.keys).toHaveLength(1)
    } finally {
      await end()
    }
  })
})
