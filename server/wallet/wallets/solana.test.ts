/** Tests wallets of two chains: their combinations, their addresses and their proofs. */
import type { ChainType } from '@latchkey/protocol'
import {
  type PendingWallet,
  type SolanaAddressToProve,
  solanaAddressProofBytes,
} from '@latchkey/protocol/wallet'
import { beforeEach, describe, expect, test } from 'vitest'
import { startSession } from '../../identity/sessions/sessions.ts'
import { requireUser } from '../../identity/users/users.ts'
import type { WalletStep, WalletToken } from '../../kernel/context.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { appWith } from '../../testing/app.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { committedWalletAt } from '../confirm/store.ts'
import { findWalletOwner } from './addresses/address-ownership.ts'
import { addSolanaAddress, assertPurposeEnabled } from './addresses/solana-address.ts'
import { beginWallet } from './begin.ts'
import { findCustodyByAddress } from './custody.ts'
import { authorizeRelease, sealRelease } from './release.ts'
import { destroyWallets, isOwnWallet } from './store.ts'
import { testVault } from './testing/vault.ts'
import { commitWallet } from './wallets.ts'

const appId = 'a'.repeat(25)
const app = appWith({})
const creating: WalletStep = {
  vaultKey: '',
  operation: { id: 'op_1', step: 1 },
  purpose: 'create',
  walletId: null,
  confirmed: null,
}
const alreadyThere = expect.objectContaining({ code: 'embedded_wallet_already_exists' })
const invalid = expect.objectContaining({ code: 'invalid_data' })

const browser = { key: 'k'.repeat(43), device: 'd'.repeat(43) }

forEachEngine((database) => {
  let context: TestContext
  let ada: WalletToken
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
      step: creating,
      keyThumbprint: 'd'.repeat(43),
      language: 'en',
    }
  })

  async function pendingOf(chain: ChainType): Promise<PendingWallet> {
    const begun = await beginWallet(context, ada, chain)
    if (begun.status !== 'pending') throw new Error('There is a wallet already')
    return begun
  }
  /** Creates the vault's commit of a slot without sending it. */
  async function made(chain: ChainType) {
    const pending = await pendingOf(chain)
    const vault = await testVault(chain)
    const { commit, shares } = await vault.commit({ ...pending, appId }, pending.sealingKey)
    return { pending, vault, commit, shares, send: () => commitWallet(context, app, ada, commit) }
  }
  async function create(chain: ChainType) {
    const wallet = await made(chain)
    await wallet.send()
    return wallet
  }
  const accounts = async () => (await requireUser(context.db, appId, ada.userId)).linkedAccounts

  // spec W3.4
  test('a Solana wallet is an account of the user, with its public key', async () => {
    const { vault } = await create('solana')
    const now = Math.floor(context.clock.nowMs() / 1_000)
    expect(await accounts()).toEqual([
      {
        type: 'wallet',
        address: vault.address,
        publicKey: vault.address,
        chainType: 'solana',
        imported: false,
        walletClientType: 'latchkey',
        connectorType: 'embedded',
        recoveryMethod: 'latchkey',
        verifiedAt: now,
        firstVerifiedAt: now,
        latestVerifiedAt: now,
      },
    ])
  })

  // spec W3.2
  test('rejects a Solana wallet for a user with an Ethereum wallet, at begin and at commit', async () => {
    const solana = await made('solana')
    await create('ethereum')
    await expect(solana.send()).rejects.toEqual(alreadyThere)
    await expect(beginWallet(context, ada, 'solana')).rejects.toEqual(alreadyThere)
    expect(await accounts()).toMatchObject([{ chainType: 'ethereum' }])
  })

  // spec W3.2
  test('a slot that was begun for an Ethereum wallet does not block a Solana wallet', async () => {
    await pendingOf('ethereum')
    await create('solana')
    expect(await accounts()).toMatchObject([{ chainType: 'solana' }])
  })

  // spec W3.3
  test('an Ethereum wallet can follow a Solana wallet, and retries return both', async () => {
    const solana = await create('solana')
    const ethereum = await create('ethereum')
    expect(await accounts()).toMatchObject([
      { chainType: 'ethereum', address: ethereum.vault.address },
      { chainType: 'solana', address: solana.vault.address },
    ])
    const told = { status: 'committed', chain: 'solana', address: solana.vault.address }
    expect(await beginWallet(context, ada, 'solana')).toMatchObject(told)
  })

  // spec W3.3
  test('of several concurrent Solana wallets one is committed', async () => {
    const several = await Promise.all([made('solana'), made('solana'), made('solana')])
    await Promise.all(several.map(({ send }) => send()))
    const [account, ...others] = await accounts()
    expect(others).toEqual([])
    expect(several.map(({ vault }) => vault.address)).toContain(account?.type === 'wallet' && account.address)
  })

  test('an Ethereum wallet is found by its address in any letter case, a Solana wallet by the exact one', async () => {
    const { vault: solana } = await create('solana')
    const { vault: ethereum } = await create('ethereum')
    const at = async (address: string) => (await findCustodyByAddress(context.db, ada, address))?.address
    expect(await at(ethereum.address.toLowerCase())).toBe(ethereum.address)
    expect(await at(solana.address)).toBe(solana.address)
    expect(await at(solana.address.toLowerCase())).toBeUndefined()
    expect(await at(solana.address.toUpperCase())).toBeUndefined()
  })

  test('a released Solana share opens with its chain and its exact address', async () => {
    const { vault, shares, commit } = await create('solana')
    const step: WalletStep = {
      vaultKey: vault.publicKey,
      operation: { id: 'op_2', step: 1 },
      purpose: 'recover',
      walletId: commit.walletId,
      confirmed: null,
    }
    const caller = { ...ada, step }
    const app = await testApp(context)
    const released = await context.transaction((trx) =>
      authorizeRelease(trx, context, app, caller, undefined),
    )
    const { authShare, wallet } = await sealRelease(context, caller, released)
    const line = { ...wallet, appId, role: 'auth' } as const
    expect(await vault.open(authShare, line, step.operation)).toEqual(shares.auth)
    const elsewhere = [
      { ...line, chain: 'ethereum' },
      { ...line, address: line.address.toLowerCase() },
    ] as const
    for (const other of elsewhere)
      await expect(vault.open(authShare, other, step.operation)).rejects.toThrow()
  })

  test("an address needs a signature of its own key over the proof's bytes", async () => {
    const { commit, vault, pending } = await made('solana')
    const other = await testVault('solana')
    const place = { ...pending, appId }
    const proofs = [
      (await other.commit(place, pending.sealingKey)).commit.proof,
      (await vault.commit({ ...place, userId: 'usr_eve' }, pending.sealingKey)).commit.proof,
      (await vault.commit({ ...place, chain: 'ethereum' }, pending.sealingKey)).commit.proof,
      // A host can have any text signed, and therefore also the digest of an Ethereum proof.
      await vault.personalSign(
        new Uint8Array(
          await crypto.subtle.digest('SHA-256', new Uint8Array(vault.proofBytes(place, commit))),
        ),
      ),
      '0x',
      `0x${'00'.repeat(64)}`,
      `0x${'00'.repeat(65)}`,
    ]
    for (const proof of proofs)
      await expect(commitWallet(context, app, ada, { ...commit, proof }), proof).rejects.toEqual(invalid)
    await commitWallet(context, app, ada, commit)
  })

  test('an address of the other chain, or of another length than a key, is rejected', async () => {
    const { commit } = await made('solana')
    const addresses = [
      (await testVault('ethereum')).address,
      commit.address.slice(0, -1),
      `${commit.address.slice(0, -1)}${commit.address.endsWith('1') ? '2' : '1'}`,
    ]
    for (const address of addresses)
      await expect(commitWallet(context, app, ada, { ...commit, address }), address).rejects.toEqual(invalid)
  })

  test('a Solana wallet has automatic recovery only, and no password', async () => {
    const { commit, pending, vault } = await made('solana')
    const place = { ...pending, appId }
    const { kept } = await vault.reshare(place, pending.sealingKey, 'password')
    const byPassword = await vault.proven(place, { ...commit, recovery: kept.recovery })
    await expect(commitWallet(context, app, ada, byPassword)).rejects.toMatchObject({
      code: 'disallowed_recovery_method',
    })
    await commitWallet(context, app, ada, commit)
  })
  describe('the Solana address of an Ethereum wallet', () => {
    const beside = appWith({ solanaBesideEthereum: true })
    type Made = Awaited<ReturnType<typeof made>>
    /** Creates the vault's proof that the keys of both vaults belong to one wallet. */
    async function prove(
      { pending, vault }: Pick<Made, 'pending' | 'vault'>,
      solana: Made['vault'],
      change: Partial<SolanaAddressToProve> = {},
    ) {
      const { walletId, userId } = pending
      const claim = { appId, userId, walletId, address: vault.address, solanaAddress: solana.address }
      const bytes = solanaAddressProofBytes({ ...claim, ...change })
      return {
        solanaAddress: solana.address,
        proof: await vault.signProof(bytes),
        solanaProof: await solana.signProof(bytes),
      }
    }
    const adding = ({ commit }: Pick<Made, 'commit'>, of = ada): WalletToken => ({
      ...of,
      step: { ...creating, purpose: 'solana-address', walletId: commit.walletId },
    })
    async function add() {
      const ethereum = await create('ethereum')
      const solana = await testVault('solana')
      await addSolanaAddress(context, beside, adding(ethereum), await prove(ethereum, solana))
      return { ethereum, solana }
    }

    // spec W3.2
    test('is rejected in an app without the setting', async () => {
      const ethereum = await create('ethereum')
      const proof = await prove(ethereum, await testVault('solana'))
      expect(app.config.solanaBesideEthereum).toBe(false)
      await expect(addSolanaAddress(context, app, adding(ethereum), proof)).rejects.toEqual(alreadyThere)
      expect(() => assertPurposeEnabled(app, 'solana-address')).toThrow(alreadyThere)
      expect(() => assertPurposeEnabled(beside, 'solana-address')).not.toThrow()
      expect(await accounts()).toMatchObject([{ chainType: 'ethereum' }])
    })

    test('is an account of the user beside the Ethereum wallet, with its recovery method', async () => {
      const { ethereum, solana } = await add()
      const now = Math.floor(context.clock.nowMs() / 1_000)
      const both = [
        { chainType: 'ethereum', address: ethereum.vault.address },
        {
          chainType: 'solana',
          address: solana.address,
          publicKey: solana.address,
          imported: false,
          walletClientType: 'latchkey',
          connectorType: 'embedded',
          firstVerifiedAt: now,
        },
      ]
      expect(await accounts()).toMatchObject(both)
      await context.db.updateTable('wallets').set({ recovery_method: 'user-passcode' }).execute()
      expect(
        (await accounts()).map((account) => account.type === 'wallet' && account.recoveryMethod),
      ).toEqual(['user-passcode', 'user-passcode'])
    })

    test('finds the Ethereum wallet with its shares', async () => {
      const { ethereum, solana } = await add()
      expect((await findCustodyByAddress(context.db, ada, solana.address))?.address).toBe(
        ethereum.vault.address,
      )
      expect(await findCustodyByAddress(context.db, ada, solana.address.toLowerCase())).toBeUndefined()
      expect(await committedWalletAt(context.db, ada, solana.address)).toEqual({
        id: ethereum.commit.walletId,
        address: solana.address,
      })
      expect(await isOwnWallet(context.db, appId, solana.address)).toBe(true)
      expect(await findWalletOwner(context.db, appId, solana.address)).toBe(ada.userId)
    })

    test('is registered once, and a repeated call changes nothing', async () => {
      const { ethereum, solana } = await add()
      const caller = adding(ethereum)
      await addSolanaAddress(context, beside, caller, await prove(ethereum, solana))
      const another = await prove(ethereum, await testVault('solana'))
      await expect(addSolanaAddress(context, beside, caller, another)).rejects.toEqual(alreadyThere)
      expect(await accounts()).toMatchObject([{}, { address: solana.address }])
      const events = await context.db.selectFrom('audit_log').select(['event', 'details']).execute()
      expect(events.filter(({ event }) => event === 'wallet.created')).toHaveLength(2)
    })

    test('is rejected unless the keys of both addresses signed this user, wallet and address', async () => {
      const ethereum = await create('ethereum')
      const [solana, other] = [await testVault('solana'), await testVault('solana')]
      const stranger = await testVault('ethereum')
      const whole = await prove(ethereum, solana)
      const foreign = await prove({ ...ethereum, vault: stranger }, solana)
      const proofs = [
        // A dialog that has a Solana key, but not the key of the wallet.
        { ...whole, proof: foreign.proof },
        await prove({ ...ethereum, vault: stranger }, solana, { address: ethereum.vault.address }),
        // A Solana address whose key did not sign.
        { ...whole, solanaProof: (await prove(ethereum, other)).solanaProof },
        { ...whole, solanaAddress: other.address },
        // Proofs for another user, wallet and app.
        await prove(ethereum, solana, { userId: 'usr_eve' }),
        await prove(ethereum, solana, { walletId: 'wal_another' }),
        await prove(ethereum, solana, { appId: 'b'.repeat(25) }),
        { ...whole, proof: ethereum.commit.proof },
        // A host can have the wallet sign any text.
        { ...whole, proof: await ethereum.vault.personalSign(whole.solanaAddress) },
        { ...whole, solanaProof: '0x' },
        { ...whole, proof: `0x${'00'.repeat(65)}` },
      ]
      for (const [index, proof] of proofs.entries())
        await expect(
          addSolanaAddress(context, beside, adding(ethereum), proof),
          String(index),
        ).rejects.toEqual(invalid)
      expect(await accounts()).toHaveLength(1)
      await addSolanaAddress(context, beside, adding(ethereum), whole)
    })

    test('is rejected for a user with a Solana wallet, which stays as it is', async () => {
      const solana = await create('solana')
      const ethereum = await create('ethereum')
      const proof = await prove(ethereum, await testVault('solana'))
      await expect(addSolanaAddress(context, beside, adding(ethereum), proof)).rejects.toEqual(alreadyThere)
      const onSolana = await prove(solana, await testVault('solana'))
      await expect(addSolanaAddress(context, beside, adding(solana), onSolana)).rejects.toMatchObject({
        code: 'not_supported',
      })
      expect(await accounts()).toMatchObject([{ chainType: 'ethereum' }, { address: solana.vault.address }])
    })

    test('replaces a Solana wallet that was begun before, and that one cannot be committed later', async () => {
      const begun = await made('solana')
      const { solana } = await add()
      await expect(begun.send()).rejects.toMatchObject({ code: 'embedded_wallet_not_found' })
      await expect(beginWallet(context, ada, 'solana')).rejects.toEqual(alreadyThere)
      expect(await accounts()).toMatchObject([{ chainType: 'ethereum' }, { address: solana.address }])
    })

    test('is rejected for an imported key, which derives nothing', async () => {
      const ethereum = await create('ethereum')
      await context.db.updateTable('wallets').set({ kind: 'imported-key' }).execute()
      const proof = await prove(ethereum, await testVault('solana'))
      await expect(addSolanaAddress(context, beside, adding(ethereum), proof)).rejects.toMatchObject({
        code: 'not_supported',
      })
    })

    test('is rejected if it belongs to another user of the app', async () => {
      const ethereum = await create('ethereum')
      const solana = await testVault('solana')
      await context.db
        .insertInto('users')
        .values({ id: 'usr_bob', app_id: appId, created_at: 1, accepted_terms_at: null })
        .execute()
      await context.db
        .insertInto('linked_accounts')
        .values({
          id: 'acc_bob',
          app_id: appId,
          user_id: 'usr_bob',
          type: 'wallet',
          identifier: solana.address,
          profile: '{}',
          verified_at: 1,
          first_verified_at: 1,
          latest_verified_at: 1,
        })
        .execute()
      await expect(
        addSolanaAddress(context, beside, adding(ethereum), await prove(ethereum, solana)),
      ).rejects.toMatchObject({ code: 'linked_to_another_user' })
    })

    test('goes with the wallet when its user is deleted', async () => {
      const { solana } = await add()
      await context.transaction((trx) => destroyWallets(trx, ada))
      expect(await findWalletOwner(context.db, appId, solana.address)).toBeUndefined()
      expect(await context.db.selectFrom('wallets').selectAll().execute()).toEqual([])
    })
  })
})
