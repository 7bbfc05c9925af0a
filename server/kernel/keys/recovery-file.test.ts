/** The separate master key file for recovery shares. Neither file opens secrets of the other. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { capabilities } from '../../start/capabilities.ts'
import { movingClock } from '../../testing/context.ts'
import { collectKeyColumns } from '../capability.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { nowSeconds } from '../ports.ts'
import { openKms } from './keys.ts'
import { createEmbeddedKms, type EmbeddedKms } from './kms.ts'
import { newMasterKey, readMasterKeys, replaceMasterKeyFile } from './master-key.ts'
import { cancelMasterKey, commitMasterKey, prepareMasterKey } from './rotation.ts'
import { updateRunningServer } from './running-servers.ts'

const columns = collectKeyColumns(capabilities)

let folder = ''
let file = ''
let recoveryFile = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-keys-'))
  file = join(folder, 'keys', 'master.key')
  recoveryFile = join(folder, 'elsewhere', 'recovery.key')
})
afterEach(() => rmSync(folder, { recursive: true }))

const bytes = (text: string) => new TextEncoder().encode(text)
const context = bytes('wallet 1')
const [authShare, recoveryShare] = [bytes('an auth share'), bytes('a recovery share')]

forEachEngine((database) => {
  const clock = movingClock()
  const withOne = () => openKms({ database: database(), masterKeyFile: file, clock })
  const withBoth = (changes: { mayPrepare?: boolean } = {}) =>
    openKms({
      database: database(),
      masterKeyFile: file,
      recoveryMasterKeyFile: recoveryFile,
      clock,
      ...changes,
    })
  const prepare = () => prepareMasterKey(recoveryFile, { database: database() }, 'recovery')
  const commit = (kms: EmbeddedKms) =>
    commitMasterKey(recoveryFile, { database: database(), kms, clock, columns }, 'recovery')

  let rows = 0
  const putWallet = (kms: EmbeddedKms) => putWallets(kms, 1)
  async function putWallets(kms: EmbeddedKms, count: number): Promise<void> {
    const shares = {
      auth_share: await kms.wrap('auth-share', authShare, context),
      recovery_share: await kms.wrap('recovery-share', recoveryShare, context),
    }
    const made = Array.from({ length: count }, () => {
      rows += 1
      return {
        id: `wallet_${rows}`,
        app_id: 'app',
        user_id: `usr_${rows}`,
        kind: 'entropy' as const,
        chain_type: 'ethereum' as const,
        status: 'committed' as const,
        generation: 1,
        address: null,
        recovery_method: 'latchkey' as const,
        recovery_access: null,
        last_generation: 1,
        created_at: 1,
        committed_at: 1,
        ...shares,
      }
    })
    await database().db.insertInto('wallets').values(made).execute()
  }
  const wallets = async () =>
    (await database().db.selectFrom('wallets').select(['auth_share', 'recovery_share']).execute()).map(
      ({ auth_share, recovery_share }) => ({ auth: auth_share ?? '', recovery: recovery_share ?? '' }),
    )
  async function expectAllOpen(kms: EmbeddedKms): Promise<void> {
    for (const { auth, recovery } of await wallets()) {
      expect(await kms.unwrap('auth-share', auth, context)).toEqual(Buffer.from(authShare))
      expect(await kms.unwrap('recovery-share', recovery, context)).toEqual(Buffer.from(recoveryShare))
    }
  }

  describe('a new database', () => {
    test('a new database with two files gets a key in each, and neither opens secrets of the other', async () => {
      const kms = await withBoth()
      await putWallet(kms)
      const [{ auth, recovery } = { auth: '', recovery: '' }] = await wallets()
      expect(kms.getKeyId(auth)).toBe(readMasterKeys(file)[0].id)
      expect(kms.getKeyId(recovery)).toBe(readMasterKeys(recoveryFile)[0].id)
      const one = createEmbeddedKms(() => readMasterKeys(file))
      const other = createEmbeddedKms(() => readMasterKeys(recoveryFile))
      await one.unwrap('auth-share', auth, context)
      await other.unwrap('recovery-share', recovery, context)
      await expect(one.unwrap('recovery-share', recovery, context)).rejects.toThrow('holds no key')
      await expect(other.unwrap('auth-share', auth, context)).rejects.toThrow('holds no key')
      await expectAllOpen(await withBoth())
    })

    test('two processes that start with a new database agree on both keys', async () => {
      const [first, second] = await Promise.all([withBoth(), withBoth()])
      expect(first.recoveryKeyId()).toBe(second.recoveryKeyId())
    })
  })

  describe('a database with two files', () => {
    beforeEach(async () => putWallet(await withBoth()))

    test('rejects a missing recovery file, a missing variable and a wrong key', async () => {
      await expect(withOne()).rejects.toThrow(
        /recovery master key .* Set RECOVERY_MASTER_KEY_FILE to the path of its file/,
      )
      const whole = readMasterKeys(recoveryFile)
      rmSync(recoveryFile)
      await expect(withBoth()).rejects.toThrow(/recovery master key .* does not exist. Restore the file/)
      await expect(withBoth({ mayPrepare: true })).rejects.toThrow('does not exist')
      expect(existsSync(recoveryFile)).toBe(false)
      copyFileSync(file, recoveryFile)
      await expect(withBoth()).rejects.toThrow('belongs to the recovery master key')
      replaceMasterKeyFile(recoveryFile, [newMasterKey()])
      await expect(withBoth()).rejects.toThrow('belongs to the recovery master key')
      replaceMasterKeyFile(recoveryFile, whole)
      await expectAllOpen(await withBoth())
    })

    test('rejects two files that share a key', async () => {
      const [own] = readMasterKeys(recoveryFile)
      const [main] = readMasterKeys(file)
      replaceMasterKeyFile(recoveryFile, [own, main])
      await expect(withBoth()).rejects.toThrow('one key in two files is still one secret')
      replaceMasterKeyFile(recoveryFile, [own])
      await withBoth()
    })

    test('rotates each key separately and leaves the other secrets unchanged', async () => {
      const kms = await withBoth()
      const [old] = readMasterKeys(recoveryFile)
      const before = await wallets()
      const next = await prepare()
      expect(readMasterKeys(recoveryFile).map(({ id }) => id)).toEqual([old.id, next])
      expect(await commit(kms)).toMatchObject({ keyId: next, rewrapped: 1, dropped: 0, isOver: false })
      await expect(prepare()).rejects.toThrow('latchkey keys rotate commit recovery first')
      // The other rotation is independent of this one.
      const main = await prepareMasterKey(file, { database: database() })
      await cancelMasterKey(file, { database: database() })
      expect(readMasterKeys(file).map(({ id }) => id)).not.toContain(main)
      clock.advanceSeconds(600)
      expect(await commit(kms)).toMatchObject({ rewrapped: 0, dropped: 1, isOver: true })
      expect(readMasterKeys(recoveryFile).map(({ id }) => id)).toEqual([next])
      const [wallet] = await wallets()
      expect(wallet?.auth).toBe(before[0]?.auth)
      expect(wallet?.recovery).not.toBe(before[0]?.recovery)
      await expectAllOpen(await withBoth())
    })
  })

  describe('a database with one file', () => {
    beforeEach(async () => putWallet(await withOne()))

    test('a database with one file rejects an unprepared second file and creates none', async () => {
      await expect(withBoth()).rejects.toThrow('latchkey keys rotate prepare recovery')
      expect(existsSync(recoveryFile)).toBe(false)
      await withBoth({ mayPrepare: true })
    })

    test('moving to two files prepares the key first, and then wraps only recovery shares with it', async () => {
      const [main] = readMasterKeys(file)
      const before = await wallets()
      const id = await prepare()
      expect(readMasterKeys(recoveryFile).map((key) => key.id)).toEqual([id])
      const kms = await withBoth()
      expect(kms.recoveryKeyId()).toBe(null)
      expect(kms.getKeyId(await kms.wrap('recovery-share', recoveryShare, context))).toBe(main.id)
      // A server without the second file still runs.
      const old = await withOne()
      old.reloadRecovery(null, id)
      await putWallet(old)

      expect(await commit(kms)).toEqual({ keyId: id, rewrapped: 2, dropped: 0, isOver: false })
      expect((await wallets()).map(({ recovery }) => kms.getKeyId(recovery))).toEqual([id, id])
      expect((await wallets())[0]?.auth).toBe(before[0]?.auth)
      expect(readMasterKeys(file).map((key) => key.id)).toEqual([main.id])
      await expect(withOne()).rejects.toThrow('RECOVERY_MASTER_KEY_FILE')
      expect(() => old.reloadRecovery(id)).toThrow('RECOVERY_MASTER_KEY_FILE')
      await expect(old.wrap('recovery-share', recoveryShare, context)).rejects.toThrow(
        'has no recovery master key file',
      )
      await old.wrap('auth-share', authShare, context)

      clock.advanceSeconds(599)
      expect(await commit(kms)).toMatchObject({ isOver: false })
      clock.advanceSeconds(1)
      expect(await commit(kms)).toEqual({ keyId: id, rewrapped: 0, dropped: 0, isOver: true })
      await expect(commit(kms)).rejects.toThrow(
        'rotation_not_prepared: run latchkey keys rotate prepare recovery',
      )
      await expectAllOpen(await withBoth())
    })

    test('moves more than two batches, and nothing in a second run', async () => {
      const kms = await withOne()
      for (let made = 0; made < 4; made += 1) await putWallets(kms, 250)
      await prepare()
      const moving = await withBoth()
      expect(await commit(moving)).toMatchObject({ rewrapped: 1_001 })
      expect(await commit(moving)).toMatchObject({ rewrapped: 0 })
      await expectAllOpen(await withBoth())
    })

    test('the last commit moves shares that a slow server still wrapped with the master key', async () => {
      const slow = await withOne()
      const id = await prepare()
      const kms = await withBoth()
      await commit(kms)
      await putWallet(slow)
      clock.advanceSeconds(600)
      expect(await commit(kms)).toMatchObject({ rewrapped: 1, isOver: true })
      for (const { recovery } of await wallets()) expect(kms.getKeyId(recovery)).toBe(id)
    })

    test('does not move while a running server lacks the second file', async () => {
      const [main] = readMasterKeys(file)
      const say = (keys: readonly string[]) =>
        updateRunningServer(database().db, { id: 'one', name: 'one', keys }, nowSeconds(clock))
      await say([main.id])
      const id = await prepare()
      const kms = await withBoth()
      await expect(commit(kms)).rejects.toThrow(
        `servers_without_key: these servers run without the key ${id}: one. `,
      )
      expect((await withBoth()).recoveryKeyId()).toBe(null)
      await say([main.id, id])
      expect(await commit(kms)).toMatchObject({ keyId: id })
    })

    test('keeps one file if the move is cancelled, even if its file is lost', async () => {
      const cancel = () => cancelMasterKey(recoveryFile, { database: database() }, 'recovery')
      await expect(cancel()).rejects.toThrow('rotation_not_prepared')
      const running = await prepare().then(() => withBoth())
      await cancel()
      expect(existsSync(recoveryFile)).toBe(false)
      running.reloadRecovery(null)
      await prepare()
      rmSync(recoveryFile)
      await withBoth({ mayPrepare: true })
      await cancel()
      await expectAllOpen(await withOne())
      // It can be started again.
      const id = await prepare()
      expect(await commit(await withBoth())).toMatchObject({ keyId: id })
      await expect(cancel()).rejects.toThrow('rotation_not_prepared')
      await expectAllOpen(await withBoth())
    })
  })

  test('a running server rereads each file and rejects one that lacks a current key', async () => {
    const running = await withBoth()
    const [old] = readMasterKeys(recoveryFile)
    const next = await prepare()
    running.reloadRecovery(old.id, next)
    replaceMasterKeyFile(recoveryFile, [old])
    expect(() => running.reloadRecovery(old.id, next)).toThrow(`holds no key ${next}`)
    await running.wrap('recovery-share', recoveryShare, context)
    expect(() => running.reloadRecovery(next)).toThrow(`holds no key ${next}`)
    await expect(running.wrap('recovery-share', recoveryShare, context)).rejects.toThrow(
      'must not wrap new secrets',
    )
    await running.wrap('auth-share', authShare, context)
    expect(running.heldKeyIds()).toEqual([readMasterKeys(file)[0].id, old.id])
  })
})
