import { generateKeyPairSync } from 'node:crypto'
import { attemptLimits, type ServerSealingKey } from '@latchkey/protocol'
import type { PendingWallet } from '@latchkey/protocol/api'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { VerifiedToken } from '../context.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { type TestContext, testContext } from '../testing/context.ts'
import { requireUser } from '../users/users.ts'
import { type ReleasePurpose, releaseShares } from './release.ts'
import { isPointOfCurve } from './sealing.ts'
import { type Place, testVault, wrappedShare } from './testing/vault.ts'
import { beginWallet, type Commit, committedWalletOf, commitWallet, walletOf } from './wallets.ts'

const appId = 'a'.repeat(25)
const callerOf = (userId: string): VerifiedToken => ({
  appId,
  userId,
  sessionId: 'ses_1',
  scope: 'wallet',
  vaultKey: null,
})
const ada = callerOf('usr_ada')
const eve = callerOf('usr_eve')

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
    for (const { userId } of [ada, eve]) {
      await context.db
        .insertInto('users')
        .values({ id: userId, app_id: appId, created_at: 1, accepted_terms_at: null })
        .execute()
    }
  })

  const begin = async (caller = ada): Promise<PendingWallet> => {
    const begun = await beginWallet(context, caller)
    if (begun.status !== 'pending') throw new Error('There is a wallet already')
    return begun
  }
  const placeOf = ({ walletId, userId, generation }: PendingWallet): Place => ({
    appId,
    walletId,
    userId,
    generation,
  })
  const create = async (caller = ada) => {
    const vault = await testVault()
    const pending = await begin(caller)
    const place = placeOf(pending)
    const { commit, shares } = await vault.commit(place, pending.sealingKey)
    await commitWallet(context, caller, commit)
    return { vault, place, commit, shares }
  }
  const release = (caller: VerifiedToken, vaultKey: string, address: string, purpose: ReleasePurpose) =>
    releaseShares(context, caller, vaultKey, { address, purpose })

  describe('begin', () => {
    test('all who begin at once get the same place, and the key to seal to', async () => {
      const places = await Promise.all(Array.from({ length: 8 }, () => begin()))
      expect(new Set(places.map(({ walletId }) => walletId)).size).toBe(1)
      expect(places[0]).toMatchObject({ userId: ada.userId, generation: 1 })
      expect(isPointOfCurve(places[0]?.sealingKey.publicKey ?? '')).toBe(true)
      expect((await begin(eve)).walletId).not.toBe(places[0]?.walletId)
      expect(await walletOf(context, ada)).toBeNull()
    })

    // spec W3.1
    test('a user who has a wallet is told which, and gets no second place', async () => {
      const { vault, place } = await create()
      expect(await beginWallet(context, ada)).toEqual({
        status: 'committed',
        walletId: place.walletId,
        userId: ada.userId,
        generation: 1,
        address: vault.address,
        recoveryMethod: 'latchkey',
      })
    })
  })

  describe('commit', () => {
    // spec W3.4
    test('makes the wallet an account of the user', async () => {
      expect((await requireUser(context.db, appId, ada.userId)).linkedAccounts).toEqual([])
      const { vault } = await create()
      const now = Math.floor(context.clock.nowMs() / 1_000)
      expect((await requireUser(context.db, appId, ada.userId)).linkedAccounts).toEqual([
        {
          type: 'wallet',
          address: vault.address,
          chainType: 'ethereum',
          chainId: 'eip155:1',
          walletClient: 'latchkey',
          walletClientType: 'latchkey',
          connectorType: 'embedded',
          imported: false,
          walletIndex: 0,
          recoveryMethod: 'latchkey',
          verifiedAt: now,
          firstVerifiedAt: now,
          latestVerifiedAt: now,
        },
      ])
    })

    // spec W3.1
    test('of several wallets for one place one wins, and everybody is told the same', async () => {
      const pending = await begin()
      const commits: Commit[] = []
      for (let turn = 0; turn < 5; turn += 1) {
        const vault = await testVault()
        commits.push((await vault.commit(placeOf(pending), pending.sealingKey)).commit)
      }
      const told = await Promise.all(
        commits.map(async (commit) => {
          await commitWallet(context, ada, commit)
          return committedWalletOf(context, ada)
        }),
      )
      expect(new Set(told.map(({ address }) => address)).size).toBe(1)
      expect(commits.map(({ address }) => address)).toContain(told[0]?.address)
      const created = await context.db.selectFrom('audit_log').select('event').execute()
      expect(created.filter(({ event }) => event === 'wallet.created')).toHaveLength(1)
    })

    test('done again it changes nothing', async () => {
      const { commit } = await create()
      const before = await context.db.selectFrom('wallets').selectAll().execute()
      await commitWallet(context, ada, commit)
      expect(await context.db.selectFrom('wallets').selectAll().execute()).toEqual(before)
    })

    test('what is in the database opens nothing by itself', async () => {
      const { shares } = await create()
      const rows = JSON.stringify(await context.db.selectFrom('wallets').selectAll().execute())
      for (const share of Object.values(shares)) {
        for (const encoding of ['base64', 'base64url', 'hex'] as const)
          expect(rows).not.toContain(Buffer.from(share.subarray(-16)).toString(encoding).replace(/=+$/, ''))
      }
    })

    test('a share that is not whole, or of another wallet, place or version is refused while it can be', async () => {
      const vault = await testVault()
      const pending = await begin()
      const place = placeOf(pending)
      const { commit } = await vault.commit(place, pending.sealingKey)
      const { address } = vault
      const sealed = (share: Uint8Array, role: 'auth' | 'recovery' = 'auth') =>
        vault.seal(pending.sealingKey, share, { ...place, role, address })
      const refused: readonly Uint8Array[] = [
        new Uint8Array(0),
        wrappedShare(place, 'auth').subarray(0, -1),
        Buffer.concat([wrappedShare(place, 'auth'), Buffer.from([0])]),
        wrappedShare(place, 'auth', { v: 2 }),
        wrappedShare(place, 'auth', { x: 0 }),
        wrappedShare(place, 'auth', { x: 3 }),
        wrappedShare(place, 'auth', { role: 3 }),
        wrappedShare(place, 'auth', { y: new Uint8Array(32) }),
        wrappedShare(place, 'recovery'),
        wrappedShare({ ...place, walletId: `${place.walletId.slice(0, -1)}!` }, 'auth'),
        wrappedShare({ ...place, generation: 2 }, 'auth'),
      ]
      for (const share of refused) {
        const changed = { ...commit, authShare: await sealed(share) }
        await expect(commitWallet(context, ada, changed)).rejects.toMatchObject({ code: 'share_malformed' })
      }
      const swapped = { ...commit, authShare: commit.recoveryShare, recoveryShare: commit.authShare }
      await expect(commitWallet(context, ada, swapped)).rejects.toMatchObject({ code: 'share_malformed' })
      expect(await walletOf(context, ada)).toBeNull()
      await commitWallet(context, ada, commit)
      expect(await walletOf(context, ada)).toMatchObject({ address })
    })

    test('an address needs the signature of its own key, for this user and this wallet', async () => {
      const vault = await testVault()
      const pending = await begin()
      const { commit } = await vault.commit(placeOf(pending), pending.sealingKey)
      const another = await testVault()
      const stranger = privateKeyToAccount(`0x${'1'.repeat(64)}`)
      const proofs = [
        (await another.commit(placeOf(pending), pending.sealingKey)).commit.proof,
        (await vault.commit({ ...placeOf(pending), userId: eve.userId }, pending.sealingKey)).commit.proof,
        (await vault.commit({ ...placeOf(pending), walletId: 'wal_2' }, pending.sealingKey)).commit.proof,
        await stranger.signMessage({ message: 'anything' }),
        '0x',
        `0x${'00'.repeat(65)}`,
        `0x${'ff'.repeat(65)}`,
      ]
      for (const proof of proofs) {
        const changed = { ...commit, proof }
        await expect(commitWallet(context, ada, changed), proof).rejects.toMatchObject({
          code: 'invalid_data',
        })
      }
    })

    test('the place of somebody else, another generation and an unknown sealing key are refused', async () => {
      const vault = await testVault()
      const pending = await begin()
      const { commit } = await vault.commit(placeOf(pending), pending.sealingKey)
      const code = (of: string) => expect.objectContaining({ code: of })
      await expect(commitWallet(context, eve, commit)).rejects.toEqual(code('embedded_wallet_not_found'))
      await begin(eve)
      await expect(commitWallet(context, eve, commit)).rejects.toEqual(code('embedded_wallet_not_found'))
      const others: readonly Partial<Commit>[] = [{ generation: 2 }, { sealingKeyId: 'another' }]
      for (const other of others)
        await expect(commitWallet(context, ada, { ...commit, ...other })).rejects.toEqual(
          code('invalid_data'),
        )
      expect(await walletOf(context, ada)).toBeNull()
    })

    test('shares that are sealed to a stranger do not open', async () => {
      const vault = await testVault()
      const pending = await begin()
      const stranger = await testVault()
      const key: ServerSealingKey = { id: pending.sealingKey.id, publicKey: stranger.publicKey }
      const { commit } = await vault.commit(placeOf(pending), key)
      await expect(commitWallet(context, ada, commit)).rejects.toMatchObject({ code: 'share_malformed' })
    })
  })

  describe('release', () => {
    test('for a signature the auth share alone, for a recovery both, sealed to the one vault', async () => {
      const { vault, place, shares } = await create()
      const { address } = vault
      const signing = await release(ada, vault.publicKey, address, 'sign')
      expect(signing.recoveryShare).toBeNull()
      expect(signing.wallet).toMatchObject({ address, generation: 1 })
      const opened = await vault.open(signing.authShare, { ...place, role: 'auth', address })
      expect(opened).toEqual(Buffer.from(shares.auth))

      const device = await testVault()
      const recovery = await release(ada, device.publicKey, address.toLowerCase(), 'recover')
      if (recovery.recoveryShare === null) throw new Error('A recovery has both')
      const context2 = { ...place, role: 'recovery', address } as const
      expect(await device.open(recovery.recoveryShare, context2)).toEqual(Buffer.from(shares.recovery))
      await expect(vault.open(recovery.recoveryShare, context2)).rejects.toThrow()
      await expect(device.open(recovery.recoveryShare, { ...context2, role: 'auth' })).rejects.toThrow()
    })

    test('nobody gets the shares of another user, and nobody those of a wallet that is not there', async () => {
      const { vault } = await create()
      const missing = { code: 'embedded_wallet_not_found' }
      await expect(release(eve, vault.publicKey, vault.address, 'sign')).rejects.toMatchObject(missing)
      const other = (await testVault()).address
      await expect(release(ada, vault.publicKey, other, 'sign')).rejects.toMatchObject(missing)
      await begin(eve)
      await expect(release(eve, vault.publicKey, vault.address, 'sign')).rejects.toMatchObject(missing)
    })

    test('each is written down before it leaves, and a user gets so many a minute', async () => {
      const { vault } = await create()
      const released = async () => {
        const rows = await context.db.selectFrom('audit_log').selectAll().execute()
        return rows.filter(({ event }) => event === 'wallet.share_released')
      }
      const failing = { ...context, kms: { ...context.kms, unwrap: () => Promise.reject(new Error('away')) } }
      const request = { address: vault.address, purpose: 'recover' as const }
      await expect(releaseShares(failing, ada, vault.publicKey, request)).rejects.toThrow('away')
      expect(await released()).toMatchObject([{ user_id: ada.userId, session_id: 'ses_1' }])

      const { shareReleasesPerMinute } = attemptLimits
      const tries = await Promise.allSettled(
        Array.from({ length: shareReleasesPerMinute + 5 }, () =>
          release(ada, vault.publicKey, vault.address, 'sign'),
        ),
      )
      expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(shareReleasesPerMinute - 1)
      expect(await released()).toHaveLength(shareReleasesPerMinute)
      context.clock.advanceSeconds(60)
      expect(await release(ada, vault.publicKey, vault.address, 'sign')).toBeTruthy()
    })
  })
})

describe('the key of a vault', () => {
  const point = () => {
    const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
      format: 'jwk',
    })
    return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  }

  test('is an uncompressed point on the curve, written in one way', () => {
    const valid = point()
    expect(isPointOfCurve(valid.toString('base64url'))).toBe(true)
    const off = Buffer.from(valid)
    off[64] = (off[64] ?? 0) ^ 1
    const compressed = Buffer.concat([Buffer.from([2]), valid.subarray(1)])
    const refused = [off, compressed, Buffer.alloc(65), valid.subarray(0, 64)]
    for (const bytes of refused) expect(isPointOfCurve(bytes.toString('base64url'))).toBe(false)
    // The last character has bits that belong to no byte.
    const text = valid.toString('base64url')
    const last = text.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const respelled = text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) ^ 1)
    expect(Buffer.from(respelled, 'base64url').equals(valid)).toBe(true)
    expect(isPointOfCurve(respelled)).toBe(false)
  })
})
