/**
 * Kills operator commands as real programs before each of their effects, one step later each time, until one completes.
 * After each kill, a server can start and every row can be opened.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { programs } from '../../testing/program.ts'
import { bundleProgram } from '../../testing/program-bundle.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { openKeyring } from './keyring.ts'
import { openKms } from './keys.ts'
import { readMasterKeys } from './master-key.ts'
import { type MasterKeyName, readMasterKeyState } from './store.ts'

// Each test runs a dozen programs in sequence.
vi.setConfig({ testTimeout: 300_000 })

const { run, killAll } = programs()
const killedCommand = await bundleProgram('server/kernel/keys/testing/killed-command.ts')
const clock = { nowMs: Date.now }
const bytes = (text: string) => new TextEncoder().encode(text)
const context = bytes('a wallet')

let folder = ''
let file = ''
let recoveryFile = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-killed-keys-'))
  file = join(folder, 'keys', 'master.key')
  recoveryFile = join(folder, 'elsewhere', 'recovery.key')
})
afterEach(async () => {
  await killAll()
  rmSync(folder, { recursive: true, force: true })
})

forEachEngine((database, _engine, url) => {
  const masterKeys = () => readMasterKeyState(database().db)
  const idsIn = (path: string) => readMasterKeys(path).map(({ id }) => id)

  const command = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    run(killedCommand, args, {
      DATABASE_URL: url(),
      MASTER_KEY_FILE: file,
      RECOVERY_MASTER_KEY_FILE: usesRecoveryFile ? recoveryFile : '',
      ...environment,
    }).ended

  /** Returns how often the command was killed before it completed. Runs `look` after each kill. */
  async function killedAgainAndAgain(args: readonly string[], look: () => Promise<void>): Promise<number> {
    for (let step = 1; ; step += 1) {
      const { code, output } = await command(args, {
        KILLED_BEFORE: String(step),
      })
      await look()
      if (code === 0) return step - 1
      // Killed, not refused.
      expect({ code, output }).toEqual({ code: null, output: '' })
    }
  }

  let usesRecoveryFile = false
  /** Opens the KMS like a server: with the recovery file if the database knows of one. */
  async function open() {
    const { recovery } = await masterKeys()
    const isKnown = recovery.current !== null || recovery.prepared !== null
    return openKms({
      database: database(),
      masterKeyFile: file,
      ...(isKnown && { recoveryMasterKeyFile: recoveryFile }),
      clock,
    })
  }
  async function expectAllOpen(): Promise<void> {
    const kms = await open()
    const { db } = database()
    const keyring = await openKeyring({ db, kms, clock })
    expect(keyring.signingKey().id).toBeTruthy()
    const rows = await db.selectFrom('wallets').select(['auth_share', 'recovery_share']).execute()
    expect(rows).toHaveLength(2)
    for (const { auth_share, recovery_share } of rows) {
      await kms.unwrap('auth-share', auth_share ?? '', context)
      await kms.unwrap('recovery-share', recovery_share ?? '', context)
    }
  }
  const lieUnder = async (column: 'auth_share' | 'recovery_share') => {
    const kms = await open()
    const rows = await database().db.selectFrom('wallets').select(column).execute()
    return [...new Set(rows.map((row) => kms.getKeyId(Object(row)[column])))]
  }
  /** Simulates that ten minutes have passed. */
  const age = async (name: MasterKeyName) => {
    const since = name === 'master' ? 'master_key_since' : 'recovery_key_since'
    const tenMinutesAgo = Math.floor(Date.now() / 1_000) - 600
    await database()
      .db.updateTable('instance')
      .set({ [since]: tenMinutesAgo })
      .execute()
  }

  beforeEach(async () => {
    usesRecoveryFile = false
    const kms = await openKms({ database: database(), masterKeyFile: file, clock })
    await openKeyring({ db: database().db, kms, clock })
    const shares = async () => ({
      auth_share: await kms.wrap('auth-share', bytes('an auth share'), context),
      recovery_share: await kms.wrap('recovery-share', bytes('a recovery share'), context),
    })
    for (const id of ['1', '2']) {
      await database()
        .db.insertInto('wallets')
        .values({
          id,
          app_id: 'app',
          user_id: id,
          kind: 'entropy',
          chain_type: 'ethereum',
          status: 'committed',
          generation: 1,
          address: null,
          recovery_method: 'latchkey',
          recovery_access: null,
          last_generation: 1,
          created_at: 1,
          committed_at: 1,
          ...(await shares()),
        })
        .execute()
    }
  })

  test('a master key rotation survives a kill at every step', async () => {
    const [old = ''] = idsIn(file)
    // The file is written and renamed before the database is updated.
    expect(await killedAgainAndAgain(['rotate', 'prepare'], expectAllOpen)).toBeGreaterThanOrEqual(3)
    const { prepared } = (await masterKeys()).master
    expect(idsIn(file)[0]).toBe(old)
    expect(idsIn(file)).toContain(prepared)

    expect(await killedAgainAndAgain(['rotate', 'commit'], expectAllOpen)).toBeGreaterThanOrEqual(4)
    expect((await masterKeys()).master).toMatchObject({ current: prepared, prepared: null })
    expect(await lieUnder('auth_share')).toEqual([prepared])
    expect(await lieUnder('recovery_share')).toEqual([prepared])
    expect(idsIn(file)).toContain(old)

    await age('master')
    expect(await killedAgainAndAgain(['rotate', 'commit'], expectAllOpen)).toBeGreaterThanOrEqual(3)
    expect(idsIn(file)).toEqual([prepared])
    expect((await masterKeys()).master).toEqual({ current: prepared, prepared: null, since: null })
    expect(await command(['rotate', 'prepare'])).toMatchObject({ code: 0 })
  })

  test('a cancelled rotation survives a kill at every step', async () => {
    const [old = ''] = idsIn(file)
    await command(['rotate', 'prepare'])
    const cut = await command(['rotate', 'cancel'], {
      KILLED_BEFORE: '1',
    })
    expect(cut.code).toBe(null)
    expect((await masterKeys()).master.prepared).toBe(idsIn(file)[1])
    const after = await command(['rotate', 'cancel'], {
      KILLED_BEFORE: '3',
    })
    expect(after.code).toBe(null)
    // The database does not name the key any more. It is harmless in the file and removed by the next rotation.
    expect((await masterKeys()).master).toEqual({ current: old, prepared: null, since: null })
    await expectAllOpen()
    await command(['rotate', 'prepare'])
    const { prepared } = (await masterKeys()).master
    await command(['rotate', 'commit'])
    await age('master')
    await command(['rotate', 'commit'])
    expect(idsIn(file)).toEqual([prepared])
    await expectAllOpen()
  })

  test('moving recovery shares to their own key file survives a kill at every step', async () => {
    const [main = ''] = idsIn(file)
    usesRecoveryFile = true
    const prepare = ['rotate', 'prepare', 'recovery']
    const commit = ['rotate', 'commit', 'recovery']
    expect(await killedAgainAndAgain(prepare, expectAllOpen)).toBeGreaterThanOrEqual(3)
    const { prepared: first } = (await masterKeys()).recovery
    expect(idsIn(recoveryFile)).toEqual([first])

    // PostgreSQL commits a single statement implicitly, so there are fewer steps.
    expect(await killedAgainAndAgain(commit, expectAllOpen)).toBeGreaterThanOrEqual(2)
    expect(await lieUnder('auth_share')).toEqual([main])
    expect(await lieUnder('recovery_share')).toEqual([first])
    await age('recovery')
    expect(await killedAgainAndAgain(commit, expectAllOpen)).toBeGreaterThanOrEqual(1)
    expect((await masterKeys()).recovery).toEqual({ current: first, prepared: null, since: null })
    expect(idsIn(file)).toEqual([main])
  })

  describe('keys in the database', () => {
    const keys = (purpose: 'pepper' | 'signing') =>
      database()
        .db.selectFrom('server_keys')
        .select(['id', 'retired_at'])
        .where('purpose', '=', purpose)
        .orderBy('created_at')
        .execute()

    test.each(['pepper', 'signing'] as const)(
      'a killed %s rotation adds one key or none',
      async (purpose) => {
        const [first] = await keys(purpose)
        const look = async () => {
          await expectAllOpen()
          const all = await keys(purpose)
          // The previous key is retired together with the creation of the next one, or not at all.
          expect(all.filter(({ retired_at }) => retired_at === null)).toHaveLength(1)
          expect(all.find(({ id }) => id === first?.id)?.retired_at === null).toBe(all.length === 1)
        }
        // Before it retires one key, before it creates the other, and before the commit.
        expect(await killedAgainAndAgain(['rotate', purpose], look)).toBeGreaterThanOrEqual(3)
        expect(await keys(purpose)).toHaveLength(2)
      },
    )

    test('a killed pepper removal deletes the unused pepper only', async () => {
      await command(['rotate', 'pepper'])
      const hourAgo = Math.floor(Date.now() / 1_000) - 3_600
      await database()
        .db.updateTable('server_keys')
        .set({ retired_at: hourAgo })
        .where('id', '=', 'pepper')
        .execute()
      expect(await killedAgainAndAgain(['drop', 'peppers'], expectAllOpen)).toBeGreaterThanOrEqual(2)
      expect(await keys('pepper')).toEqual([{ id: expect.not.stringMatching(/^pepper$/), retired_at: null }])
    })
  })

  test('a key backup is complete or missing, and never overwrites another', async () => {
    usesRecoveryFile = true
    await command(['rotate', 'prepare', 'recovery'])
    const [copy, recoveryCopy] = [join(folder, 'one.backup'), join(folder, 'two.backup')]
    const whole = async () => {
      for (const path of [copy, recoveryCopy]) if (existsSync(path)) expect(idsIn(path)).toHaveLength(1)
    }
    for (let step = 1; step <= 4; step += 1) {
      const killed = await command(['backup', copy, recoveryCopy], {
        KILLED_BEFORE: String(step),
      })
      expect(killed.code).toBe(null)
      await whole()
      rmSync(copy, { force: true })
    }
    expect((await command(['backup', copy])).output).toBe('UsageError')
    expect(existsSync(copy)).toBe(false)
    expect(await command(['backup', copy, recoveryCopy])).toMatchObject({ code: 0 })
    expect(idsIn(copy)).toEqual(idsIn(file))
    expect(idsIn(recoveryCopy)).toEqual(idsIn(recoveryFile))
    rmSync(recoveryCopy)
    const again = await command(['backup', copy, recoveryCopy])
    expect(again.output).toContain('already exists. A backup is never overwritten')
    expect(existsSync(recoveryCopy)).toBe(false)
  })
})
