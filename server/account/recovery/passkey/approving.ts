/** The passkey that keeps a wallet approves a request, on a page that is cut off from the device of the session. */
import { consume } from '../../../kernel/attempts/attempts.ts'
import { nowSeconds, type Reader } from '../../../kernel/ports.ts'
import { challengeOfApproval, newChallenge, useUpAnswered } from '../../../login/passkey/passkey.ts'
import type { AskedToApprove, WalletPasskey } from '../../../wallet/confirm/confirm.ts'
import { countPasskeyOn, custodyOf, findPlace } from '../../../wallet/wallets/wallets.ts'
import { checkKept, countedOn, keptIn, optionsFor } from './passkey.ts'

/** Challenges that are made for the passkey of a wallet to approve one request; then its page asks for a code. */
const approvingLimits = { challenges: [{ limit: 10, windowSeconds: 10 * 60 }] } as const

/** A passkey keeps only an Ethereum wallet. As for a recovery, the app may have turned that off meanwhile. */
async function keptOf(reader: Reader, { app, userId }: AskedToApprove) {
  const custody = custodyOf(await findPlace(reader, { appId: app.id, userId }, 'ethereum'))
  const kept = custody && keptIn(custody)
  return custody && kept !== undefined ? { wallet: custody.wallet, kept } : undefined
}

export const approvingPasskey: WalletPasskey = {
  async ask(context, asked) {
    const there = await keptOf(context.db, asked)
    if (there === undefined) return undefined
    const made = await context.transaction(async (trx) => {
      const allowance = await consume(trx, {
        key: `passkey-approval:${asked.request}`,
        budgets: approvingLimits.challenges,
        nowSeconds: nowSeconds(context.clock),
      })
      return allowance.allowed ? newChallenge(trx, context, challengeOfApproval(asked)) : undefined
    })
    return made && optionsFor(context, there.kept, made.challenge)
  },

  async isAnsweredBy(context, asked, answer) {
    const of = challengeOfApproval(asked)
    const challenge = await context.transaction((trx) => useUpAnswered(trx, context, of, answer))
    const there = await keptOf(context.db, asked)
    if (challenge === undefined || there === undefined) return false
    const { wallet, kept } = there
    const checked = await checkKept(context, kept, challenge, answer)
    if (checked.type === 'wrong') {
      context.log.info({ reason: checked.reason, why: checked.why }, 'A passkey did not approve a request')
      return false
    }
    // Another passkey may keep it by now, and of two answers with the same count one is a copy's.
    const counted = countedOn(kept, checked.counter)
    return context.transaction((trx) => countPasskeyOn(trx, wallet, kept, counted))
  },
}
