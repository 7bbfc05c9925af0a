/** Tests Farcaster signers over HTTP, with the API, the phones and the key registry of the sandbox. */

import { sql } from 'kysely'
import * as OTPAuth from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forkInto } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { missing } from '../verification/testing/fixture.ts'
import { signerEnvironment } from './environment.ts'
import { fidOf, newKey, openSandbox, type SignerFixture, signerFixture } from './testing/fixture.ts'

const sandbox = await openSandbox()
afterEach(() => sandbox.setFault('none'))

const hash = Buffer.alloc(20, 7).toString('base64url')
const refused = (status: number, code: string) => ({ status, answer: { code } })

forDefaultEngine((database) => {
  let fixture: SignerFixture
  beforeEach(async () => {
    fixture = await signerFixture(database(), sandbox)
    await fixture.link(fixture.session, fixture.fid)
  })

  /** A key that its account allows to write. */
  async function approvedKey() {
    const key = newKey()
    expect(await fixture.init(key)).toMatchObject({ status: 200 })
    await sandbox.act('approve')
    expect(await fixture.status(key)).toMatchObject({ status: 200, answer: { status: 'approved' } })
    return key
  }

  test('releases nothing in a session with an account that is new to the user', async () => {
    await approvedKey()
    const account_linked_at = Math.floor(fixture.context.clock.nowMs() / 1_000)
    await fixture.context.db.updateTable('sessions').set({ account_id: 'new', account_linked_at }).execute()
    const { call } = fixture.inOperation(fixture.session, {
      purpose: 'farcaster-signer',
      address: fixture.address,
    })
    expect(await call('releaseForSigner')).toMatchObject(refused(403, 'method_too_new'))
    expect(await fixture.sign({ hash, fid: fixture.fid })).toMatchObject(refused(403, 'method_too_new'))
    expect(await fixture.audited('farcaster.message_signed')).toEqual([])
  })

  describe('a signer', () => {
    // spec L3.28, L7.22, W7.35
    test('is requested in the name of the app, approved on a phone, and then registered for the account', async () => {
      const key = newKey()
      const asked = await fixture.init(key)
      expect(asked).toMatchObject({
        status: 200,
        answer: {
          public_key: key,
          status: 'pending_approval',
          signer_approval_url: expect.stringMatching(/^http.*\/farcaster\/signer\?token=/),
        },
      })
      expect(await fixture.status(key)).toMatchObject({
        status: 200,
        answer: { public_key: key, status: 'pending_approval' },
      })
      expect((await fixture.account()).signer_public_key).toBeUndefined()
      await sandbox.act('approve')
      const approved = { status: 200, answer: { public_key: key, status: 'approved', fid: fixture.fid } }
      expect(await fixture.status(key)).toMatchObject(approved)
      expect(await fixture.status(key)).toMatchObject(approved)
      expect(await fixture.account()).toMatchObject({ fid: fixture.fid, signer_public_key: key })
      expect(await fixture.audited('farcaster.signer_approved')).toMatchObject([{ fid: fixture.fid, key }])
    })

    test('returns the pending request again, and an approved signer without a request', async () => {
      const key = newKey()
      const first = Object((await fixture.init(key)).answer)
      const { asked } = await sandbox.counts()
      expect((await fixture.init(key)).answer).toEqual(first)
      await sandbox.act('approve')
      expect((await fixture.init(key)).answer).toEqual({
        public_key: key,
        status: 'approved',
        fid: fixture.fid,
      })
      expect((await sandbox.counts()).asked).toBe(asked)
      expect(await fixture.account()).toMatchObject({ signer_public_key: key })
    })

    test('requests an expired signer again with the same key', async () => {
      const key = newKey()
      const first = Object((await fixture.init(key)).answer)
      fixture.context.clock.advanceSeconds(24 * 60 * 60 - 10 * 60)
      // The session of the previous day is irrelevant here.
      const session = await fixture.browser.login('ada@example.com')
      const again = await fixture.init(key, session)
      expect(again).toMatchObject({ status: 200, answer: { public_key: key, status: 'pending_approval' } })
      expect(Object(again.answer).signer_approval_url).not.toBe(first.signer_approval_url)
    })

    test('stays pending until the chain has the key, for every API response', async () => {
      const key = newKey()
      await fixture.init(key)
      await sandbox.act('approve-slowly')
      expect(await fixture.status(key)).toMatchObject({ answer: { status: 'pending_approval' } })
      expect(await fixture.sign({ hash, fid: fixture.fid })).toMatchObject(refused(404, 'not_found'))
      await sandbox.act('approve')
      expect(await fixture.status(key)).toMatchObject({ answer: { status: 'approved' } })
    })

    test('is revoked permanently when its account removes it, and the next signer has another key', async () => {
      const key = await approvedKey()
      await sandbox.act('remove')
      expect(await fixture.status(key)).toMatchObject({ answer: { public_key: key, status: 'revoked' } })
      expect((await fixture.account()).signer_public_key).toBeUndefined()
      expect(await fixture.sign({ hash, fid: fixture.fid })).toMatchObject(refused(404, 'not_found'))
      const { call } = fixture.inOperation(fixture.session, {
        purpose: 'farcaster-signer',
        address: fixture.address,
      })
      expect(fixture.readReleased(await call('releaseForSigner')).key_index).toBe(1)
      expect(await call('initSigner', { ed25519_public_key: newKey() })).toMatchObject({
        answer: { status: 'pending_approval' },
      })
    })

    // spec L3.28
    test('reports a removed key as revoked on the next request', async () => {
      const key = await approvedKey()
      await sandbox.act('remove')
      expect((await fixture.init(key)).answer).toEqual({ public_key: key, status: 'revoked' })
    })

    test('revokes a signer that another account approved', async () => {
      const key = newKey()
      await fixture.init(key)
      await sandbox.act('approve', 'Ben Okri')
      expect(await fixture.status(key)).toMatchObject({ answer: { status: 'revoked' } })
      expect((await fixture.account()).signer_public_key).toBeUndefined()
    })

    test('keeps its state when the user denies it', async () => {
      const key = newKey()
      await fixture.init(key)
      await sandbox.act('deny')
      expect(await fixture.status(key)).toMatchObject({ answer: { status: 'pending_approval' } })
    })

    test('requires a Farcaster account and a wallet', async () => {
      const other = await fixture.browser.login('ben@example.com')
      const wallet = await fixture.makeWallet(other)
      expect(await fixture.init(newKey(), other, wallet)).toMatchObject(
        refused(404, 'linked_account_not_found'),
      )
      await fixture.link(other, fidOf('Ben Okri'))
      expect(await fixture.init(newKey(), other, wallet)).toMatchObject({ status: 200 })
    })

    test('does not exist for an imported key', async () => {
      await sql`update wallets set kind = 'imported-key'`.execute(fixture.context.db)
      expect(await fixture.init(newKey())).toMatchObject(refused(400, 'not_supported'))
    })

    test('is not requested by a server without a Farcaster account', async () => {
      signerEnvironment.parse({}, fixture.context.config.parts)
      expect(await fixture.init(newKey())).toMatchObject({
        status: 400,
        answer: { code: 'not_supported', details: { setting: 'FARCASTER_APP' } },
      })
    })

    test('reports one key, in the operation in which a share was released', async () => {
      const of = { purpose: 'farcaster-signer', address: fixture.address } as const
      const key = newKey()
      const nothing = fixture.inOperation(fixture.session, of)
      expect(await nothing.call('initSigner', { ed25519_public_key: key })).toMatchObject(
        refused(403, 'insufficient_scope'),
      )
      expect(await fixture.init(key)).toMatchObject({ status: 200 })
      expect(await fixture.init(newKey())).toMatchObject(refused(422, 'invalid_data'))
      expect(await fixture.init(key)).toMatchObject({ status: 200 })
    })

    test('is not returned to another user', async () => {
      const key = await approvedKey()
      const other = await fixture.browser.login('ben@example.com')
      expect(await fixture.status(key, other.token)).toMatchObject(refused(404, 'not_found'))
    })

    /** Simulates that the user unlinked their account and linked this one. */
    async function linkInstead(fid: number) {
      await fixture.context.db.deleteFrom('linked_accounts').where('type', '=', 'farcaster').execute()
      await fixture.link(fixture.session, fid)
    }

    test('is not returned to a user after another account was linked', async () => {
      const key = await approvedKey()
      await linkInstead(fidOf('Ben Okri'))
      expect(await fixture.status(key)).toMatchObject(refused(404, 'linked_account_not_found'))
      await linkInstead(fixture.fid)
      expect(await fixture.status(key)).toMatchObject({ status: 200, answer: { status: 'approved' } })
    })

    test('can only be requested for the account for which its share was released', async () => {
      const { call } = fixture.inOperation(fixture.session, {
        purpose: 'farcaster-signer',
        address: fixture.address,
      })
      expect(await call('releaseForSigner')).toMatchObject({ status: 200 })
      const { asked } = await sandbox.counts()
      const key = newKey()
      await linkInstead(fidOf('Ben Okri'))
      expect(await call('initSigner', { ed25519_public_key: key })).toMatchObject(
        refused(403, 'insufficient_scope'),
      )
      expect((await sandbox.counts()).asked).toBe(asked)
      await linkInstead(fixture.fid)
      expect(await call('initSigner', { ed25519_public_key: key })).toMatchObject({ status: 200 })
    })

    test('is added to an account again that was unlinked and linked', async () => {
      const key = await approvedKey()
      await fixture.link(fixture.session, fixture.fid)
      expect((await fixture.account()).signer_public_key).toBeUndefined()
      expect(await fixture.init(key)).toMatchObject({ answer: { status: 'approved' } })
      expect(await fixture.account()).toMatchObject({ signer_public_key: key })
    })

    test.each(['failing', 'garbage'])(
      'has an unknown state while the API is %s, and a known one afterwards',
      async (fault) => {
        const key = newKey()
        await sandbox.setFault(fault)
        expect(await fixture.init(key)).toMatchObject(refused(503, 'unavailable'))
        await sandbox.setFault('none')
        expect(await fixture.init(key)).toMatchObject({ status: 200 })
        await sandbox.setFault(fault)
        expect(await fixture.status(key)).toMatchObject(refused(503, 'unavailable'))
      },
    )

    test('reports a rate limit of the API, and an unknown state while the chain is unavailable', async () => {
      const key = newKey()
      await sandbox.setFault('too-many-requests')
      expect(await fixture.init(key)).toMatchObject(refused(429, 'too_many_requests'))
      await sandbox.setFault('none')
      await fixture.init(key)
      await sandbox.act('approve')
      fixture.opChain('http://127.0.0.1:1')
      expect(await fixture.status(key)).toMatchObject(refused(503, 'unavailable'))
    })

    test('is requested once, even if the call is repeated after a lost response', async () => {
      const key = newKey()
      const { call } = fixture.inOperation(fixture.session, {
        purpose: 'farcaster-signer',
        address: fixture.address,
      })
      await call('releaseForSigner')
      const { asked } = await sandbox.counts()
      const operation = fixture.newOperation()
      const token = await fixture.walletToken(fixture.session, {
        purpose: 'farcaster-signer',
        address: fixture.address,
        operation,
      })
      await fixture.browser.call('releaseForSigner', { token })
      const request = { token, body: { ed25519_public_key: key }, requestId: 'signer-once' }
      const first = await fixture.browser.call('initSigner', request)
      expect(first).toMatchObject({ status: 200 })
      expect((await fixture.browser.call('initSigner', request)).answer).toEqual(first.answer)
      expect((await sandbox.counts()).asked).toBe(asked + 1)
    })
  })

  describe('the share of a signer', () => {
    test('opens for the key or for one hash, and for no wallet signature', async () => {
      const { call, operation } = fixture.inOperation(fixture.session, {
        purpose: 'farcaster-signer',
        address: fixture.address,
      })
      const { wallet, auth_share } = fixture.readReleased(await call('releaseForSigner'))
      const context = {
        appId: fixture.app.id,
        userId: fixture.session.user.id,
        walletId: wallet.wallet_id,
        kind: 'entropy',
        chain: 'ethereum',
        generation: wallet.generation,
        role: 'auth',
        address: fixture.address,
      } as const
      const open = (digest: string | null) =>
        fixture.vault.open(auth_share, context, { id: operation, step: 1 }, digest, 'farcaster-signer')
      await expect(open(null)).rejects.toThrow()
      await expect(open(`0x${'00'.repeat(32)}`)).rejects.toThrow()
      await expect(open(`farcaster:${hash}`)).rejects.toThrow()
      expect((await open('farcaster:key')).length).toBeGreaterThan(16)
    })

    // spec W7.36
    test('is released for each hash, recorded, and only for the approved key', async () => {
      await approvedKey()
      const signing = await fixture.sign({ hash, fid: fixture.fid })
      expect(signing).toMatchObject({
        status: 200,
        answer: { key_index: 0, wallet: { address: fixture.address } },
      })
      expect(await fixture.audited('farcaster.message_signed')).toMatchObject([
        { fid: fixture.fid, hash, key_index: 0 },
      ])
      expect(await fixture.audited('wallet.share_released')).toMatchObject(
        expect.arrayContaining([expect.objectContaining({ purpose: 'farcaster-sign' })]),
      )
    })

    test('is not released before the approval, for another account, or for anything longer than a hash', async () => {
      expect(await fixture.sign({ hash, fid: fixture.fid })).toMatchObject(refused(404, 'not_found'))
      await approvedKey()
      expect(await fixture.sign({ hash, fid: fixture.fid + 1 })).toMatchObject(
        refused(404, 'linked_account_not_found'),
      )
      const digest = Buffer.alloc(32, 7).toString('base64url')
      expect(await fixture.sign({ hash: digest, fid: fixture.fid })).toMatchObject({ status: 422 })
      expect(await fixture.audited('farcaster.message_signed')).toEqual([])
    })

    test('requires a separate verification from a user with a second factor', async () => {
      await approvedKey()
      const call = fixture.inMfa(fixture.session)
      const { totpAuthUrl } = await fixture.beginTotp(call)
      const uri = OTPAuth.URI.parse(totpAuthUrl)
      const code = () => uri.generate({ timestamp: fixture.context.clock.nowMs() })
      expect(await call('enrollTotp', { code: code() })).toMatchObject({ status: 200 })
      expect(await fixture.sign({ hash, fid: fixture.fid })).toMatchObject(missing(['totp']))
      fixture.context.clock.advanceSeconds(30)
      const signing = fixture.inOperation(fixture.session, {
        purpose: 'farcaster-sign',
        address: fixture.address,
      })
      const mfa_token = fixture.tokenIn(await signing.call('verifyTotp', { code: code() }))
      expect(
        await signing.call('releaseToSignForFarcaster', { hash, fid: fixture.fid, mfa_token }),
      ).toMatchObject({ status: 200 })
      expect(await fixture.init(newKey())).toMatchObject(missing(['totp']))
    })

    test('is not released to a fork, neither for signing nor for a key', async () => {
      await approvedKey()
      const other = fixture.newBrowser()
      const fork = await forkInto(other, fixture.browser, fixture.session)
      const ask = (purpose: string) =>
        other.call('walletToken', {
          token: fork.token,
          body: {
            public_key: fixture.vault.publicKey,
            operation: { id: 'op_1', step: 1 },
            purpose,
            address: fixture.address,
            confirmation: null,
          },
        })
      expect(await ask('farcaster-sign')).toMatchObject(refused(403, 'device_not_bound'))
      expect(await ask('farcaster-signer')).toMatchObject(refused(403, 'device_not_bound'))
    })

    test('is not released by other releases of the wallet', async () => {
      const { call } = fixture.inOperation(fixture.session, {
        purpose: 'farcaster-sign',
        address: fixture.address,
      })
      expect(await call('releaseShares')).toMatchObject(refused(403, 'insufficient_scope'))
      const signing = fixture.inOperation(fixture.session, { purpose: 'sign', address: fixture.address })
      expect(await signing.call('releaseForSigner')).toMatchObject(refused(403, 'insufficient_scope'))
    })
  })
})

test.each([
  ['9152', false],
  [`0:0x${'5a'.repeat(32)}`, false],
  [`9152:${'5a'.repeat(32)}`, false],
  [`9152:0x${'5a'.repeat(32)}`, true],
])('FARCASTER_APP %j is valid: %j', (value, isRight) => {
  const parts = { description: 'a test' }
  expect(signerEnvironment.parse({ FARCASTER_APP: value }, parts).length === 0).toBe(isRight)
  expect(signerEnvironment.parse({}, parts)).toEqual([])
  expect(signerEnvironment.read({ parts })).toEqual({ FARCASTER_API_URL: 'https://api.farcaster.xyz' })
})
