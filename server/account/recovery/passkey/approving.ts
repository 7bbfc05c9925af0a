/** Approves requests by the recovery passkey, on pages that the opener policy isolates from the session's device key. */
import { consume } from '../../../kernel/attempts/attempts.ts'
import { nowSeconds, type Reader } from '../../../kernel/ports.ts'
import { challengeOfApproval, newChallenge, useUpAnswered } from '../../../login/passkey/passkey.ts'
import type { PasskeyApproval, WalletPasskey } from '../../../wallet/confirm/confirm.ts'
import { findWalletSlot, toCustody, updatePasskeyCounter } from '../../../wallet/wallets/wallets.ts'
import { getStoredPasskey, optionsFor, verifyStoredPasskey, withCounter } from './passkey.ts'

/** The challenges for one request. Beyond the limit, the confirmation page asks for a code instead. */
const approvingLimits = { challenges: [{ limit: 10, windowSeconds: 10 * 60 }] } as const

/** Finds the recovery passkey of the user's Ethereum wallet. The app may have disabled the method meanwhile. */
async function findRecoveryPasskey(reader: Reader, { app, userId }: PasskeyApproval) {
  const custody = toCustody(await findWalletSlot(reader, { appId: app.id, userId }, 'ethereum'))
  const storedPasskey = custody && getStoredPasskey(custody)
  return custody && storedPasskey !== undefined ? { wallet: custody.wallet, kept: storedPasskey } : undefined
}

export const approvingPasskey: WalletPasskey = {
  async createChallenge(context, approval) {
    const recovery = await findRecoveryPasskey(context.db, approval)
    if (recovery === undefined) return undefined
    const created = await context.transaction(async (trx) => {
      const allowance = await consume(trx, {
        key: `passkey-approval:${approval.request}`,
        quotas: approvingLimits.challenges,
        nowSeconds: nowSeconds(context.clock),
      })
      return allowance.allowed ? newChallenge(trx, context, challengeOfApproval(approval)) : undefined
    })
    return created && optionsFor(context, recovery.kept, created.challenge)
  },

  async verifyAssertion(context, approval, assertion) {
    const target = challengeOfApproval(approval)
    const challenge = await context.transaction((trx) => useUpAnswered(trx, context, target, assertion))
    const recovery = await findRecoveryPasskey(context.db, approval)
    if (challenge === undefined || recovery === undefined) return false
    const { wallet, kept } = recovery
    const checked = await verifyStoredPasskey(context, kept, challenge, assertion)
    if (checked.type === 'wrong') {
      context.log.info({ reason: checked.reason, why: checked.why }, 'Passkey approval failed')
      return false
    }
    // Compare-and-set: the passkey may have been replaced, and a repeated counter reveals a clone.
    const updated = withCounter(kept, checked.counter)
    return context.transaction((trx) => updatePasskeyCounter(trx, wallet, kept, updated))
  },
}
