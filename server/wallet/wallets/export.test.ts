/** Tests the key export: its requirements, the released share, and the notice. */
import * as OTPAuth from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MfaFixture, mfaFixture, missing, spent } from '../../account/verification/testing/fixture.ts'
import { forkInto, type TestSession } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'

forDefaultEngine((database) => {
  let fixture: MfaFixture
  let session: TestSession
  let address: string
  const email = 'leaver@example.com'
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    session = await fixture.browser.login(email)
    address = await fixture.makeWallet(session)
  })

  const audit = async (event: string) => {
    const rows = await fixture.context.db
      .selectFrom('audit_log')
      .select(['event', 'user_id', 'details'])
      .where('event', '=', event)
      .execute()
    return rows.map(({ user_id, details }) => ({ user: user_id, ...JSON.parse(details) }))
  }
  const enroll = async () => {
    const call = fixture.inMfa(session)
    const { totpAuthUrl } = await fixture.beginTotp(call)
    const uri = OTPAuth.URI.parse(totpAuthUrl)
    const code = () => uri.generate({ timestamp: fixture.context.clock.nowMs() })
    expect(await call('enrollTotp', { code: code() })).toMatchObject({ status: 200 })
    // Its step is used, so the next code belongs to the next step.
    fixture.context.clock.advanceSeconds(30)
    return code
  }
  const exporting = () => fixture.inOperation(session, { purpose: 'export', address })

  describe('an export', () => {
    test("releases only the server's share, writes an audit entry, and sends one mail", async () => {
      const before = fixture.context.mails.length
      const token = await fixture.walletToken(session, { purpose: 'export', address })
      const request = { token, body: {}, requestId: 'export-once' }
      const answered = { status: 200, answer: { wallet: { address }, recovery_share: null } }
      expect(await fixture.browser.call('releaseShares', request)).toMatchObject(answered)
      // Its response was lost.
      expect(await fixture.browser.call('releaseShares', request)).toMatchObject(answered)
      expect(await audit('wallet.key_exported')).toMatchObject([
        { user: session.user.id, purpose: 'export', verified: null },
      ])
      const mails = fixture.context.mails.slice(before)
      expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
        [email, `The key of your wallet was exported from ${fixture.app.name}`],
      ])
      expect(JSON.stringify(mails)).not.toContain(address)
    })

    test('a signature sends no export mail and writes no export audit entry', async () => {
      const before = fixture.context.mails.length
      const { call } = fixture.inOperation(session, { purpose: 'sign', address })
      expect(await call('releaseShares')).toMatchObject({ status: 200 })
      expect(fixture.context.mails).toHaveLength(before)
      expect(await audit('wallet.key_exported')).toEqual([])
    })

    // spec W4.21
    test('requires a separate verification from a user with a second factor', async () => {
      const code = await enroll()
      const before = fixture.context.mails.length
      const { call } = exporting()
      expect(await call('releaseShares')).toMatchObject(missing(['totp']))
      const signing = fixture.inOperation(session, { purpose: 'sign', address })
      const ofSignature = fixture.tokenIn(await signing.call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token: ofSignature })).toMatchObject(spent)
      expect(fixture.context.mails).toHaveLength(before)
      expect(await audit('wallet.key_exported')).toEqual([])

      fixture.context.clock.advanceSeconds(30)
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token })).toMatchObject({ status: 200 })
      expect(await call('releaseShares', { mfa_token })).toMatchObject(spent)
      expect(await audit('wallet.key_exported')).toMatchObject([{ verified: 'totp' }])
    })

    test('is refused to a forked session', async () => {
      const other = fixture.newBrowser()
      const fork = await forkInto(other, fixture.browser, session)
      const ask = (purpose: string) =>
        other.call('walletToken', {
          token: fork.token,
          body: {
            public_key: fixture.vault.publicKey,
            operation: { id: 'op_1', step: 1 },
            purpose,
            address,
            confirmation: null,
          },
        })
      expect(await ask('export')).toMatchObject({ status: 403, answer: { code: 'device_not_bound' } })
    })
  })
})
