/** Tests for each purpose of a wallet token: the statement, the approval, the released shares and the notice. */
import { type WalletPurpose, walletPurposes } from '@latchkey/protocol/wallet'
import { beforeEach, expect, test } from 'vitest'
import { type MfaFixture, mfaFixture } from '../../account/verification/testing/fixture.ts'
import type { TestSession } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { confirmMessage, confirmRequest, undelegationRequest } from '../confirm/testing/confirming.ts'

type Told = { recorded: string | null; mail: RegExp | null }
type Expected = {
  released: readonly string[]
  /** Whether its token names the digest of an approval. */
  approved: 'always' | 'never' | 'for a removal'
} & Told
const nobody: Told = { recorded: null, mail: null }

const expected: { [purpose in WalletPurpose]: Expected } = {
  create: { released: [], approved: 'never', ...nobody },
  import: { released: [], approved: 'always', ...nobody },
  connect: { released: [], approved: 'never', ...nobody },
  sign: { released: ['auth'], approved: 'always', recorded: 'wallet.signed', mail: null },
  'set-delegate': { released: ['auth'], approved: 'always', recorded: 'wallet.signed', mail: null },
  recover: {
    released: ['auth', 'recovery'],
    approved: 'never',
    recorded: 'wallet.recovered',
    mail: /was recovered on a new device/,
  },
  'set-recovery': { released: ['auth'], approved: 'always', recorded: 'wallet.share_released', mail: null },
  export: {
    released: ['auth'],
    approved: 'always',
    recorded: 'wallet.key_exported',
    mail: /The key of your wallet was exported/,
  },
  'solana-address': {
    released: ['auth'],
    approved: 'never',
    recorded: 'wallet.share_released',
    mail: null,
  },
  'farcaster-signer': {
    released: ['auth'],
    approved: 'never',
    recorded: 'wallet.share_released',
    mail: null,
  },
  'farcaster-sign': { released: ['auth'], approved: 'never', recorded: 'wallet.share_released', mail: null },
  mfa: { released: [], approved: 'for a removal', ...nobody },
  'delete-account': { released: [], approved: 'always', ...nobody },
}
const purposes = Object.keys(expected) as WalletPurpose[]
const approvals = { no: 'never', signature: 'always', action: 'always', removal: 'for a removal' } as const

test.each(purposes)('%s has the expected row', (purpose) => {
  const { releases, confirmed, recordedAs, mailed, vouchedBy } = walletPurposes[purpose]
  const { released, approved, recorded, mail } = expected[purpose]
  expect({
    released: releases,
    approved: approvals[confirmed],
    recorded: recordedAs,
    mailed,
    vouchedBy,
  }).toEqual({
    released,
    approved,
    recorded,
    mailed: mail !== null,
    vouchedBy: 'device',
  })
})

forDefaultEngine((database) => {
  let fixture: MfaFixture
  let session: TestSession
  let address: string
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    await fixture.set([['solana_beside_ethereum', true]])
    session = await fixture.browser.login('ada@example.com')
    address = await fixture.makeWallet(session)
  })
  const addressOf = (purpose: WalletPurpose) => (walletPurposes[purpose].wallet === 'named' ? address : null)
  const ask = (purpose: WalletPurpose, options: { statement?: object | 'none' } = {}) =>
    fixture.browser.call('walletToken', {
      token: session.token,
      body: {
        public_key: fixture.vault.publicKey,
        operation: { id: fixture.newOperation(), step: 1 },
        purpose,
        address: addressOf(purpose),
        confirmation: null,
      },
      ...options,
    })

  test.each(purposes)('for %s only the device key of the session signs the statement', async (purpose) => {
    const refused = { status: 403, answer: { code: 'device_not_bound' } }
    expect(await ask(purpose, { statement: 'none' })).toMatchObject(refused)
    // The device states this purpose only.
    const another = purpose === 'connect' ? 'recover' : 'connect'
    expect((await ask(purpose, { statement: { purpose: another } })).status).toBe(422)
  })

  test.each(purposes)('for %s an approval is required or not asked for', async (purpose) => {
    const { approved } = expected[purpose]
    const answered = await ask(purpose)
    if (approved !== 'always') return expect(answered.status).toBe(200)
    expect(answered).toMatchObject({
      status: 422,
      answer: { code: 'invalid_data', details: { path: 'confirmation' } },
    })
  })

  test('a token to sign is refused for a change of the delegate, and the reverse', async () => {
    const { browser, vault } = fixture
    const { token } = session
    const confirmed = {
      sign: await confirmMessage(browser, token, address),
      'set-delegate': await confirmRequest({ browser, token }, address, undelegationRequest(address)),
    }
    const tokenFor = (purpose: keyof typeof confirmed, confirmation: string) => {
      const operation = { id: fixture.newOperation(), step: 1 }
      const body = { public_key: vault.publicKey, operation, purpose, address, confirmation }
      return browser.call('walletToken', { token, body })
    }
    expect(await tokenFor('sign', confirmed['set-delegate'])).toMatchObject({ status: 404 })
    expect(await tokenFor('set-delegate', confirmed.sign)).toMatchObject({ status: 404 })
    expect(await tokenFor('set-delegate', confirmed['set-delegate'])).toMatchObject({ status: 200 })
  })

  test.each(purposes)('for %s releases the expected shares and notifies as expected', async (purpose) => {
    const { released, recorded, mail } = expected[purpose]
    const token = await fixture.walletToken(session, { purpose, address: addressOf(purpose) })
    const mailsBefore = fixture.context.mails.length
    const answered = await fixture.browser.call('releaseShares', { token, body: {} })
    const events = (
      await fixture.context.db
        .selectFrom('audit_log')
        .select('event')
        .where('event', 'in', [
          'wallet.signed',
          'wallet.recovered',
          'wallet.key_exported',
          'wallet.share_released',
        ])
        .execute()
    ).map(({ event }) => event)
    const subjects = fixture.context.mails.slice(mailsBefore).map(({ subject }) => subject)
    // The others have their own calls, or release nothing.
    if (!['sign', 'set-delegate', 'recover', 'export', 'solana-address'].includes(purpose)) {
      expect(answered).toMatchObject({ status: 403, answer: { code: 'insufficient_scope' } })
      expect([events, subjects]).toEqual([[], []])
      return
    }
    expect(answered.status).toBe(200)
    const { auth_share, recovery_share } = answered.answer as Record<string, unknown>
    expect([auth_share !== null && 'auth', recovery_share !== null && 'recovery'].filter(Boolean)).toEqual(
      released,
    )
    expect(events).toEqual([recorded])
    expect(subjects).toEqual(mail === null ? [] : [expect.stringMatching(mail)])
  })
})
