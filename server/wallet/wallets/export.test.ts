/** A key that goes to its user: what it takes, what it gives, and who is told. */
import * as OTPAuth from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type MfaWorld,
  mfaTestTables,
  mfaWorld,
  missing,
  spent,
} from '../../account/verification/testing/world.ts'
import { forkInto, type TestSession } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'

forEachEngine((database) => {
  let world: MfaWorld
  let session: TestSession
  let address: string
  const email = 'leaver@example.com'
  beforeEach(async () => {
    world = await mfaWorld(database())
    session = await world.browser.login(email)
    address = await world.makeWallet(session)
  })

  const audit = async (event: string) => {
    const rows = await world.context.db
      .selectFrom('audit_log')
      .select(['event', 'user_id', 'details'])
      .where('event', '=', event)
      .execute()
    return rows.map(({ user_id, details }) => ({ user: user_id, ...JSON.parse(details) }))
  }
  const enroll = async () => {
    const call = world.inMfa(session)
    const { totpAuthUrl } = await world.beginTotp(call)
    const uri = OTPAuth.URI.parse(totpAuthUrl)
    const code = () => uri.generate({ timestamp: world.context.clock.nowMs() })
    expect(await call('enrollTotp', { code: code() })).toMatchObject({ status: 200 })
    // Its step is used: the next code is of the next one.
    world.context.clock.advanceSeconds(30)
    return code
  }
  const exporting = () => world.inOperation(session, { purpose: 'export', address })

  describe('an export', () => {
    test('releases the share of the server alone, is written down, and told by mail once', async () => {
      const before = world.context.mails.length
      const token = await world.walletToken(session, { purpose: 'export', address })
      const request = { token, body: {}, requestId: 'export-once' }
      const answered = { status: 200, answer: { wallet: { address }, recovery_share: null } }
      expect(await world.browser.call('releaseShares', request)).toMatchObject(answered)
      // Its answer was lost.
      expect(await world.browser.call('releaseShares', request)).toMatchObject(answered)
      expect(await audit('wallet.key_exported')).toMatchObject([
        { user: session.user.id, purpose: 'export', verified: null },
      ])
      const mails = world.context.mails.slice(before)
      expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
        [email, `The key of your wallet was exported from ${world.app.name}`],
      ])
      expect(JSON.stringify(mails)).not.toContain(address)
    })

    test('is no signature: that tells nobody and writes no export down', async () => {
      const before = world.context.mails.length
      const { call } = world.inOperation(session, { purpose: 'sign', address })
      expect(await call('releaseShares')).toMatchObject({ status: 200 })
      expect(world.context.mails).toHaveLength(before)
      expect(await audit('wallet.key_exported')).toEqual([])
    })

    // spec W4.21
    test('takes a verification of its own from a user who has a method', async () => {
      const code = await enroll()
      const before = world.context.mails.length
      const { call } = exporting()
      expect(await call('releaseShares')).toMatchObject(missing(['totp']))
      const signing = world.inOperation(session, { purpose: 'sign', address })
      const ofSignature = world.tokenIn(await signing.call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token: ofSignature })).toMatchObject(spent)
      expect(world.context.mails).toHaveLength(before)
      expect(await audit('wallet.key_exported')).toEqual([])

      world.context.clock.advanceSeconds(30)
      const mfa_token = world.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token })).toMatchObject({ status: 200 })
      expect(await call('releaseShares', { mfa_token })).toMatchObject(spent)
      expect(await audit('wallet.key_exported')).toMatchObject([{ verified: 'totp' }])
    })

    test('is not for a forked session', async () => {
      const other = world.newBrowser()
      const fork = await forkInto(other, world.browser, session)
      const ask = (purpose: string) =>
        other.call('walletToken', {
          token: fork.token,
          body: {
            public_key: world.vault.publicKey,
            operation: { id: 'op_1', step: 1 },
            purpose,
            address,
            confirmation: null,
          },
        })
      expect(await ask('export')).toMatchObject({ status: 403, answer: { code: 'device_not_bound' } })
    })
  })
}, mfaTestTables)
