/** Tests imported wallets: they use the same slot as created ones, and are marked as imported. */
import type { ChainType } from '@latchkey/protocol'
import type { AccountAction, PendingWallet, WalletPurpose } from '@latchkey/protocol/wallet'
import { beforeEach, expect, test } from 'vitest'
import { startSession } from '../../identity/sessions/sessions.ts'
import { requireUser } from '../../identity/users/users.ts'
import type { WalletStep, WalletToken } from '../../kernel/context.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { appWith } from '../../testing/app.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { getActivity } from '../confirm/activity.ts'
import { approveAction } from '../confirm/testing/approved.ts'
import { beginWallet } from './begin.ts'
import { findCustodyByAddress } from './custody.ts'
import { authorizeRelease, sealRelease } from './release.ts'
import { isOwnWallet } from './store.ts'
import { testVault, wrappedShare } from './testing/vault.ts'
import { commitWallet } from './wallets.ts'

const appId = 'a'.repeat(25)
const app = { ...appWith({}), id: appId }
const operation = { id: 'op_1', step: 1 }

const browser = { key: 'k'.repeat(43), device: 'd'.repeat(43) }

forDefaultEngine((database) => {
  let context: TestContext
  let ada: Omit<WalletToken, 'step'>
  beforeEach(async () => {
    context = await testContext(database())
    const owner = { appId, userId: 'usr_ada' }
    await context.db
      .insertInto('users')
      .values({ id: owner.userId, app_id: appId, created_at: 1, accepted_terms_at: null })
      .execute()
    const { sessionId } = await context.transaction((trx) =>
      startSession(trx, context, owner, browser, { id: 'account', linkedAt: 1 }),
    )
    ada = {
      ...owner,
      sessionId,
      isFork: false,
      scope: 'wallet',
      keyThumbprint: 'd'.repeat(43),
      language: 'en',
    }
  })

  const callerFor = (purpose: WalletPurpose, change: Partial<WalletStep> = {}): WalletToken => ({
    ...ada,
    step: { vaultKey: '', operation, purpose, walletId: null, confirmed: null, ...change },
  })
  /** Creates a token for the import of this address, which the device approved. */
  async function importerOf(address: string): Promise<WalletToken> {
    const action: AccountAction = { method: 'import', params: [address] }
    const confirmed = await approveAction(context, app, ada, action)
    return callerFor('import', { confirmed })
  }
  async function pendingFor(
    purpose: 'create' | 'import',
    chain: ChainType = 'ethereum',
  ): Promise<PendingWallet> {
    const begun = await beginWallet(context, callerFor(purpose), chain)
    if (begun.status !== 'pending') throw new Error('There is a wallet already')
    return begun
  }
  async function made(purpose: 'create' | 'import') {
    const pending = await pendingFor(purpose)
    const vault = await testVault()
    const place = { ...pending, appId }
    const { commit, shares } = await vault.commit(place, pending.sealingKey)
    const send = async (by: 'create' | 'import' = purpose) => {
      const caller = by === 'import' ? await importerOf(vault.address) : callerFor(by)
      return commitWallet(context, app, caller, commit)
    }
    return { pending, place, vault, commit, shares, send }
  }
  const kept = async (address: string) => (await findCustodyByAddress(context.db, ada, address))?.wallet.kind
  const events = async () =>
    (await context.db.selectFrom('audit_log').select('event').execute())
      .map(({ event }) => event)
      .filter((event) => event.startsWith('wallet.'))

  // spec W7.25, W3.4
  test("appears in the user's accounts as imported", async () => {
    const { vault, send } = await made('import')
    await send()
    const [account] = (await requireUser(context.db, appId, ada.userId)).linkedAccounts
    expect(account).toMatchObject({
      type: 'wallet',
      address: vault.address,
      imported: true,
      walletClientType: 'latchkey',
      connectorType: 'embedded',
      recoveryMethod: 'latchkey',
    })
    expect(await events()).toEqual(['wallet.imported'])
    const caller = { ...ada, scope: 'dialog', confirmsWithinSeconds: null } as never
    expect((await getActivity(context, caller, undefined)).activity).toMatchObject([{ kind: 'imported' }])
  })

  test('is released as shares of its own kind and length', async () => {
    const { vault, place, shares, send } = await made('import')
    await send()
    const caller = callerFor('sign', { walletId: place.walletId })
    const signing = { ...caller, step: { ...caller.step, vaultKey: vault.publicKey } }
    const app = await testApp(context)
    const released = await context.transaction((trx) =>
      authorizeRelease(trx, context, app, signing, undefined, {}),
    )
    const { wallet, authShare } = await sealRelease(context, signing, released)
    expect(wallet).toMatchObject({ kind: 'imported-key', chain: 'ethereum', generation: 1 })
    const share = { ...place, role: 'auth', address: vault.address } as const
    expect(await vault.open(authShare, share, operation, null, 'sign')).toEqual(Buffer.from(shares.auth))
    expect(shares.auth.at(1)).toBe(2)
    expect(shares.auth.subarray(11 + place.walletId.length)).toHaveLength(32)
  })

  test('shares the slot with a wallet being created, and the first commit fills it', async () => {
    for (const first of ['import', 'create'] as const) {
      await context.db.deleteFrom('wallets').execute()
      const both = { create: await made('create'), import: await made('import') }
      expect(both.import.pending.walletId).toBe(both.create.pending.walletId)
      expect(both.import.pending.kind).toBe('imported-key')
      expect(both.create.pending.kind).toBe('entropy')
      await both[first].send()
      await both[first === 'import' ? 'create' : 'import'].send()
      expect(await kept(both[first].vault.address)).toBe(first === 'import' ? 'imported-key' : 'entropy')
      expect((await requireUser(context.db, appId, ada.userId)).linkedAccounts).toHaveLength(1)
    }
  })

  // spec W3.1
  test('is rejected with the existing wallet if the user has one', async () => {
    const { vault, send } = await made('create')
    await send()
    expect(await beginWallet(context, callerFor('import'), 'ethereum')).toMatchObject({
      status: 'committed',
      kind: 'entropy',
      address: vault.address,
    })
  })

  test('accepts only an import token, and stores the imported kind', async () => {
    const brought = await made('import')
    await expect(brought.send('create')).rejects.toMatchObject({ code: 'invalid_data' })
    const { vault, place, pending, commit } = brought
    const share = wrappedShare({ ...place, kind: 'entropy' }, 'auth')
    const authShare = await vault.seal(pending.sealingKey, share, {
      ...place,
      role: 'auth',
      address: vault.address,
    })
    const tampered = await vault.proven(place, { ...commit, authShare })
    await expect(commitWallet(context, app, callerFor('import'), tampered)).rejects.toMatchObject({
      code: 'share_malformed',
    })
    await brought.send()
    expect(await kept(vault.address)).toBe('imported-key')
  })

  test('commits no imported key without an approval of its own address', async () => {
    const { vault, commit, send } = await made('import')
    const other = (await testVault()).address
    for (const caller of [callerFor('import'), await importerOf(other)])
      await expect(commitWallet(context, app, caller, commit)).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:insufficient_scope|not_found)$/),
      })
    expect(await kept(vault.address)).toBeUndefined()
    await send()
    expect(await kept(vault.address)).toBe('imported-key')
  })

  test('uses the approval of an import once', async () => {
    const { vault, commit } = await made('import')
    const caller = await importerOf(vault.address)
    await commitWallet(context, app, caller, commit)
    await context.db.deleteFrom('wallets').execute()
    const again = await made('import')
    const reused = { ...again.commit, address: vault.address }
    await expect(commitWallet(context, app, caller, reused)).rejects.toThrow()
    expect(await kept(vault.address)).toBeUndefined()
  })

  test('is rejected for Solana', async () => {
    await expect(beginWallet(context, callerFor('import'), 'solana')).rejects.toMatchObject({
      code: 'not_supported',
    })
  })

  test('is not recovered at a login like a created wallet, because its key also exists elsewhere', async () => {
    const { vault, send } = await made('import')
    await send()
    expect(await isOwnWallet(context.db, appId, vault.address)).toBe(false)
  })
})
