/** Runs second factors over HTTP like the dialog and the wallet frame of one browser. */

import { randomBytes } from 'node:crypto'
import type { ChainType, MfaMethodType } from '@latchkey/protocol'
import type { AccountAction, UserRecovery, WalletPurpose } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import {
  type TestBrowser,
  type TestSession,
  testBrowser,
  testServer,
} from '../../../identity/sessions/testing/browser.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { TestContextChanges } from '../../../testing/context.ts'
import { appFixture } from '../../../testing/fixture.ts'
import {
  confirmAction,
  confirmMessage,
  confirmRequest,
  undelegationRequest,
} from '../../../wallet/confirm/testing/confirming.ts'
import { testVault } from '../../../wallet/wallets/testing/vault.ts'

const tokenAnswer = v.object({ token: v.string() })
const pendingAnswer = v.object({
  wallet_id: v.string(),
  generation: v.number(),
  sealing_key: v.object({ id: v.string(), public_key: v.string() }),
})
const begunAnswer = v.object({ totpSecret: v.string(), totpAuthUrl: v.string() })

export const wrong = {
  status: 401,
  answer: { error: 'MFA verification failed, retry.', code: 'missing_or_invalid_mfa' },
}
export const missing = (methods: readonly string[]) => ({
  status: 401,
  answer: { code: 'missing_or_invalid_mfa', details: { methods } },
})
export const spent = { status: 401, answer: { code: 'expired_or_invalid_mfa_token' } }

/** One step of an operation. */
export type StepOf = {
  purpose: WalletPurpose
  address?: string | null
  operation?: string
  step?: number
  /** The second factor whose removal the user approved. */
  removes?: MfaMethodType | undefined
  /** The recovery method that the user approved. */
  recovery?: UserRecovery | undefined
}
export type Call = (
  name: Parameters<TestBrowser['call']>[0],
  body?: unknown,
) => ReturnType<TestBrowser['call']>

const importedAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function actionOf(
  purpose: WalletPurpose,
  address: string | null,
  removes: MfaMethodType | undefined,
  recovery: UserRecovery = 'user-passcode',
): AccountAction | undefined {
  if (purpose === 'set-recovery' && address !== null) {
    return { method: 'set-recovery', params: [address, recovery] }
  }
  if (purpose === 'export' && address !== null) return { method: 'export', params: [address] }
  if (purpose === 'import') return { method: 'import', params: [importedAddress] }
  if (purpose === 'delete-account') return { method: 'delete-account', params: [] }
  return removes && { method: 'remove-method', params: [removes] }
}

const noPasskeys = v.object({ credential_ids: v.strictTuple([]) })

function removedBy(name: string, body: unknown): MfaMethodType | undefined {
  if (name === 'unenrollTotp') return 'totp'
  if (name === 'unenrollSms') return 'sms'
  return name === 'enrollPasskeys' && v.is(noPasskeys, body) ? 'passkey' : undefined
}

const mfaSettings = [
  ['mfa_methods', ['totp', 'sms', 'passkey']],
  ['passkey_auth', true],
  ['sms_auth', true],
] as const

export async function mfaFixture(database: Database, changes: Pick<TestContextChanges, 'config'> = {}) {
  const base = await appFixture(database, mfaSettings, changes)
  const { context, app, browser } = base
  const vault = await testVault()
  const newOperation = () => `op_${randomBytes(6).toString('hex')}`

  async function walletToken(
    session: TestSession,
    { purpose, address = null, operation = newOperation(), step = 1, removes, recovery }: StepOf,
    from = browser,
  ): Promise<string> {
    const { token } = session
    const action = actionOf(purpose, address, removes, recovery)
    async function confirmSignature() {
      if (address === null) return null
      if (purpose === 'set-delegate')
        return confirmRequest({ browser: from, token }, address, undelegationRequest(address))
      return purpose === 'sign' ? confirmMessage(from, token, address) : null
    }
    const confirmation = action
      ? await confirmAction({ browser: from, token }, action)
      : await confirmSignature()
    const body = {
      public_key: vault.publicKey,
      operation: { id: operation, step },
      purpose,
      address,
      confirmation,
    }
    return v.parse(tokenAnswer, (await from.call('walletToken', { token, body })).answer).token
  }

  /** Every call of one operation, each with its own wallet token. */
  function inOperation(session: TestSession, of: StepOf, from = browser) {
    const operation = of.operation ?? newOperation()
    let step = 0
    const call: Call = async (name, body = {}) => {
      step += 1
      const removes = removedBy(name, body)
      return from.call(name, {
        token: await walletToken(session, { removes, ...of, operation, step }, from),
        body,
      })
    }
    return { call, operation }
  }

  const tokenIn = (answered: { answer: unknown }) => v.parse(tokenAnswer, answered.answer).token

  return {
    ...base,
    vault,
    newOperation,
    /** A browser whose session ends on demand, right after its token was checked. */
    async endingSession() {
      let isEnding = false
      const behindTheDoor = testServer({
        ...context,
        async verifyToken(...asked) {
          const caller = await context.verifyToken(...asked)
          if (isEnding) await context.db.updateTable('sessions').set({ revoked_at: 1 }).execute()
          return caller
        },
      })
      const from = testBrowser(behindTheDoor, context, app)
      return {
        browser: from,
        session: await from.login('ada@example.com'),
        end() {
          isEnding = true
        },
      }
    },
    walletToken,
    inOperation,
    tokenIn,
    inMfa: (session: TestSession, from = browser) => inOperation(session, { purpose: 'mfa' }, from).call,

    async makeWallet(session: TestSession, from = browser, chain: ChainType = 'ethereum'): Promise<string> {
      const made = await testVault(chain)
      const { call } = inOperation(session, { purpose: 'create' }, from)
      const pending = v.parse(pendingAnswer, (await call('beginWallet', { chain_type: chain })).answer)
      const place = {
        appId: app.id,
        userId: session.user.id,
        walletId: pending.wallet_id,
        kind: 'entropy',
        chain,
        generation: pending.generation,
      } as const
      const { id, public_key: publicKey } = pending.sealing_key
      const { commit } = await made.commit(place, { id, publicKey })
      const committed = await call('commitWallet', {
        wallet_id: commit.walletId,
        generation: commit.generation,
        address: commit.address,
        sealing_key_id: commit.sealingKeyId,
        auth_share: commit.authShare,
        recovery: commit.recovery,
        proof: commit.proof,
      })
      if (committed.status !== 200) throw new Error(`No wallet: ${JSON.stringify(committed.answer)}`)
      return made.address
    },

    async beginTotp(call: Call) {
      return v.parse(begunAnswer, (await call('beginTotp')).answer)
    },

    methodsOf: async (session: TestSession, from = browser) => {
      const { answer } = await from.call('me', { token: session.token })
      return v.parse(v.object({ mfa_methods: v.array(v.looseObject({ type: v.string() })) }), answer)
        .mfa_methods
    },

    events: async () => {
      const rows = await context.db
        .selectFrom('audit_log')
        .select(['event', 'details'])
        .where('event', 'like', 'mfa.%')
        .orderBy('created_at')
        .orderBy('event')
        .execute()
      return rows.map(({ event, details }) => [event, JSON.parse(details)])
    },
  }
}
export type MfaFixture = Awaited<ReturnType<typeof mfaFixture>>
