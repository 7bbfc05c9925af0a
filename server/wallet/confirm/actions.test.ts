/** Tests that account actions are approved like signatures: on the card or on the page, once, and for one action. */
import { createHash, randomBytes } from 'node:crypto'
import type { AccountAction, ConfirmationPlace, WalletPurpose } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MfaFixture, mfaFixture } from '../../account/verification/testing/fixture.ts'
import type { TestSession } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { decisionBody, newHandle } from './testing/confirming.ts'

const ok = { status: 200 }
const unknown = { status: 404, answer: { code: 'not_found' } }
const used = { status: 400, answer: { code: 'token_already_used' } }
const elsewhere = { status: 403, answer: { code: 'approval_required_elsewhere' } }
const rejected = { status: 403, answer: { code: 'user_rejected_request' } }
const unconfirmed = { status: 403, answer: { code: 'insufficient_scope' } }
const tokenAnswer = v.object({ token: v.string() })
const digestOf = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`

forEachEngine((database) => {
  let fixture: MfaFixture
  let session: TestSession
  let address: string
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    session = await fixture.browser.login('ada@example.com')
    address = await fixture.makeWallet(session)
  })

  type Asked = {
    handle?: string
    place?: ConfirmationPlace
    at?: string | null
    origin?: string | null
  }
  const put = (
    request: AccountAction,
    { handle = newHandle(), place = 'frame', at = address, origin = null }: Asked = {},
  ) =>
    fixture.browser.call('putConfirmation', {
      token: session.token,
      body: { handle, address: at, request, origin, place },
    })
  const askToken = (
    purpose: WalletPurpose,
    handle: string | null,
    of: TestSession = session,
    from = fixture.browser,
  ) =>
    from.call('walletToken', {
      token: of.token,
      body: {
        public_key: fixture.vault.publicKey,
        operation: { id: `op_${randomBytes(6).toString('hex')}`, step: 1 },
        purpose,
        address: purpose === 'export' || purpose === 'set-recovery' ? address : null,
        confirmation: handle,
      },
    })
  const tokenFor = async (purpose: WalletPurpose, handle: string | null) =>
    v.parse(tokenAnswer, (await askToken(purpose, handle)).answer).token
  const read = (handle: string) =>
    fixture.browser.call('readConfirmation', { body: { handle }, proof: 'none' })
  const decide = (handle: string, digest: string, decision: 'approve' | 'refuse') => {
    const body = decisionBody(fixture.browser.device, { appId: fixture.app.id, handle, digest, decision })
    return fixture.browser.call('decideConfirmation', { body, proof: 'none' })
  }

  const enrol = async () => {
    await fixture.beginTotp(fixture.inMfa(session))
    await fixture.context.db
      .updateTable('mfa_methods')
      .set({ status: 'enrolled', enrolled_at: 1 })
      .where('user_id', '=', session.user.id)
      .execute()
  }

  /** The call that performs each action with its token. */
  const cases = () =>
    [
      ['export', { method: 'export', params: [address] }, 'releaseShares', `["export","${address}"]`],
      [
        'set-recovery',
        { method: 'set-recovery', params: [address, 'passkey'] },
        'beginReshare',
        `["set-recovery","${address}","passkey"]`,
      ],
      ['delete-account', { method: 'delete-account', params: [] }, 'deleteAccount', '["delete-account"]'],
      ['mfa', { method: 'remove-method', params: ['sms'] }, 'unenrollSms', '["remove-method","sms"]'],
    ] as const satisfies readonly (readonly [WalletPurpose, AccountAction, string, string])[]

  test('each action has its own text, and is only valid for the token of its purpose', async () => {
    for (const [purpose, action, , text] of cases()) {
      const handle = newHandle()
      expect((await put(action, { handle })).answer).toEqual({
        digest: digestOf(`latchkey/wallet-proof/account-action/1\n${text}`),
        place: 'page',
        reason: 'account_action',
        usd: null,
        names: null,
        expires_in_seconds: 300,
      })
      expect(await askToken(purpose, handle)).toMatchObject(elsewhere)
      await fixture.browser.approve(handle)
      for (const other of ['export', 'set-recovery', 'delete-account', 'mfa'] as const) {
        expect(await askToken(other, handle), `${action.method} for ${other}`).toMatchObject(
          other === purpose ? ok : unknown,
        )
      }
    }
  })

  test('rejects an account action without an approval', async () => {
    expect(await askToken('export', null)).toMatchObject({ status: 422 })
    expect(await askToken('delete-account', null)).toMatchObject({ status: 422 })
    await enrol()
    const token = await tokenFor('mfa', null)
    expect(await fixture.browser.call('unenrollTotp', { token, body: {} })).toMatchObject(unconfirmed)
    expect(await fixture.methodsOf(session)).toHaveLength(1)
  })

  test('the removal of a second factor needs the approval for that factor', async () => {
    await enrol()
    const remove = async (method: 'totp' | 'sms') => {
      const handle = newHandle()
      await put({ method: 'remove-method', params: [method] }, { handle, at: null })
      await fixture.browser.approve(handle)
      return fixture.browser.call('unenrollTotp', { token: await tokenFor('mfa', handle), body: {} })
    }
    expect(await remove('sms')).toMatchObject(unknown)
    // It is approved, but not yet verified.
    expect(await remove('totp')).toMatchObject({ answer: { code: 'missing_or_invalid_mfa' } })
    expect(await fixture.methodsOf(session)).toHaveLength(1)
  })

  test('an approval is used once', async () => {
    const handle = newHandle()
    await put({ method: 'export', params: [address] }, { handle })
    await fixture.browser.approve(handle)
    const tokens = [await tokenFor('export', handle), await tokenFor('export', handle)]
    const released = await Promise.all(
      tokens.map((token) => fixture.browser.call('releaseShares', { token, body: {} })),
    )
    expect(released.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await askToken('export', handle)).toMatchObject(used)
  })

  test('an approval belongs to its session and expires after five minutes', async () => {
    const handle = newHandle()
    await put({ method: 'delete-account', params: [] }, { handle })
    await fixture.browser.approve(handle)
    const other = fixture.newBrowser()
    const second = await other.login('ada@example.com')
    expect(await askToken('delete-account', handle, second, other)).toMatchObject(unknown)
    fixture.context.clock.advanceSeconds(299)
    expect(await askToken('delete-account', handle)).toMatchObject(ok)
    fixture.context.clock.advanceSeconds(1)
    expect(await askToken('delete-account', handle)).toMatchObject(unknown)
  })

  test('an approved export is for the named wallet only', async () => {
    const other = '0x00000000000000000000000000000000000000aa'
    expect(await put({ method: 'export', params: [other] })).toMatchObject({ status: 422 })
    expect(await put({ method: 'export', params: [address] }, { at: null })).toMatchObject({ status: 422 })
    expect(await put({ method: 'export', params: [address] })).toMatchObject(ok)
  })

  describe('on the page', () => {
    test('performs no account action before the page approved it, and shows the account name there', async () => {
      for (const [purpose, action] of cases()) {
        const handle = newHandle()
        const origin = 'http://demo.localhost:4010'
        const placed = await put(action, { handle, place: 'page', origin })
        const { digest } = v.parse(v.object({ digest: v.string() }), placed.answer)
        expect(placed.answer).toMatchObject({ place: 'page', reason: 'account_action' })
        expect(await askToken(purpose, handle)).toMatchObject(elsewhere)
        expect((await read(handle)).answer).toEqual({
          state: 'open',
          request: action,
          app_name: fixture.app.name,
          chain: null,
          token: null,
          tokens: [],
          l1_fee: null,
          passkey: null,
          address,
          account: 'ada@example.com',
          digest,
          reason: 'account_action',
          usd: null,
          origin,
          expires_in_seconds: 300,
        })
        expect(await decide(handle, digest, 'approve')).toMatchObject({ answer: { state: 'approved' } })
        expect(await askToken(purpose, handle)).toMatchObject(ok)
      }
    })

    test('a refusal on the page ends the request and deletes no account', async () => {
      const handle = newHandle()
      const placed = await put({ method: 'delete-account', params: [] }, { handle, place: 'page' })
      const { digest } = v.parse(v.object({ digest: v.string() }), placed.answer)
      expect(await decide(handle, digest, 'refuse')).toMatchObject({ answer: { state: 'refused' } })
      expect(await askToken('delete-account', handle)).toMatchObject(rejected)
      expect(await fixture.browser.call('me', { token: session.token })).toMatchObject(ok)
    })

    test('an approval on the page deletes the account', async () => {
      const handle = newHandle()
      const placed = await put({ method: 'delete-account', params: [] }, { handle, place: 'page' })
      const { digest } = v.parse(v.object({ digest: v.string() }), placed.answer)
      await decide(handle, digest, 'approve')
      const token = await tokenFor('delete-account', handle)
      expect(await fixture.browser.call('deleteAccount', { token, body: {} })).toMatchObject(ok)
    })
  })

  test('a user without a wallet can be prompted too', async () => {
    const other = fixture.newBrowser()
    session = await other.login('bea@example.com')
    const handle = newHandle()
    const body = {
      handle,
      address: null,
      request: { method: 'delete-account', params: [] },
      origin: null,
      place: 'page',
    }
    expect(await other.call('putConfirmation', { token: session.token, body })).toMatchObject(ok)
    expect(await read(handle)).toMatchObject({ answer: { address: null, account: 'bea@example.com' } })
  })
})
