import type { UserRecord } from '@latchkey/protocol'
import type { PendingWallet, ServerSealingKey, WalletLine, WalletPurpose } from '@latchkey/protocol/wallet'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { logoutCaller, startSession } from '../../identity/sessions/sessions.ts'
import { requireUser } from '../../identity/users/users.ts'
import type { ServerContext, WalletStep, WalletToken } from '../../kernel/context.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { isCurvePoint } from '../../kernel/keys/keys.ts'
import { appWith } from '../../testing/app.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { beginWallet } from './begin.ts'
import { requireCustody } from './custody.ts'
import { authorizeRelease, sealRelease } from './release.ts'
import { testVault, wrappedShare } from './testing/vault.ts'
import { createLoginWalletToken } from './tokens.ts'
import { type Commit, commitWallet } from './wallets.ts'

const releaseShares = async (context: ServerContext, caller: WalletToken) => {
  const app = await testApp(context)
  const released = await context.transaction((trx) =>
    authorizeRelease(trx, context, app, caller, undefined, caller.step.purpose === 'sign' ? {} : undefined),
  )
  return sealRelease(context, caller, released)
}

const appId = 'a'.repeat(25)
const app = appWith({})
const operation = { id: 'op_1', step: 1 }
const creating: WalletStep = { vaultKey: '', operation, purpose: 'create', walletId: null, confirmed: null }

const browser = { key: 'k'.repeat(43), device: 'd'.repeat(43) }

forEachEngine((database) => {
  let context: TestContext
  let ada: WalletToken
  let eve: WalletToken
  beforeEach(async () => {
    context = await testContext(database())
    ada = await loggedIn('usr_ada')
    eve = await loggedIn('usr_eve')
  })

  const loggedIn = async (userId: string): Promise<WalletToken> => {
    await context.db
      .insertInto('users')
      .values({ id: userId, app_id: appId, created_at: 1, accepted_terms_at: null })
      .execute()
    const owner = { appId, userId }
    const { sessionId } = await context.transaction((trx) =>
      startSession(trx, context, owner, browser, { id: 'account', linkedAt: 1 }),
    )
    return {
      ...owner,
      sessionId,
      isFork: false,
      scope: 'wallet',
      step: creating,
      keyThumbprint: 'd'.repeat(43),
      language: 'en',
    }
  }

  const begin = async (caller = ada): Promise<PendingWallet> => {
    const begun = await beginWallet(context, caller, 'ethereum')
    if (begun.status !== 'pending') throw new Error('There is a wallet already')
    return begun
  }
  const placeOf = ({ walletId, userId, kind, chain, generation }: PendingWallet): WalletLine => ({
    appId,
    userId,
    walletId,
    kind,
    chain,
    generation,
  })
  const create = async (caller = ada) => {
    const vault = await testVault()
    const pending = await begin(caller)
    const place = placeOf(pending)
    const { commit, shares } = await vault.commit(place, pending.sealingKey)
    await commitWallet(context, app, caller, commit)
    return { vault, place, commit, shares }
  }
  /** Calls with a token for this step. */
  const release = (caller: WalletToken, step: Partial<WalletStep> & { walletId: string }) =>
    releaseShares(context, { ...caller, step: { ...creating, purpose: 'sign', ...step } })
  const committed = (walletId: string, caller = ada) => requireCustody(context.db, caller, walletId)

  describe('begin', () => {
    test('concurrent begins return the same slot and the sealing key', async () => {
      const places = await Promise.all(Array.from({ length: 8 }, () => begin()))
      expect(new Set(places.map(({ walletId }) => walletId)).size).toBe(1)
      expect(places[0]).toMatchObject({ userId: ada.userId, generation: 1 })
      expect(isCurvePoint(places[0]?.sealingKey.publicKey ?? '')).toBe(true)
      expect((await begin(eve)).walletId).not.toBe(places[0]?.walletId)
      expect(places[0]).toMatchObject({ kind: 'entropy', chain: 'ethereum' })
    })

    // spec W3.1
    test('returns the existing wallet instead of a second slot', async () => {
      const { vault, place } = await create()
      expect(await beginWallet(context, ada, 'ethereum')).toEqual({
        status: 'committed',
        walletId: place.walletId,
        userId: ada.userId,
        kind: 'entropy',
        chain: 'ethereum',
        generation: 1,
        address: vault.address,
        recoveryMethod: 'latchkey',
      })
    })
  })

  describe('commit', () => {
    // spec W3.4
    test("adds the wallet to the user's accounts", async () => {
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
    test('one of several concurrent commits wins, and all callers receive that wallet', async () => {
      const pending = await begin()
      const commits: Commit[] = []
      for (let turn = 0; turn < 5; turn += 1) {
        const vault = await testVault()
        commits.push((await vault.commit(placeOf(pending), pending.sealingKey)).commit)
      }
      const told = await Promise.all(
        commits.map(async (commit) => {
          await commitWallet(context, app, ada, commit)
          return committed(commit.walletId)
        }),
      )
      expect(new Set(told.map(({ address }) => address)).size).toBe(1)
      expect(commits.map(({ address }) => address)).toContain(told[0]?.address)
      const created = await context.db.selectFrom('audit_log').select('event').execute()
      expect(created.filter(({ event }) => event === 'wallet.created')).toHaveLength(1)
    })

    test('a repeated commit changes nothing', async () => {
      const { commit } = await create()
      const before = await context.db.selectFrom('wallets').selectAll().execute()
      await commitWallet(context, app, ada, commit)
      expect(await context.db.selectFrom('wallets').selectAll().execute()).toEqual(before)
    })

    test('the database rows alone open no share', async () => {
      const { shares } = await create()
      const rows = JSON.stringify(await context.db.selectFrom('wallets').selectAll().execute())
      for (const share of Object.values(shares)) {
        for (const encoding of ['base64', 'base64url', 'hex'] as const)
          expect(rows).not.toContain(Buffer.from(share.subarray(-16)).toString(encoding).replace(/=+$/, ''))
      }
    })

    test('an incomplete share, or one of another wallet, slot or version is rejected while it can be', async () => {
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
        wrappedShare(place, 'auth', { kind: 2 }),
        wrappedShare(place, 'auth', { chain: 2 }),
        wrappedShare(place, 'auth', { length: 15 }),
        wrappedShare(place, 'auth', { y: new Uint8Array(32) }),
        wrappedShare(place, 'recovery'),
        wrappedShare({ ...place, walletId: `${place.walletId.slice(0, -1)}!` }, 'auth'),
        wrappedShare({ ...place, generation: 2 }, 'auth'),
      ]
      for (const share of refused) {
        const changed = await vault.proven(place, { ...commit, authShare: await sealed(share) })
        await expect(commitWallet(context, app, ada, changed)).rejects.toMatchObject({
          code: 'share_malformed',
        })
      }
      if (commit.recovery.method !== 'latchkey') throw new Error('The server keeps it')
      const swapped: Commit = await vault.proven(place, {
        ...commit,
        authShare: commit.recovery.share,
        recovery: { method: 'latchkey', share: commit.authShare },
      })
      await expect(commitWallet(context, app, ada, swapped)).rejects.toMatchObject({
        code: 'share_malformed',
      })
      await expect(committed(place.walletId)).rejects.toMatchObject({ code: 'embedded_wallet_not_found' })
      await commitWallet(context, app, ada, commit)
      expect(await committed(place.walletId)).toMatchObject({ address })
    })

    test('an address needs a signature of its own key, for this user and this wallet', async () => {
      const vault = await testVault()
      const pending = await begin()
      const { commit } = await vault.commit(placeOf(pending), pending.sealingKey)
      const another = await testVault()
      const stranger = privateKeyToAccount(`0x${'1'.repeat(64)}`)
      const proofs = [
        (await another.commit(placeOf(pending), pending.sealingKey)).commit.proof,
        (await vault.commit({ ...placeOf(pending), userId: eve.userId }, pending.sealingKey)).commit.proof,
        (await vault.commit({ ...placeOf(pending), walletId: 'wal_2' }, pending.sealingKey)).commit.proof,
        (await vault.commit({ ...placeOf(pending), generation: 2 }, pending.sealingKey)).commit.proof,
        (await vault.commit({ ...placeOf(pending), kind: 'imported-key' }, pending.sealingKey)).commit.proof,
        (await vault.commit({ ...placeOf(pending), appId: 'b'.repeat(25) }, pending.sealingKey)).commit.proof,
        await stranger.signMessage({ message: 'anything' }),
        '0x',
        `0x${'00'.repeat(65)}`,
        `0x${'ff'.repeat(65)}`,
      ]
      for (const proof of proofs) {
        const changed = { ...commit, proof }
        await expect(commitWallet(context, app, ada, changed), proof).rejects.toMatchObject({
          code: 'invalid_data',
        })
      }
    })

    test('the proof of some shares registers no others', async () => {
      const vault = await testVault()
      const pending = await begin()
      const [one, other] = await Promise.all(
        [1, 2].map(() => vault.commit(placeOf(pending), pending.sealingKey)),
      )
      for (const change of [{ authShare: other?.commit.authShare }, { recovery: other?.commit.recovery }]) {
        const swapped = { ...one?.commit, ...change } as Commit
        await expect(commitWallet(context, app, ada, swapped)).rejects.toMatchObject({ code: 'invalid_data' })
      }
      await expect(commitWallet(context, app, ada, one?.commit as Commit)).resolves.toBe(true)
    })

    // A signature that a host can request must not count as a proof, whatever its text.
    test('a signature that a host can request is no proof, neither of the old text nor of the current bytes', async () => {
      const vault = await testVault()
      const pending = await begin()
      const place = placeOf(pending)
      const { commit } = await vault.commit(place, pending.sealingKey)
      const text = `Latchkey wallet registration\napp: ${appId}\nuser: ${ada.userId}\nwallet: ${place.walletId}\naddress: ${vault.address.toLowerCase()}`
      const fished = [
        await vault.personalSign(text),
        await vault.personalSign(vault.proofBytes(place, commit)),
      ]
      for (const proof of fished) {
        const changed = { ...commit, proof }
        await expect(commitWallet(context, app, ada, changed), proof).rejects.toMatchObject({
          code: 'invalid_data',
        })
      }
      await commitWallet(context, app, ada, commit)
      expect(await committed(place.walletId)).toMatchObject({ address: vault.address })
    })

    test('a session that ended during the wait for keys creates no wallet', async () => {
      const vault = await testVault()
      const pending = await begin()
      const { commit } = await vault.commit(placeOf(pending), pending.sealingKey)
      const { wrap } = context.kms
      const slow = {
        ...context,
        kms: {
          ...context.kms,
          wrap: async (...wrapped: Parameters<typeof wrap>) => {
            await logoutCaller(context, ada)
            return wrap(...wrapped)
          },
        },
      }
      await expect(commitWallet(slow, app, ada, commit)).rejects.toMatchObject({
        code: 'missing_or_invalid_token',
      })
      await expect(committed(pending.walletId)).rejects.toMatchObject({ code: 'embedded_wallet_not_found' })
    })

    test("rejects another user's slot, another generation and an unknown sealing key", async () => {
      const vault = await testVault()
      const pending = await begin()
      const { commit } = await vault.commit(placeOf(pending), pending.sealingKey)
      const code = (of: string) => expect.objectContaining({ code: of })
      await expect(commitWallet(context, app, eve, commit)).rejects.toEqual(code('embedded_wallet_not_found'))
      await begin(eve)
      await expect(commitWallet(context, app, eve, commit)).rejects.toEqual(code('embedded_wallet_not_found'))
      const others: readonly Partial<Commit>[] = [{ generation: 2 }, { sealingKeyId: 'another' }]
      for (const other of others)
        await expect(commitWallet(context, app, ada, { ...commit, ...other })).rejects.toEqual(
          code('invalid_data'),
        )
      await expect(committed(pending.walletId)).rejects.toEqual(code('embedded_wallet_not_found'))
    })

    test('shares that are sealed to another key do not open', async () => {
      const vault = await testVault()
      const pending = await begin()
      const stranger = await testVault()
      const key: ServerSealingKey = { id: pending.sealingKey.id, publicKey: stranger.publicKey }
      const { commit } = await vault.commit(placeOf(pending), key)
      await expect(commitWallet(context, app, ada, commit)).rejects.toMatchObject({ code: 'share_malformed' })
    })
  })

  describe('release', () => {
    test('releases the auth share for a signature and both shares for a recovery, sealed to the one vault', async () => {
      const { vault, place, shares } = await create()
      const { address } = vault
      const { walletId } = place
      const signing = await release(ada, { vaultKey: vault.publicKey, walletId, purpose: 'sign' })
      expect(signing.recoveryShare).toBeNull()
      expect(signing.wallet).toMatchObject({ address, kind: 'entropy', chain: 'ethereum', generation: 1 })
      const opened = await vault.open(
        signing.authShare,
        { ...place, role: 'auth', address },
        operation,
        null,
        'sign',
      )
      expect(opened).toEqual(Buffer.from(shares.auth))

      const device = await testVault()
      const recovery = await release(ada, { vaultKey: device.publicKey, walletId, purpose: 'recover' })
      if (recovery.recoveryShare === null) throw new Error('A recovery has both')
      const role = { ...place, role: 'recovery', address } as const
      expect(await device.open(recovery.recoveryShare, role, operation)).toEqual(Buffer.from(shares.recovery))
      await expect(vault.open(recovery.recoveryShare, role, operation)).rejects.toThrow()
      const auth = { ...role, role: 'auth' } as const
      await expect(device.open(recovery.recoveryShare, auth, operation)).rejects.toThrow()
      await expect(device.open(recovery.recoveryShare, role, operation, null, 'sign')).rejects.toThrow()
    })

    test('a released share opens only in the step of the token', async () => {
      const { vault, place, shares } = await create()
      const { walletId } = place
      const share = { ...place, role: 'auth', address: vault.address } as const
      const second = { id: 'op_1', step: 2 }
      const released = await release(ada, { vaultKey: vault.publicKey, walletId, operation: second })
      expect(await vault.open(released.authShare, share, second, null, 'sign')).toEqual(
        Buffer.from(shares.auth),
      )
      for (const other of [operation, { id: 'op_2', step: 2 }])
        await expect(vault.open(released.authShare, share, other, null, 'sign')).rejects.toThrow()
    })

    test('releases nothing for a purpose that needs no share', async () => {
      const { vault, place } = await create()
      for (const purpose of ['create', 'connect'] as const satisfies readonly WalletPurpose[]) {
        const step = { vaultKey: vault.publicKey, walletId: place.walletId, purpose }
        await expect(release(ada, step)).rejects.toMatchObject({ code: 'insufficient_scope' })
      }
    })

    test('rejects shares of another user and of a missing wallet', async () => {
      const { vault, place } = await create()
      const missing = { code: 'embedded_wallet_not_found' }
      const step = { vaultKey: vault.publicKey, walletId: place.walletId }
      await expect(release(eve, step)).rejects.toMatchObject(missing)
      await expect(release(ada, { ...step, walletId: 'wal_other' })).rejects.toMatchObject(missing)
      const { walletId } = await begin(eve)
      await expect(release(eve, { ...step, walletId })).rejects.toMatchObject(missing)
      expect(await release(ada, step)).toBeTruthy()
    })

    test('records each release with its step before it leaves, and allows a user sixty a minute', async () => {
      const { vault, place } = await create()
      const step = { vaultKey: vault.publicKey, walletId: place.walletId }
      const released = async () => {
        const rows = await context.db.selectFrom('audit_log').selectAll().execute()
        return rows.filter(({ event }) => event === 'wallet.recovered' || event === 'wallet.signed')
      }
      const failing = { ...context, kms: { ...context.kms, unwrap: () => Promise.reject(new Error('away')) } }
      const recovering = { ...ada, step: { ...creating, ...step, purpose: 'recover' as const } }
      await expect(releaseShares(failing, recovering)).rejects.toThrow('away')
      const [entry] = await released()
      expect(entry).toMatchObject({ user_id: ada.userId, session_id: ada.sessionId })
      expect(JSON.parse(entry?.details ?? '')).toEqual({
        wallet: place.walletId,
        purpose: 'recover',
        operation: 'op_1',
        step: 1,
        verified: null,
      })

      const tries = await Promise.allSettled(Array.from({ length: 65 }, () => release(ada, step)))
      expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(59)
      expect(await released()).toHaveLength(60)
      context.clock.advanceSeconds(60)
      expect(await release(ada, step)).toBeTruthy()
    })
  })

  describe('the wallet token of a login', () => {
    const vaultKey = async () => ({ publicKey: (await testVault()).publicKey, operation })
    const tokenFor = async (
      config: Partial<Awaited<ReturnType<typeof testApp>>['config']>,
      changes: Partial<UserRecord> = {},
      publicKey?: string,
    ) => {
      const app = await testApp(context)
      const own = { ...app, id: appId, config: { ...app.config, ...config } }
      const user = { ...(await requireUser(context.db, appId, ada.userId)), ...changes }
      const vault = { ...(await vaultKey()), ...(publicKey !== undefined && { publicKey }) }
      return createLoginWalletToken(context, { app: own, language: 'en' }, ada.sessionId, user, {
        ...vault,
        device: 'd'.repeat(43),
      })
    }
    const forAll = { embeddedWalletConfig: { createOnLogin: 'all-users' } } as const

    test('is for creating a wallet if one is due, or for finding the existing one', async () => {
      expect(await tokenFor(forAll)).toMatchObject({ purpose: 'create' })
      await create()
      expect(await tokenFor(forAll)).toMatchObject({ purpose: 'connect' })
      expect(await tokenFor({ embeddedWalletConfig: {} })).toMatchObject({ purpose: 'connect' })
    })

    test('reserves the slot of the wallet that is due', async () => {
      const reserved = await tokenFor(forAll)
      expect(reserved?.place).toEqual(await begin())
      const { commit } = await (await testVault()).commit(placeOf(await begin()), (await begin()).sealingKey)
      await commitWallet(context, app, ada, commit)
      expect(await tokenFor(forAll)).not.toHaveProperty('place')
    })

    test('is not issued if no wallet is due', async () => {
      const external = {
        type: 'wallet',
        address: '0x1',
        chainType: 'ethereum',
        connectorType: 'injected',
        verifiedAt: 1,
        firstVerifiedAt: 1,
        latestVerifiedAt: 1,
      } as const
      const withoutWallets = { embeddedWalletConfig: { createOnLogin: 'users-without-wallets' } } as const
      expect(await tokenFor(withoutWallets)).toMatchObject({ purpose: 'create' })
      expect(await tokenFor(withoutWallets, { linkedAccounts: [external] })).toBeUndefined()
      expect(await tokenFor(forAll, { linkedAccounts: [external] })).toMatchObject({ purpose: 'create' })
      expect(await tokenFor({ embeddedWalletConfig: { createOnLogin: 'off' } })).toBeUndefined()
      expect(await tokenFor({ embeddedWalletConfig: {} })).toBeUndefined()
    })

    test('is delayed until the consent, the choice of recovery and the verification', async () => {
      const terms = { ...forAll, requireUsersAcceptTerms: true }
      expect(await tokenFor(terms)).toBeUndefined()
      expect(await tokenFor(terms, { hasAcceptedTerms: true })).toMatchObject({ purpose: 'create' })
      for (const choice of ['requireUserOwnedRecoveryOnCreate', 'requireUserPasswordOnCreate'] as const) {
        const wallets = { createOnLogin: 'all-users', [choice]: true } as const
        expect(await tokenFor({ embeddedWalletConfig: wallets })).toBeUndefined()
      }
      expect(await tokenFor(forAll, { mfaMethods: [{ type: 'totp', verifiedAt: 1 }] })).toBeUndefined()
    })

    test('is not issued for an invalid vault key', async () => {
      expect(await tokenFor(forAll, {}, `B${'A'.repeat(86)}`)).toBeUndefined()
    })
  })
})
