import { toLatchkeyError } from '@latchkey/protocol'
import { sql } from 'kysely'
import * as OTPAuth from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { requireOlderMethod } from '../../identity/new-methods/new-methods.ts'
import { forkInto, type TestSession } from '../../identity/sessions/testing/browser.ts'
import { linkAccount } from '../../identity/users/users.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forEachEngine, runsAllTests } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { enrolledMethod } from '../verification/testing/enrolled.ts'
import { type MfaFixture, mfaFixture, missing, spent } from '../verification/testing/fixture.ts'
import { deleteUser } from './deletion.ts'

const done = { status: 200, answer: { success: true } }
const gone = { status: 401, answer: { code: 'missing_or_invalid_token' } }

forEachEngine((database, engine) => {
  let fixture: MfaFixture
  let session: TestSession
  let address: string
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    session = await fixture.browser.login('ada@example.com')
    address = await fixture.makeWallet(session)
  })

  const leaving = (of = session, from = fixture.browser) =>
    fixture.inOperation(of, { purpose: 'delete-account' }, from)
  const leave = (body: unknown = {}, of = session, from = fixture.browser) =>
    leaving(of, from).call('deleteAccount', body)
  const release = (token: string, from = fixture.browser) => from.call('releaseShares', { token })
  const tokenToSign = (of = session) => fixture.walletToken(of, { purpose: 'sign', address })
  const tokenToRecover = (of = session) => fixture.walletToken(of, { purpose: 'recover', address })

  /** Returns the tables whose rows contain this text. */
  async function tablesWith(text: string) {
    const found: string[] = []
    for (const { name } of await database().db.introspection.getTables()) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(database().db)
      if (JSON.stringify(rows).includes(text)) found.push(name)
    }
    return found.sort()
  }
  const rowOf = (userId: string) =>
    fixture.context.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  const livingSessionsOf = (userId: string) =>
    fixture.context.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .execute()

  async function enrol(of = session) {
    const call = fixture.inMfa(of)
    const { totpAuthUrl } = await fixture.beginTotp(call)
    const app = OTPAuth.URI.parse(totpAuthUrl)
    const code = () => app.generate({ timestamp: fixture.context.clock.nowMs() })
    expect(await call('enrollTotp', { code: code() })).toMatchObject({ status: 200 })
    fixture.context.clock.advanceSeconds(30)
    return code
  }

  test('removes the number of the second factor everywhere, and notifies e-mail addresses only', async () => {
    const { context, app } = fixture
    const [verifying, phone] = ['+1 2025550123', '+1 2025550199']
    const of = { id: 'phone', app_id: app.id, user_id: session.user.id } as const
    await context.db
      .insertInto('mfa_methods')
      .values({ ...enrolledMethod({ ...of, method: 'sms' }), phone_number: verifying })
      .execute()
    await context.db
      .insertInto('known_browsers')
      .values({ app_id: app.id, identifier: verifying, binding: 'a browser', last_seen_at: 1 })
      .execute()
    const account = await context.db.selectFrom('linked_accounts').selectAll().executeTakeFirstOrThrow()
    await context.db
      .insertInto('linked_accounts')
      .values({ ...account, ...of, type: 'phone', identifier: phone })
      .execute()
    const { forget } = context.capabilities
    const who = { appId: app.id, userId: session.user.id, sessionId: null, verified: null }
    const tellAt = await context.transaction((trx) => deleteUser(trx, { clock: context.clock, forget }, who))
    expect(tellAt).toEqual(['ada@example.com'])
    expect(await tablesWith(verifying)).toEqual([])
  })

  describe('runs concurrently', () => {
    /** Prepares everything except the last call, so that only this call runs concurrently. */
    async function confirmedDeletion(of = session, from = fixture.browser) {
      const token = await fixture.walletToken(of, { purpose: 'delete-account' }, from)
      return () => from.call('deleteAccount', { token, body: {} })
    }

    test('with releases: each release before it is complete, or nothing is released', async () => {
      const tokens = await Promise.all(Array.from({ length: 6 }, () => tokenToRecover()))
      const deletion = await confirmedDeletion()
      const [left, ...released] = await Promise.all([deletion(), ...tokens.map((token) => release(token))])
      expect(left).toMatchObject(done)
      for (const { status } of released) expect([200, 401, 404]).toContain(status)
      const [token = ''] = tokens
      expect(await release(token)).toMatchObject(gone)
      expect(await fixture.context.db.selectFrom('wallets').selectAll().execute()).toEqual([])
    })

    test('a check of the login method that runs after the deletion reports an ended session', async () => {
      const [login] = await livingSessionsOf(session.user.id)
      expect(await leave()).toMatchObject(done)
      const evidence = {
        app: { login: { ...fixture.app.login, newMethodHours: 72 } },
        caller: { sessionId: login?.id ?? expect.unreachable(), userId: session.user.id },
        verifiedBy: undefined,
      }
      await expect(requireOlderMethod(fixture.context.db, fixture.context, evidence)).rejects.toMatchObject({
        code: 'missing_or_invalid_token',
      })
    })

    test('with logins: only the new user is logged in afterwards, and no session of the old one is active', async () => {
      const browsers = Array.from({ length: 4 }, () => fixture.newBrowser())
      const codes: string[] = []
      for (const each of browsers) codes.push(await each.codeFor('ada@example.com'))
      const deletion = await confirmedDeletion()
      const [left, ...logins] = await Promise.all([
        deletion(),
        ...browsers.map((each, at) =>
          each.call('loginWithEmailCode', { body: { email: 'ada@example.com', code: codes[at] } }),
        ),
      ])
      expect(left).toMatchObject(done)
      for (const { status } of logins) expect([200, 401, 403, 422]).toContain(status)
      expect(await livingSessionsOf(session.user.id)).toEqual([])
      const accounts = await fixture.context.db.selectFrom('linked_accounts').select('user_id').execute()
      expect(accounts.map(({ user_id }) => user_id)).not.toContain(session.user.id)
    })

    test('with another deletion: both report success or an ended session, and it runs once', async () => {
      const other = fixture.newBrowser()
      const elsewhere = await other.login('ada@example.com')
      const deletions = [await confirmedDeletion(), await confirmedDeletion(elsewhere, other)]
      const both = await Promise.all(deletions.map((deletion) => deletion()))
      for (const { status } of both) expect([200, 401]).toContain(status)
      expect(both.map(({ status }) => status)).toContain(200)
      const entries = await fixture.context.db
        .selectFrom('audit_log')
        .select('id')
        .where('event', '=', 'user.deleted')
        .execute()
      expect(entries).toHaveLength(1)
    })

    test('with the linking of an account: the account is free afterwards', async () => {
      const owner = { appId: fixture.app.id, userId: session.user.id, sessionId: 'ses_1' }
      const link = (username: string) =>
        fixture.context
          .transaction((trx) =>
            linkAccount(trx, fixture.context, owner, {
              type: 'github_oauth',
              identifier: username,
              profile: { subject: username, username },
            }),
          )
          .catch((error: unknown) => toLatchkeyError(error, 'error', '').code)
      const deletion = await confirmedDeletion()
      const [left, linked] = await Promise.all([deletion(), link('ada')])
      expect(left).toMatchObject(done)
      expect([expect.objectContaining({ type: 'linked' }), 'must_be_authenticated']).toContainEqual(linked)
      expect(await fixture.context.db.selectFrom('linked_accounts').selectAll().execute()).toEqual([])
      expect(await link('lovelace')).toBe('must_be_authenticated')
    })
  })

  describe('retention', () => {
    const clean = () =>
      cleanUp({ db: database().db, engine }, fixture.context.clock, collectExpiryRules(capabilities))
    const ofUser = async (userId: string) => [
      await rowOf(userId),
      await fixture.context.db.selectFrom('audit_log').select('id').where('user_id', '=', userId).execute(),
    ]

    test('deletes the rows after 30 days with the audit entries of that user only', async () => {
      const other = fixture.newBrowser()
      const elsewhere = await other.login('grace@example.com')
      expect(await leave()).toMatchObject(done)
      fixture.context.clock.advanceSeconds(30 * 86_400 - 1)
      await clean()
      expect(await rowOf(session.user.id)).toBeDefined()
      fixture.context.clock.advanceSeconds(1)
      await clean()
      await clean()
      expect(await ofUser(session.user.id)).toEqual([undefined, []])
      const [user, entries] = await ofUser(elsewhere.user.id)
      expect(user).toBeDefined()
      expect(entries).not.toEqual([])
    })

    test('deletes the row at once if the app retains no deleted users', async () => {
      const { context, app } = fixture
      await setFields(context.db, context.clock, app.id, [['deleted_users_kept_days', 0]])
      expect(await leave()).toMatchObject(done)
      await clean()
      await clean()
      expect(await ofUser(session.user.id)).toEqual([undefined, []])
    })

    test('keeps the row for the number of days that the app configures', async () => {
      const { context, app } = fixture
      for (const wrong of [-1, 1.5, '30', null, 3_651]) {
        const set = setFields(context.db, context.clock, app.id, [['deleted_users_kept_days', wrong]])
        await expect(set).rejects.toThrow('deleted_users_kept_days must be a whole number')
      }
      await setFields(context.db, context.clock, app.id, [['deleted_users_kept_days', 7]])
      expect(await leave()).toMatchObject(done)
      const { deleted_at, kept_until } = (await rowOf(session.user.id)) ?? {}
      expect((kept_until ?? 0) - (deleted_at ?? 0)).toBe(7 * 86_400)
    })
  })

  test("a deletion frees a slot of the app's user limit", async () => {
    const { context, app } = fixture
    await setFields(context.db, context.clock, app.id, [['max_users', 1]])
    context.clock.advanceSeconds(5)
    const other = fixture.newBrowser()
    const code = await other.codeFor('grace@example.com')
    const body = { email: 'grace@example.com', code }
    expect(await other.call('loginWithEmailCode', { body })).toMatchObject({
      answer: { code: 'max_accounts_reached' },
    })
    expect(await leave()).toMatchObject(done)
    expect((await other.login('grace@example.com')).user.id).toBeDefined()
  })

  if (!runsAllTests(engine)) return

  test('destroys every share and all other data of the user, so that nothing is released or recovered', async () => {
    const recovering = await tokenToRecover()
    const signing = await tokenToSign()
    await fixture.inOperation(session, { purpose: 'set-recovery', address }).call('beginReshare')
    expect(await leave()).toMatchObject(done)
    expect(await release(recovering)).toMatchObject(gone)
    expect(await release(signing)).toMatchObject(gone)
    expect(await tablesWith(address.slice(2))).toEqual([])
    expect(await fixture.context.db.selectFrom('wallets').selectAll().execute()).toEqual([])
    expect(await fixture.context.db.selectFrom('wallet_reshares').selectAll().execute()).toEqual([])
    const now = Math.floor(fixture.context.clock.nowMs() / 1_000)
    expect(await rowOf(session.user.id)).toEqual({
      id: session.user.id,
      app_id: fixture.app.id,
      created_at: now,
      accepted_terms_at: null,
      first_account_id: null,
      blocked_at: null,
      block_reason: null,
      deleted_at: now,
      kept_until: now + 30 * 86_400,
    })
  })

  test('stores the address only for retries of the call, for two minutes', async () => {
    await fixture.browser.codeFor('ada@example.com')
    expect(await tablesWith('ada@example.com')).toEqual(
      expect.arrayContaining(['codes', 'known_browsers', 'linked_accounts']),
    )
    expect(await leave()).toMatchObject(done)
    const counted = ['attempts', 'request_replays']
    expect((await tablesWith('ada@example.com')).filter((name) => !counted.includes(name))).toEqual([])
    expect(await tablesWith(session.user.id)).toEqual(
      expect.arrayContaining(['audit_log', 'sessions', 'users']),
    )
    const known = ['analytics_events', 'attempts', 'audit_log', 'request_replays', 'sessions', 'users']
    expect((await tablesWith(session.user.id)).filter((name) => !known.includes(name))).toEqual([])
  })

  test('ends every session and fork, and their refresh tokens with them', async () => {
    const other = fixture.newBrowser()
    const elsewhere = await other.login('ada@example.com')
    const third = fixture.newBrowser()
    const fork = await forkInto(third, other, elsewhere)
    expect(await leave()).toMatchObject(done)
    for (const [from, { refresh_token, token }] of [
      [fixture.browser, session],
      [third, fork],
    ] as const) {
      expect(await from.call('refreshSession', { token, body: { refresh_token } })).toMatchObject({
        status: 401,
      })
      expect(await from.call('me', { token })).toMatchObject(gone)
    }
    expect(await livingSessionsOf(session.user.id)).toEqual([])
  })

  test('frees the address for a new user without a wallet', async () => {
    expect(await leave()).toMatchObject(done)
    const browser = fixture.newBrowser()
    const anew = await browser.login('ada@example.com')
    expect(anew.user.id).not.toBe(session.user.id)
    expect(anew.user).toMatchObject({
      linked_accounts: [{ type: 'email', address: 'ada@example.com' }],
      mfa_methods: [],
    })
    const another = await fixture.makeWallet(anew, browser)
    expect(another).not.toBe(address)
  })

  test('sends a mail, and writes an audit entry without an address', async () => {
    expect(await leave()).toMatchObject(done)
    expect(fixture.context.mails.at(-1)).toMatchObject({
      to: 'ada@example.com',
      subject: 'Your Fieldnotes account was deleted',
      text: expect.stringContaining('cannot be recovered'),
    })
    const [entry] = await fixture.context.db
      .selectFrom('audit_log')
      .selectAll()
      .where('event', '=', 'user.deleted')
      .execute()
    expect(entry).toMatchObject({ user_id: session.user.id, app_id: fixture.app.id })
    expect(JSON.parse(entry?.details ?? '')).toEqual({ by: 'user', verified: null })
  })

  test('returns the stored response to a retry although the session is gone, and runs once', async () => {
    const token = await fixture.walletToken(session, { purpose: 'delete-account' })
    const call = () =>
      fixture.browser.call('deleteAccount', { token, body: {}, requestId: 'the-same-id-again' })
    expect(await call()).toMatchObject(done)
    const mails = fixture.context.mails.length
    expect(await call()).toMatchObject(done)
    expect(fixture.context.mails).toHaveLength(mails)
    expect(await fixture.browser.call('deleteAccount', { token, body: {} })).toMatchObject(gone)
    expect(
      await fixture.browser.call('deleteAccount', { token, body: {}, requestId: 'another-id' }),
    ).toMatchObject(gone)
  })

  describe('if the user has a second factor', () => {
    test('consumes a verification of this operation', async () => {
      const code = await enrol()
      expect(await leave()).toMatchObject(missing(['totp']))
      const signing = fixture.inOperation(session, { purpose: 'sign', address })
      const forSigning = fixture.tokenIn(await signing.call('verifyTotp', { code: code() }))
      expect(await leave({ mfa_token: forSigning })).toMatchObject(spent)
      expect(await rowOf(session.user.id)).toMatchObject({ deleted_at: null })

      fixture.context.clock.advanceSeconds(30)
      const { call } = leaving()
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('deleteAccount', { mfa_token })).toMatchObject(done)
      expect(await fixture.context.db.selectFrom('mfa_methods').selectAll().execute()).toEqual([])
    })
  })

  describe('is rejected', () => {
    test('for a fork, and with a token of another purpose', async () => {
      const second = fixture.newBrowser()
      const fork = await forkInto(second, fixture.browser, session)
      const asked = {
        public_key: fixture.vault.publicKey,
        operation: { id: 'op_1', step: 1 },
        address: null,
        confirmation: null,
      }
      expect(
        await second.call('walletToken', {
          token: fork.token,
          body: { ...asked, purpose: 'delete-account' },
        }),
      ).toMatchObject({ status: 403, answer: { code: 'device_not_bound' } })
      const token = await fixture.walletToken(session, { purpose: 'mfa' })
      expect(await fixture.browser.call('deleteAccount', { token, body: {} })).toMatchObject({
        status: 403,
        answer: { code: 'insufficient_scope' },
      })
      expect(await rowOf(session.user.id)).toMatchObject({ deleted_at: null })
    })

    test('for a session that was logged out after it got its token', async () => {
      const token = await fixture.walletToken(session, { purpose: 'delete-account' })
      const { refresh_token } = session
      await fixture.browser.call('logout', { token: session.token, body: { refresh_token } })
      expect(await fixture.browser.call('deleteAccount', { token, body: {} })).toMatchObject(gone)
      expect(await rowOf(session.user.id)).toMatchObject({ deleted_at: null })
    })
  })

  test('an operator deletes a user without their session', async () => {
    const { clock, capabilities: own, transaction } = fixture.context
    const leaving = { appId: fixture.app.id, userId: session.user.id, sessionId: null, verified: null }
    const remove = () => transaction((trx) => deleteUser(trx, { clock, forget: own.forget }, leaving))
    await remove()
    expect(await livingSessionsOf(session.user.id)).toEqual([])
    expect(await tablesWith(address.slice(2))).toEqual([])
    await expect(remove()).rejects.toMatchObject({ code: 'must_be_authenticated' })
  })
})
