/** Tests that recently added login methods recover no wallet on a new device without older evidence. */
import { randomBytes } from 'node:crypto'
import * as OTPAuth from 'otpauth'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MfaFixture, mfaFixture } from '../../account/verification/testing/fixture.ts'
import { setFields } from '../../identity/apps/manage.ts'
import { sessionAnswer, type TestBrowser, type TestSession } from '../../identity/sessions/testing/browser.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createKeyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { signedBy } from '../../login/siwe/testing/signed-by.ts'

const hour = 3_600
const tooNew = (until: number | null) => ({
  status: 403,
  answer: { code: 'method_too_new', details: { until } },
})

forDefaultEngine((database) => {
  let fixture: MfaFixture
  let owner: TestSession
  let address: string
  let accomplice: TestBrowser
  const added = createKeyWallet()
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    chains.set(fixture.context.ports, createRpcChains(new Map()))
    await setFields(fixture.context.db, fixture.context.clock, fixture.app.id, [['wallet_auth', true]])
    fixture.context.clock.advanceSeconds(5)
    owner = await fixture.browser.login('ada@example.com')
    address = await fixture.makeWallet(owner)
    accomplice = fixture.newBrowser()
    // Otherwise the new account would be as old as the user.
    fixture.context.clock.advanceSeconds(100 * hour)
  })

  const now = () => Math.floor(fixture.context.clock.nowMs() / 1_000)
  /** The first sessions of the owner have expired, so this one is new. */
  const again = async () => {
    owner = await fixture.browser.login('ada@example.com')
    return owner
  }
  const link = async () => {
    const { token } = await again()
    const linked = await fixture.browser.call('linkWallet', {
      token,
      body: await signedBy(added, fixture.browser, fixture.context),
    })
    expect(linked).toMatchObject({ status: 200 })
    return now()
  }
  const comeInWithAdded = async () => {
    const { answer } = await accomplice.call('loginWithSiwe', {
      body: await signedBy(added, accomplice, fixture.context),
    })
    const session = v.parse(sessionAnswer, answer)
    expect(session.user.id).toBe(owner.user.id)
    return session
  }
  const askToken = ({ token }: TestSession, from: TestBrowser, purpose = 'recover') =>
    from.call('walletToken', {
      token,
      body: {
        public_key: fixture.vault.publicKey,
        operation: { id: `op_${randomBytes(6).toString('hex')}`, step: 1 },
        purpose,
        address,
        confirmation: null,
      },
    })
  const released = async (session: TestSession, from: TestBrowser) => {
    const asked = await askToken(session, from)
    if (asked.status !== 200) return asked
    const { token } = v.parse(v.object({ token: v.string() }), asked.answer)
    return from.call('releaseShares', { token })
  }
  async function enrolTotp(session: TestSession, from = fixture.browser) {
    const call = fixture.inMfa(session, from)
    const totp = OTPAuth.URI.parse((await fixture.beginTotp(call)).totpAuthUrl)
    const code = () => totp.generate({ timestamp: fixture.context.clock.nowMs() })
    expect(await call('enrollTotp', { code: code() })).toMatchObject({ status: 200 })
    // Each code verifies once.
    fixture.context.clock.advanceSeconds(30)
    return code
  }
  /** Recovers with a verification by the method of this code. */
  async function recoveredWith(session: TestSession, from: TestBrowser, code: () => string) {
    const { call } = fixture.inOperation(session, { purpose: 'recover', address }, from)
    const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
    return call('releaseShares', { mfa_token })
  }

  describe('automatic recovery', () => {
    test('rejects automatic recovery after a login with an account linked less than 72 hours ago', async () => {
      const linkedAt = await link()
      const session = await comeInWithAdded()
      fixture.context.clock.advanceSeconds(60)
      expect(await askToken(session, accomplice)).toMatchObject(tooNew(linkedAt + 72 * hour))
      // Other calls are allowed.
      expect(await askToken(session, accomplice, 'connect')).toMatchObject({ status: 200 })
      // The sign-up account, from the same browser a moment later.
      const byFirst = await accomplice.login('ada@example.com')
      expect(await released(byFirst, accomplice)).toMatchObject({ status: 200 })
    })

    test('accepts that account from the last second of the 72 hours on, and not before', async () => {
      await link()
      fixture.context.clock.advanceSeconds(72 * hour - 1)
      expect(await released(await comeInWithAdded(), accomplice)).toMatchObject({ status: 403 })
      fixture.context.clock.advanceSeconds(1)
      expect(await released(await comeInWithAdded(), accomplice)).toMatchObject({ status: 200 })
    })

    test('accepts the sign-up account of a user who signed up an hour ago', async () => {
      const from = fixture.newBrowser()
      const newcomer = await from.login('grace@example.com')
      address = await fixture.makeWallet(newcomer, from)
      fixture.context.clock.advanceSeconds(hour)
      const second = fixture.newBrowser()
      expect(await released(await second.login('grace@example.com'), second)).toMatchObject({ status: 200 })
    })

    test('rejects a recovery with an account that was linked in the second of the sign-up', async () => {
      const from = fixture.newBrowser()
      owner = await from.login('grace@example.com')
      address = await fixture.makeWallet(owner, from)
      const body = await signedBy(added, from, fixture.context)
      expect(await from.call('linkWallet', { token: owner.token, body })).toMatchObject({ status: 200 })
      expect(await askToken(await comeInWithAdded(), accomplice)).toMatchObject(tooNew(now() + 72 * hour))
      const second = fixture.newBrowser()
      expect(await released(await second.login('grace@example.com'), second)).toMatchObject({ status: 200 })
    })

    test('rejects a token that was issued while the waiting period was disabled', async () => {
      const linkedAt = await link()
      const session = await comeInWithAdded()
      const change = async (hours: number) => {
        await setFields(fixture.context.db, fixture.context.clock, fixture.app.id, [
          ['new_method_hours', hours],
        ])
        fixture.context.clock.advanceSeconds(5)
      }
      await change(0)
      const { token } = v.parse(v.object({ token: v.string() }), (await askToken(session, accomplice)).answer)
      await change(10)
      expect(await accomplice.call('releaseShares', { token })).toMatchObject(tooNew(linkedAt + 10 * hour))
      await change(0)
      expect(await accomplice.call('releaseShares', { token })).toMatchObject({ status: 200 })
    })

    test('rejects an address that replaced the first one', async () => {
      const { token } = await again()
      const code = await fixture.browser.codeFor('mallory@example.com')
      const body = { oldAddress: 'ada@example.com', newAddress: 'mallory@example.com', code }
      expect(await fixture.browser.call('updateEmail', { token, body })).toMatchObject({ status: 200 })
      const session = await accomplice.login('mallory@example.com')
      expect(session.user.id).toBe(owner.user.id)
      expect(await askToken(session, accomplice)).toMatchObject(tooNew(now() + 72 * hour))
    })

    test('rejects automatic recovery in a session without a recorded login method', async () => {
      const session = await again()
      const nothing = { account_id: null, account_linked_at: null }
      await fixture.context.db.updateTable('sessions').set(nothing).execute()
      expect(await askToken(session, fixture.browser)).toMatchObject(tooNew(null))
      expect(await released(await again(), fixture.browser)).toMatchObject({ status: 200 })
    })
  })

  test('notifies every address of the user once after a recovery, and not after a rejected one', async () => {
    await link()
    const google = {
      id: 'google',
      app_id: fixture.app.id,
      user_id: owner.user.id,
      type: 'google_oauth',
      identifier: '110169484474386276334',
      verified_at: now(),
      first_verified_at: now(),
      latest_verified_at: now(),
    }
    const profile = (more: object) => JSON.stringify({ subject: google.identifier, ...more })
    const first = profile({ email: 'ada@gmail.example', emailVerified: true })
    await fixture.context.db
      .insertInto('linked_accounts')
      .values({ ...google, profile: first })
      .execute()
    const before = fixture.context.mails.length
    expect(await released(await comeInWithAdded(), accomplice)).toMatchObject({ status: 403 })
    expect(fixture.context.mails).toHaveLength(before)

    const session = await again()
    const begun = fixture.context.mails.length
    const request = {
      token: await fixture.walletToken(session, { purpose: 'recover', address }),
      body: {},
      requestId: 'recover-once',
    }
    expect(await fixture.browser.call('releaseShares', request)).toMatchObject({ status: 200 })
    // Its response was lost.
    expect(await fixture.browser.call('releaseShares', request)).toMatchObject({ status: 200 })
    const told = () => fixture.context.mails.slice(begun).map(({ to, subject }) => [to, subject])
    const subject = `Your wallet was recovered on a new device in ${fixture.app.name}`
    expect(told()).toEqual([
      ['ada@example.com', subject],
      ['ada@gmail.example', subject],
    ])
    const text = fixture.context.mails.at(-1)?.text
    expect(text).toContain('From now on it can be used there too, by anyone who is logged in there.')
    expect(text).not.toContain(address)

    // An unverified address of a provider may belong to another person.
    const unverified = profile({ email: 'ada@gmail.example', emailVerified: false })
    await fixture.context.db
      .updateTable('linked_accounts')
      .set({ profile: unverified })
      .where('id', '=', 'google')
      .execute()
    expect(await released(session, fixture.browser)).toMatchObject({ status: 200 })
    expect(told().slice(2)).toEqual([['ada@example.com', subject]])
  })

  describe('with a verification', () => {
    test('by a second factor of 72 hours a new account recovers the wallet, and by a newer one it does not', async () => {
      const code = await enrolTotp(await again())
      const enrolledAt = now() - 30
      const linkedAt = await link()
      const until = enrolledAt + 72 * hour
      expect(linkedAt).toBe(enrolledAt + 30)
      expect(await askToken(await comeInWithAdded(), accomplice)).toMatchObject(tooNew(until))
      fixture.context.clock.advanceSeconds(until - 1 - now())
      expect(await askToken(await comeInWithAdded(), accomplice)).toMatchObject(tooNew(until))
      fixture.context.clock.advanceSeconds(1)
      expect(await recoveredWith(await comeInWithAdded(), accomplice, code)).toMatchObject({ status: 200 })
    })

    test('a new account is prompted for a missing verification, with any second factor', async () => {
      await enrolTotp(await again())
      fixture.context.clock.advanceSeconds(72 * hour)
      await link()
      expect(await released(await comeInWithAdded(), accomplice)).toMatchObject({
        status: 401,
        answer: { code: 'missing_or_invalid_mfa' },
      })
    })

    test('by a new factor the older one of two is requested, and the verification can be used again', async () => {
      const code = await enrolTotp(await again())
      const older = { user_id: owner.user.id, app_id: fixture.app.id, id: 'older', method: 'sms' as const }
      await fixture.context.db
        .insertInto('mfa_methods')
        .values({ ...older, status: 'enrolled', last_step: 0, is_verified: 1, begun_at: 1, enrolled_at: 1 })
        .execute()
      const linkedAt = await link()
      const session = await comeInWithAdded()
      const { call } = fixture.inOperation(session, { purpose: 'recover', address }, accomplice)
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token })).toMatchObject({
        status: 403,
        answer: { code: 'method_too_new' },
      })
      fixture.context.clock.advanceSeconds(60)
      expect(now()).toBeLessThan(linkedAt + 72 * hour)
      await fixture.context.db.updateTable('mfa_methods').set({ enrolled_at: 1 }).execute()
      expect(await call('releaseShares', { mfa_token })).toMatchObject({ status: 200 })
    })

    test('a method with a recently changed passkey list counts as new', async () => {
      const code = await enrolTotp(await again())
      fixture.context.clock.advanceSeconds(72 * hour)
      await link()
      const changed = (changed_at: number | null) =>
        fixture.context.db.updateTable('mfa_methods').set({ changed_at }).execute()
      await changed(now() - 72 * hour + 1)
      expect(await askToken(await comeInWithAdded(), accomplice)).toMatchObject(tooNew(now() + 1))
      await changed(null)
      expect(await recoveredWith(await comeInWithAdded(), accomplice, code)).toMatchObject({ status: 200 })
    })
  })

  const approvals = [
    ['sign', 'releaseShares', true],
    ['export', 'releaseShares', true],
    ['set-recovery', 'beginReshare', true],
    ['delete-account', 'deleteAccount', false],
  ] as const

  describe('an approval', () => {
    type Row = (typeof approvals)[number]
    type Approval = readonly [Row[0], Row[1], boolean]
    const approve = (session: TestSession, from: TestBrowser, [purpose, route, isNamed]: Approval) =>
      fixture.inOperation(session, { purpose, address: isNamed ? address : null }, from).call(route)
    const refused = { status: 403, answer: { code: 'method_too_new' } }

    test.each(approvals)('of %s is rejected in a session of a new account', async (...approval) => {
      const linkedAt = await link()
      expect(await approve(await comeInWithAdded(), accomplice, approval)).toMatchObject(
        tooNew(linkedAt + 72 * hour),
      )
      expect(await approve(await again(), fixture.browser, approval)).toMatchObject({ status: 200 })
    })

    test('counts in a session of that account from the last second of the 72 hours on', async () => {
      await link()
      fixture.context.clock.advanceSeconds(72 * hour - 1)
      const [sign] = approvals
      expect(await approve(await comeInWithAdded(), accomplice, sign)).toMatchObject(refused)
      fixture.context.clock.advanceSeconds(1)
      expect(await approve(await comeInWithAdded(), accomplice, sign)).toMatchObject({ status: 200 })
    })

    test('counts in a session of a new account that an older factor verifies', async () => {
      const code = await enrolTotp(await again())
      fixture.context.clock.advanceSeconds(72 * hour)
      await link()
      const session = await comeInWithAdded()
      const { call } = fixture.inOperation(session, { purpose: 'sign', address }, accomplice)
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token })).toMatchObject({ status: 200 })
    })

    test('counts for a user who signed up an hour ago, with a first factor of a minute', async () => {
      const from = fixture.newBrowser()
      address = await fixture.makeWallet(await from.login('grace@example.com'), from)
      fixture.context.clock.advanceSeconds(hour)
      const newcomer = await from.login('grace@example.com')
      const code = await enrolTotp(newcomer, from)
      fixture.context.clock.advanceSeconds(60)
      const { call } = fixture.inOperation(newcomer, { purpose: 'sign', address }, from)
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token })).toMatchObject({ status: 200 })
    })
  })

  describe('a verification by a new factor, in a session of a new account,', () => {
    const removeTotp = async (session: TestSession, from: TestBrowser, code: () => string) => {
      const call = fixture.inMfa(session, from)
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      return call('unenrollTotp', { mfa_token })
    }
    test('removes no factor, but does so in a session of an older account', async () => {
      await link()
      const code = await enrolTotp(owner)
      const session = await comeInWithAdded()
      expect(await removeTotp(session, accomplice, code)).toMatchObject({
        status: 403,
        answer: { code: 'method_too_new' },
      })
      fixture.context.clock.advanceSeconds(30)
      expect(await removeTotp(await again(), fixture.browser, code)).toMatchObject({ status: 200 })
    })

    test.each(approvals)('does not approve: %s', async (purpose, route, isNamed) => {
      await link()
      const code = await enrolTotp(owner)
      const run = async (session: TestSession, from: TestBrowser) => {
        const { call } = fixture.inOperation(session, { purpose, address: isNamed ? address : null }, from)
        const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
        return call(route, { mfa_token })
      }
      expect(await run(await comeInWithAdded(), accomplice)).toMatchObject({
        status: 403,
        answer: { code: 'method_too_new' },
      })
      fixture.context.clock.advanceSeconds(30)
      expect(await run(await again(), fixture.browser)).toMatchObject({ status: 200 })
    })
  })
})
