import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { enrolledMethod } from '../../account/verification/testing/enrolled.ts'
import { capabilities } from '../../start/capabilities.ts'
import { movingClock } from '../../testing/context.ts'
import { collectKeyColumns } from '../capability.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { nowSeconds } from '../ports.ts'
import { openKeyring } from './keyring.ts'
import { equalsInConstantTime, openKms } from './keys.ts'
import { createEmbeddedKms } from './kms.ts'
import { newMasterKey, readMasterKeys, replaceMasterKeyFile } from './master-key.ts'
import { cancelMasterKey, commitMasterKey, prepareMasterKey, rotateServerKey } from './rotation.ts'
import { removeRunningServer, updateRunningServer } from './running-servers.ts'
import { usePreparedMasterKey } from './store.ts'

const columns = collectKeyColumns(capabilities)

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-keys-'))
  file = join(folder, 'keys', 'master.key')
})
afterEach(() => rmSync(folder, { recursive: true }))

const bytes = (text: string) => new TextEncoder().encode(text)
const secret = bytes('a share')
const context = bytes('wallet 1')

test('a wrapped secret can be unwrapped for its purpose and context only', async () => {
  const key = newMasterKey()
  const kms = createEmbeddedKms(() => [key])
  const wrapped = await kms.wrap('auth-share', secret, context)
  expect(await kms.unwrap('auth-share', wrapped, context)).toEqual(Buffer.from(secret))
  expect(wrapped).not.toContain(Buffer.from(secret).toString('base64url'))
  await expect(kms.unwrap('recovery-share', wrapped, context)).rejects.toThrow('wrapped for auth-share')
  const renamed = wrapped.replace('.auth-share.', '.recovery-share.')
  await expect(kms.unwrap('recovery-share', renamed, context)).rejects.toThrow()
  await expect(kms.unwrap('auth-share', wrapped, bytes('wallet 2'))).rejects.toThrow()
})

test('rejects a wrapped secret with any changed character', async () => {
  const key = newMasterKey()
  const kms = createEmbeddedKms(() => [key])
  const wrapped = await kms.wrap('auth-share', secret, context)
  for (let at = 0; at < wrapped.length; at += 7) {
    const letter = wrapped.charAt(at) === 'A' ? 'B' : 'A'
    const changed = wrapped.slice(0, at) + letter + wrapped.slice(at + 1)
    await expect(kms.unwrap('auth-share', changed, context), changed).rejects.toThrow()
  }
})

forEachEngine((database) => {
  const clock = movingClock()
  const open = () => openKms({ database: database(), masterKeyFile: file, clock })

  test('a new database gets a key file that only its owner can read', async () => {
    await open()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    await open()
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('two processes that start with a new database agree on one key', async () => {
    const [first, second] = await Promise.all([open(), open()])
    expect(first.currentKeyId()).toBe(second.currentKeyId())
  })

  test('rejects a database without its key file, and creates no new key', async () => {
    await open()
    rmSync(file)
    await expect(open()).rejects.toThrow(/does not exist. Restore the file from its backup/)
    expect(existsSync(file)).toBe(false)
  })

  test('rejects a database with the key of another one', async () => {
    await open()
    replaceMasterKeyFile(file, [newMasterKey()])
    await expect(open()).rejects.toThrow(/belongs to the master key/)
  })

  test('rejects a damaged or world-readable key file with an explanation', async () => {
    await open()
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, whole.slice(0, -5))
    await expect(open()).rejects.toThrow('is damaged')
    writeFileSync(file, 'something else')
    await expect(open()).rejects.toThrow('is not a master key file')
    rmSync(file)
    writeFileSync(file, whole, { mode: 0o644 })
    await expect(open()).rejects.toThrow('chmod 600')
  })

  test('keys survive a restart, and peppers differ by purpose', async () => {
    const kms = await open()
    const sources = { db: database().db, kms, clock }
    const first = await openKeyring(sources)
    const second = await openKeyring({ ...sources, kms: await open() })
    expect(second.signingKey().id).toBe(first.signingKey().id)
    expect(second.pepper('a', 'pepper')).toEqual(first.pepper('a', 'pepper'))
    expect(second.pepper('a', 'pepper')).not.toEqual(first.pepper('b', 'pepper'))
    const stored = JSON.stringify(await database().db.selectFrom('server_keys').selectAll().execute())
    const jwk = first.signingKey().privateKey.export({ format: 'jwk' })
    expect(stored).not.toContain(jwk.d)
  })

  test('the sealing key pair opens what a browser sealed', async () => {
    const keyring = await openKeyring({ db: database().db, kms: await open(), clock })
    const { publicKey, keyPair, id } = keyring.sealingKey()
    const suite = new CipherSuite({
      kem: new DhkemP256HkdfSha256(),
      kdf: new HkdfSha256(),
      aead: new Aes256Gcm(),
    })
    const recipientPublicKey = await suite.kem.deserializePublicKey(
      new Uint8Array(Buffer.from(publicKey, 'base64url')).buffer,
    )
    const sealed = await suite.seal({ recipientPublicKey, info: context }, secret)
    expect(publicKey).toHaveLength(87)
    expect((await keyring.sealingKeyById(id))?.publicKey).toBe(publicKey)
    const opened = await suite.open({ recipientKey: keyPair, enc: sealed.enc, info: context }, sealed.ct)
    expect(new Uint8Array(opened)).toEqual(secret)
  })

  test('a rotated signing key is published before it signs, and the old one verifies until its expiry', async () => {
    const kms = await open()
    const keyring = await openKeyring({ db: database().db, kms, clock })
    const old = keyring.signingKey().id
    const next = await rotateServerKey('signing', { database: database(), kms, clock }, { atOnce: false })
    await keyring.refresh()
    expect(keyring.signingKey().id).toBe(old)
    expect((await keyring.publicJwks()).keys.map((key) => key.kid).sort()).toEqual([old, next].sort())
    // Published after one minute at most, cached for five, and kept by backend libraries for ten: known everywhere by
    // now.
    clock.advanceSeconds(60 + 300 + 600)
    expect(keyring.signingKey().id).toBe(old)
    clock.advanceSeconds(240)
    expect(keyring.signingKey().id).toBe(next)
    // The last token of the old key is valid for fifteen minutes.
    clock.advanceSeconds(900 + 60)
    expect(await keyring.verificationKey(old)).toBeDefined()
    expect((await keyring.publicJwks()).keys.map((key) => key.kid).sort()).toEqual([old, next].sort())
    clock.advanceSeconds(1_440)
    expect(await keyring.verificationKey(old)).toBeUndefined()
    expect((await keyring.publicJwks()).keys.map((key) => key.kid)).toEqual([next])
  })

  test('a leaked key is invalid immediately', async () => {
    const kms = await open()
    const keyring = await openKeyring({ db: database().db, kms, clock })
    const old = keyring.signingKey().id
    const next = await rotateServerKey('signing', { database: database(), kms, clock }, { atOnce: true })
    await keyring.refresh()
    expect(keyring.signingKey().id).toBe(next)
    expect(await keyring.verificationKey(old)).toBeUndefined()
  })

  test('a leaked key that was already retired is invalid immediately', async () => {
    const kms = await open()
    const keyring = await openKeyring({ db: database().db, kms, clock })
    const leaked = keyring.signingKey().id
    await rotateServerKey('signing', { database: database(), kms, clock }, { atOnce: false })
    clock.advanceSeconds(300)
    const next = await rotateServerKey('signing', { database: database(), kms, clock }, { atOnce: true })
    await keyring.refresh()
    expect(await keyring.verificationKey(leaked)).toBeUndefined()
    expect((await keyring.publicJwks()).keys.map((key) => key.kid)).toEqual([next])
  })

  test('an unknown key id loads keys that another process created', async () => {
    const kms = await open()
    const keyring = await openKeyring({ db: database().db, kms, clock })
    const next = await rotateServerKey('signing', { database: database(), kms, clock }, { atOnce: false })
    clock.advanceSeconds(6)
    expect(await keyring.verificationKey(next)).toBeDefined()
    expect(await keyring.verificationKey('never-made')).toBeUndefined()
  })

  const wallet = (id: string, wrapped: string) => ({
    id,
    app_id: 'app',
    user_id: id,
    kind: 'entropy' as const,
    chain_type: 'ethereum' as const,
    status: 'committed' as const,
    generation: 1,
    address: null,
    recovery_method: 'latchkey' as const,
    auth_share: wrapped,
    recovery_share: null,
    recovery_access: null,
    last_generation: 1,
    created_at: 1,
    committed_at: 1,
  })

  const authenticatorApp = (wrapped: string) =>
    enrolledMethod({ id: '1', app_id: 'app', user_id: '1', method: 'totp' }, wrapped)

  test('after a rotation, the new master key opens everything and the old one is not needed', async () => {
    const kms = await open()
    const before = await openKeyring({ db: database().db, kms, clock })
    const wrapped = await kms.wrap('auth-share', secret, context)
    await database()
      .db.insertInto('wallets')
      .values([wallet('1', wrapped), wallet('2', wrapped)])
      .execute()
    const app = await kms.wrap('totp-secret', secret, context)
    await database().db.insertInto('mfa_methods').values(authenticatorApp(app)).execute()
    const prepared = await prepareMasterKey(file, { database: database() })
    expect(kms.currentKeyId()).not.toBe(prepared)
    const { keyId, rewrapped } = await commitMasterKey(file, { database: database(), kms, clock, columns })
    expect(keyId).toBe(prepared)
    clock.advanceSeconds(600)
    const { dropped } = await commitMasterKey(file, { database: database(), kms, clock, columns })
    expect(dropped).toBe(1)
    expect(rewrapped).toBe(2 + 1 + 3)

    const [header, current] = readFileSync(file, 'utf8').split('\n')
    rmSync(file)
    writeFileSync(file, `${header}\n${current}\n`, { mode: 0o600 })
    const reopened = await open()
    expect(reopened.currentKeyId()).toBe(keyId)
    const after = await openKeyring({ db: database().db, kms: reopened, clock })
    expect(after.pepper('a', 'pepper')).toEqual(before.pepper('a', 'pepper'))
    const row = await database().db.selectFrom('wallets').select('auth_share').executeTakeFirstOrThrow()
    expect(await reopened.unwrap('auth-share', row.auth_share ?? '', context)).toEqual(Buffer.from(secret))
    const own = await database().db.selectFrom('mfa_methods').select('secret').executeTakeFirstOrThrow()
    expect(await reopened.unwrap('totp-secret', own.secret ?? '', context)).toEqual(Buffer.from(secret))
  })

  test('wraps only the declared columns of capabilities again', async () => {
    const kms = await open()
    await openKeyring({ db: database().db, kms, clock })
    const wrapped = await kms.wrap('auth-share', secret, context)
    await database()
      .db.insertInto('wallets')
      .values({ ...wallet('1', wrapped), recovery_share: wrapped })
      .execute()
    await prepareMasterKey(file, { database: database() })
    const declared = { wrapped: [{ table: 'wallets', column: 'recovery_share' }] }
    const { keyId, rewrapped } = await commitMasterKey(file, {
      database: database(),
      kms,
      clock,
      columns: declared,
    })
    expect(rewrapped).toBe(1 + 3)
    const row = await database()
      .db.selectFrom('wallets')
      .select(['auth_share', 'recovery_share'])
      .executeTakeFirstOrThrow()
    expect(row.auth_share).toBe(wrapped)
    expect(row.recovery_share).not.toBe(wrapped)
    expect(kms.isCurrent(row.recovery_share ?? '')).toBe(true)
    expect(kms.currentKeyId()).toBe(keyId)
  })

  test('lists the wrapped and peppered columns of all capabilities', () => {
    expect(columns.wrapped.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
      'cross_app_providers.private_key',
      'mfa_methods.secret',
      'oidc_providers.client_secret',
      'operator_oidc.client_secret',
      'wallet_reshares.auth_share',
      'wallet_reshares.recovery_share',
      'wallets.auth_share',
      'wallets.recovery_share',
      'webhook_secrets.wrapped',
    ])
    expect(columns.peppered.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
      'openid_records.payload',
      'sessions.token_key',
      'wallet_reshares.recovery_access',
      'wallets.recovery_access',
    ])
  })

  test('completes a commit that was interrupted after its first step, even after a restart', async () => {
    const kms = await open()
    await openKeyring({ db: database().db, kms, clock })
    const wrapped = await kms.wrap('auth-share', secret, context)
    await database().db.insertInto('wallets').values(wallet('1', wrapped)).execute()
    const old = kms.currentKeyId()
    const prepared = await prepareMasterKey(file, { database: database() })
    await usePreparedMasterKey(database().db, 'master', prepared, nowSeconds(clock))

    const started = await open()
    expect(started.currentKeyId()).toBe(prepared)
    await openKeyring({ db: database().db, kms: started, clock })
    const sources = { database: database(), kms: started, clock, columns }
    expect(await commitMasterKey(file, sources)).toEqual({
      keyId: prepared,
      rewrapped: 4,
      dropped: 0,
      isOver: false,
    })
    expect(readMasterKeys(file).map((key) => key.id)).toEqual([old, prepared])
  })

  test('rejects a second rotation before the first is complete, and keeps the previous key for ten minutes', async () => {
    const kms = await open()
    const sources = { database: database(), kms, clock, columns }
    await expect(commitMasterKey(file, sources)).rejects.toThrow('rotation_not_prepared')
    const first = await prepareMasterKey(file, sources)
    const whole = readFileSync(file, 'utf8')
    await expect(prepareMasterKey(file, sources)).rejects.toThrow('rotation_under_way')
    await commitMasterKey(file, sources)
    await expect(prepareMasterKey(file, sources)).rejects.toThrow('rotation_under_way')
    clock.advanceSeconds(599)
    expect(await commitMasterKey(file, sources)).toMatchObject({ dropped: 0 })
    expect(readFileSync(file, 'utf8')).toBe(whole)
    clock.advanceSeconds(1)
    expect(await commitMasterKey(file, sources)).toMatchObject({ keyId: first, dropped: 1 })
    expect(readMasterKeys(file).map((key) => key.id)).toEqual([first])
    await prepareMasterKey(file, sources)
  })

  test('a prepared key can be cancelled until it is in use', async () => {
    const kms = await open()
    const sources = { database: database(), kms, clock, columns }
    const old = kms.currentKeyId()
    await expect(cancelMasterKey(file, sources)).rejects.toThrow('rotation_not_prepared')
    const given = await prepareMasterKey(file, sources)
    expect(await cancelMasterKey(file, sources)).toBe(given)
    expect(readMasterKeys(file).map((key) => key.id)).toEqual([old])
    await expect(commitMasterKey(file, sources)).rejects.toThrow('rotation_not_prepared')
    const next = await prepareMasterKey(file, sources)
    await commitMasterKey(file, sources)
    await expect(cancelMasterKey(file, sources)).rejects.toThrow('rotation_not_prepared')
    expect(readMasterKeys(file).map((key) => key.id)).toEqual([old, next])
  })

  test('does not commit a prepared key while a running server lacks it', async () => {
    const kms = await open()
    const sources = { database: database(), kms, clock, columns }
    const { db } = database()
    const say = (name: string, keys: readonly string[]) =>
      updateRunningServer(db, { id: `id of ${name}`, name, keys }, nowSeconds(clock))
    const old = kms.currentKeyId()
    await say('one', [old])
    await say('two', [old])
    await say('three', [old])
    const prepared = await prepareMasterKey(file, sources)
    await say('two', [old, prepared])
    await expect(commitMasterKey(file, sources)).rejects.toThrow(
      `servers_without_key: these servers run without the key ${prepared}: one, three. `,
    )
    expect((await open()).currentKeyId()).toBe(old)
    // Server one has the key now, and server three has ended. Its row would expire after three minutes, too.
    await say('one', [old, prepared])
    await removeRunningServer(db, 'id of three')
    expect(await commitMasterKey(file, sources)).toMatchObject({ keyId: prepared })
  })

  test('a killed server does not block a commit after three minutes', async () => {
    const kms = await open()
    const sources = { database: database(), kms, clock, columns }
    const { db } = database()
    const dead = { id: 'dead', name: 'dead', keys: [kms.currentKeyId()] }
    await updateRunningServer(db, dead, nowSeconds(clock))
    const prepared = await prepareMasterKey(file, sources)
    clock.advanceSeconds(179)
    await expect(commitMasterKey(file, sources)).rejects.toThrow('servers_without_key')
    clock.advanceSeconds(1)
    expect(await commitMasterKey(file, sources)).toMatchObject({ keyId: prepared })
    // The next update of another server deletes its row.
    await updateRunningServer(db, { id: 'next', name: 'next', keys: [prepared] }, nowSeconds(clock))
    expect(await db.selectFrom('running_servers').select('name').execute()).toEqual([{ name: 'next' }])
  })

  test('only one of a parallel commit and cancel succeeds', async () => {
    const kms = await open()
    const sources = { database: database(), kms, clock, columns }
    const wrapped = await kms.wrap('auth-share', secret, context)
    await database()
      .db.insertInto('wallets')
      .values([wallet('1', wrapped)])
      .execute()
    const prepared = await prepareMasterKey(file, sources)
    const [committed, cancelled] = await Promise.allSettled([
      commitMasterKey(file, sources),
      cancelMasterKey(file, sources),
    ])
    const isCancelled = cancelled.status === 'fulfilled'
    expect(readMasterKeys(file).some(({ id }) => id === prepared)).toBe(!isCancelled)
    if (!isCancelled) expect(committed).toMatchObject({ status: 'fulfilled', value: { keyId: prepared } })
    // In both cases, the stored secrets can be opened with the current file.
    const again = await open()
    const row = await database().db.selectFrom('wallets').select('auth_share').executeTakeFirstOrThrow()
    expect(await again.unwrap('auth-share', row.auth_share ?? '', context)).toEqual(Buffer.from(secret))
  })

  test('a running server opens secrets of a new key from the file, and cannot reload without that key', async () => {
    const running = await open()
    await openKeyring({ db: database().db, kms: running, clock })
    const cli = await open()
    const before = readFileSync(file, 'utf8')
    const prepared = await prepareMasterKey(file, { database: database() })
    await commitMasterKey(file, { database: database(), kms: cli, clock, columns })
    const wrapped = await cli.wrap('auth-share', secret, context)
    const after = readFileSync(file, 'utf8')
    writeFileSync(file, before)
    const old = running.currentKeyId()
    const earlier = await running.wrap('auth-share', secret, context)
    // The prepared key is missing: not ready, but the current key continues to work.
    expect(() => running.reload(old, prepared)).toThrow(`holds no key ${prepared}`)
    await running.wrap('auth-share', secret, context)
    // The current key is missing: the old key must not wrap new secrets, because it is about to be removed.
    expect(() => running.reload(prepared)).toThrow(`holds no key ${prepared}`)
    await expect(running.wrap('auth-share', secret, context)).rejects.toThrow('must not wrap new secrets')
    expect(await running.unwrap('auth-share', earlier, context)).toEqual(Buffer.from(secret))
    writeFileSync(file, after)
    expect(await running.unwrap('auth-share', wrapped, context)).toEqual(Buffer.from(secret))
    running.reload(prepared)
    expect(running.currentKeyId()).toBe(prepared)
    expect(running.getKeyId(await running.wrap('auth-share', secret, context))).toBe(prepared)
  })
})

test('two texts are the same only if all bytes are equal', () => {
  expect(equalsInConstantTime('a secret', 'a secret')).toBe(true)
  for (const other of ['a secreT', 'a secre', 'a secret ', ''])
    expect(equalsInConstantTime('a secret', other)).toBe(false)
})

test('a text of equal length but with more bytes is different', () => {
  expect(equalsInConstantTime('secret', 'sécret')).toBe(false)
})

test('compares bytes like texts', () => {
  expect(equalsInConstantTime(Uint8Array.of(1, 2, 3), Buffer.from([1, 2, 3]))).toBe(true)
  expect(equalsInConstantTime(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4))).toBe(false)
  expect(equalsInConstantTime(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2))).toBe(false)
})
