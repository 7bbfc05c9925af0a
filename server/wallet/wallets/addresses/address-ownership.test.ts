/** Tests that an address belongs to one user of an app, whether its key is imported, created, linked or used to log in. */
import type { AccountAction } from '@latchkey/protocol/wallet'
import { sql } from 'kysely'
import * as v from 'valibot'
import type { Address } from 'viem'
import { isAddress } from 'viem/utils'
import { beforeEach, expect, test } from 'vitest'
import { sessionAnswer, type TestBrowser } from '../../../identity/sessions/testing/browser.ts'
import { createRpcChains } from '../../../integrations/chains/rpc-chains.ts'
import type { TestWallet } from '../../../integrations/chains/testing/contract-wallets.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { type SiweFixture, siweFixture } from '../../../login/siwe/testing/fixture.ts'
import { approveAction } from '../../confirm/testing/approved.ts'
import { beginWallet } from '../begin.ts'
import { testVault } from '../testing/vault.ts'
import { commitWallet } from '../wallets.ts'
import { lockAddress } from './address-ownership.ts'

type Member = { userId: string; token: string; browser: TestBrowser }
type How = 'import' | 'create'

forEachEngine((database, engine) => {
  let fixture: SiweFixture
  /** The user's own key: in their vault, and in a wallet that logs them in. */
  let vault: Awaited<ReturnType<typeof testVault>>
  let wallet: TestWallet
  let ada: Member
  let bob: Member
  beforeEach(async () => {
    fixture = await siweFixture(database(), createRpcChains(new Map()))
    vault = await testVault()
    wallet = walletOf(vault)
    ada = await member('ada@example.com')
    bob = await member('bob@example.com')
  })

  const walletOf = ({ address, personalSign }: typeof vault): TestWallet => ({
    address: v.parse(ethereumAddress, address),
    sign: personalSign,
  })
  async function member(email: string, browser = fixture.newBrowser()): Promise<Member> {
    const { token, user } = await browser.login(email)
    return { userId: user.id, token, browser }
  }
  async function callerFor({ userId }: Pick<Member, 'userId'>, purpose: How) {
    const { context, app } = fixture
    const { id: sessionId } = await context.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const operation = { id: 'op_1', step: 1 }
    const step = { vaultKey: '', operation, purpose, walletId: null, confirmed: null }
    return {
      appId: app.id,
      userId,
      sessionId,
      isFork: false,
      scope: 'wallet',
      step,
      keyThumbprint: 'd'.repeat(43),
      language: 'en',
    } as const
  }
  async function madeBy(who: Pick<Member, 'userId'>, purpose: How = 'import', of = vault) {
    const caller = await callerFor(who, purpose)
    const pending = await beginWallet(fixture.context, caller, 'ethereum')
    if (pending.status !== 'pending') throw new Error('There is a wallet already')
    const { commit } = await of.commit({ ...pending, appId: fixture.app.id }, pending.sealingKey)
    return async () => {
      const { context, app } = fixture
      const action: AccountAction = { method: 'import', params: [commit.address] }
      const confirmed = purpose === 'import' ? await approveAction(context, app, caller, action) : null
      return commitWallet(context, app, { ...caller, step: { ...caller.step, confirmed } }, commit)
    }
  }
  const keep = async (who: Pick<Member, 'userId'>, purpose?: How, of?: typeof vault) =>
    (await madeBy(who, purpose, of))()
  const link = async ({ token, browser }: Member) =>
    browser.call('linkWallet', { token, body: await fixture.signedByNow(wallet, {}, browser) })
  const loginWithWallet = async (browser = fixture.newBrowser()) =>
    fixture.login(await fixture.signedByNow(wallet, {}, browser), browser)

  const taken = {
    status: 400,
    answer: {
      code: 'linked_to_another_user',
      error: 'This account has already been linked to another user.',
    },
  }
  const refusal = { code: 'linked_to_another_user' }
  const keepers = async () =>
    (
      await fixture.context.db.selectFrom('wallets').selectAll().where('status', '=', 'committed').execute()
    ).map(({ user_id }) => user_id)
  const linkers = async () =>
    (
      await fixture.context.db
        .selectFrom('linked_accounts')
        .select('user_id')
        .where('type', '=', 'wallet')
        .execute()
    ).map(({ user_id }) => user_id)

  test('a wallet of another user of the app can neither be imported nor created', async () => {
    for (const first of ['import', 'create'] as const) {
      for (const second of ['import', 'create'] as const) {
        await fixture.context.db.deleteFrom('wallets').execute()
        await keep(ada, first)
        await expect(keep(bob, second)).rejects.toMatchObject(refusal)
        expect(await keepers()).toEqual([ada.userId])
      }
    }
  })

  test('a wallet that another user of the app has linked can neither be imported nor created', async () => {
    expect(await link(ada)).toMatchObject({ status: 200 })
    for (const how of ['import', 'create'] as const) {
      await expect(keep(bob, how)).rejects.toMatchObject(refusal)
    }
    expect(await keepers()).toEqual([])
  })

  test('a refused import leaves the slot free for another key', async () => {
    await keep(ada)
    await expect(keep(bob)).rejects.toMatchObject(refusal)
    const place = await fixture.context.db
      .selectFrom('wallets')
      .select(['status', 'address', 'auth_share', 'recovery_share'])
      .where('user_id', '=', bob.userId)
      .executeTakeFirstOrThrow()
    expect(place).toEqual({ status: 'pending', address: null, auth_share: null, recovery_share: null })
    expect(await fixture.audited('wallet.imported')).toMatchObject([{ userId: ada.userId }])
    await keep(bob, 'import', await testVault())
    expect(await keepers()).toEqual(expect.arrayContaining([ada.userId, bob.userId]))
  })

  test('a user can import their linked wallet, and can still log in with it', async () => {
    await link(ada)
    await keep(ada)
    const { answer } = await ada.browser.call('me', { token: ada.token })
    expect(v.parse(accountsAnswer, answer).linked_accounts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'wallet', address: vault.address, wallet_client: 'unknown' }),
        expect.objectContaining({ type: 'wallet', address: vault.address, imported: true }),
      ]),
    )
    expect(v.parse(sessionAnswer, (await loginWithWallet()).answer).user.id).toBe(ada.userId)
  })

  test('unlinking an imported wallet removes only the link', async () => {
    await link(ada)
    await keep(ada)
    const { answer } = await ada.browser.call('unlinkWallet', {
      token: ada.token,
      body: { address: vault.address },
    })
    expect(answer).toMatchObject({
      linked_accounts: [{ type: 'email' }, { type: 'wallet', imported: true, address: vault.address }],
    })
  })

  test('a user can link their imported wallet, and other users cannot', async () => {
    await keep(ada)
    expect(await link(bob)).toMatchObject(taken)
    expect(await linkers()).toEqual([])
    expect(await link(ada)).toMatchObject({ status: 200 })
    expect(await linkers()).toEqual([ada.userId])
  })

  test('an imported wallet logs in no user until its owner links it', async () => {
    await keep(ada)
    expect(await loginWithWallet()).toMatchObject(taken)
    expect(await linkers()).toEqual([])
    expect(await fixture.context.db.selectFrom('users').select('id').execute()).toHaveLength(2)
    await link(ada)
    expect(v.parse(sessionAnswer, (await loginWithWallet()).answer).user.id).toBe(ada.userId)
  })

  test('a user who logged in with a wallet before another user imported it can still log in', async () => {
    const { user } = v.parse(sessionAnswer, (await loginWithWallet()).answer)
    // Such rows were written before imports were refused.
    const pending = await madeBy(ada)
    await fixture.context.db
      .updateTable('linked_accounts')
      .set({ identifier: 'away' })
      .where('user_id', '=', user.id)
      .execute()
    await pending()
    await fixture.context.db
      .updateTable('linked_accounts')
      .set({ identifier: vault.address.toLowerCase() })
      .where('user_id', '=', user.id)
      .execute()
    expect(v.parse(sessionAnswer, (await loginWithWallet()).answer).user.id).toBe(user.id)
  })

  test('the same address can belong to other users of other apps', async () => {
    await keep(ada)
    const there = await fixture.newApp()
    const browser = fixture.newBrowser(there)
    expect(await loginWithWallet(browser)).toMatchObject({ status: 200 })
  })

  test('an address is free again after its user was deleted', async () => {
    await keep(ada)
    await fixture.context.transaction((trx) =>
      fixture.context.capabilities.forget(trx, {
        appId: fixture.app.id,
        userId: ada.userId,
        identifiers: [],
        nowSeconds: 0,
      }),
    )
    await keep(bob)
    expect(await keepers()).toEqual([bob.userId])
  })

  test('only one of several users imports the same key at once, and the others leave no partial row', async () => {
    const members = [ada, bob]
    for (const name of ['cy', 'dora', 'eve', 'finn']) members.push(await member(`${name}@example.com`))
    const commits = await Promise.all(members.map((who) => madeBy(who)))
    const outcomes = await Promise.allSettled(commits.map((commit) => commit()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refusal)
    }
    const [keeper] = await keepers()
    expect(await keepers()).toHaveLength(1)
    expect(await fixture.audited('wallet.imported')).toMatchObject([{ userId: keeper }])
    const rows = await fixture.context.db.selectFrom('wallets').selectAll().execute()
    expect(rows.filter(({ address, auth_share }) => address !== null || auth_share !== null)).toHaveLength(1)
  })

  test('one of a concurrent import, link and login with the same wallet by different users succeeds', async () => {
    const visitor = fixture.newBrowser()
    const signed = await fixture.signedByNow(wallet, {}, visitor)
    const body = await fixture.signedByNow(wallet, {}, bob.browser)
    const commit = await madeBy(ada)
    const [imported, linked, loggedIn] = await Promise.all([
      commit().then(
        () => undefined,
        (error: unknown) => error,
      ),
      bob.browser.call('linkWallet', { token: bob.token, body }),
      fixture.login(signed, visitor),
    ])
    const [kept, owned] = [await keepers(), await linkers()]
    if (imported) expect(imported).toMatchObject(refusal)
    if (linked.status !== 200) expect(linked).toMatchObject(taken)
    // A login after the link logs in as the linking user.
    if (loggedIn.status !== 200) expect(loggedIn).toMatchObject(taken)
    expect([...kept, ...owned]).toHaveLength(1)
    expect(kept).toEqual(imported ? [] : [ada.userId])
    expect(await fixture.audited('wallet.imported')).toHaveLength(kept.length)
    const users = await fixture.context.db.selectFrom('users').select('id').execute()
    expect(users).toHaveLength(imported && linked.status !== 200 ? 3 : 2)
  })

  test('waits while another user takes the address, and is then rejected', async () => {
    const { context, app } = fixture
    const visitor = fixture.newBrowser()
    const commit = await madeBy(bob)
    await madeBy(ada)
    const coming: Readonly<Record<string, { begin: () => Promise<unknown>; told: object }>> = {
      import: { begin: () => commit().catch((error: unknown) => error), told: refusal },
      link: { begin: () => link(bob), told: taken },
      login: { begin: () => loginWithWallet(visitor), told: taken },
    }
    for (const { begin, told } of Object.values(coming)) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const { promise: holding, resolve: holds } = Promise.withResolvers<void>()
      const first = context.transaction(async (trx) => {
        await lockAddress(trx, context.clock, app.id, vault.address)
        await trx
          .updateTable('wallets')
          .set({ status: 'committed', address: vault.address })
          .where('user_id', '=', ada.userId)
          .execute()
        holds()
        await released
      })
      await holding
      const second = begin()
      if (engine === 'postgres') await expect.poll(waitingForLocks).toBe(1)
      release()
      await first
      expect(await second).toMatchObject(told)
      await context.db
        .updateTable('wallets')
        .set({ status: 'pending', address: null })
        .where('user_id', '=', ada.userId)
        .execute()
    }
    expect([...(await keepers()), ...(await linkers())]).toEqual([])
  })

  /** An embedded database has one writer, so no other transaction is open. */
  async function waitingForLocks() {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(fixture.context.db)
    return rows[0]?.waiting
  }
})

const accountsAnswer = v.object({ linked_accounts: v.array(v.unknown()) })
const ethereumAddress = v.custom<Address>((text) => isAddress(String(text)))
