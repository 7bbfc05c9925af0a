import { findEmbeddedWallet, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import type { Session } from '../../session/session.ts'
import type { WalletCall } from '../../wallet/wallet-obstacles.ts'

/**
 * Returns the call with the reloaded wallet if its recovery method has changed, for example on another device. The first
 * run of that call fails with `wallet_not_on_device`, so that the remedy of the present method runs.
 */
export async function keptOtherwise<Answer>(
  session: Pick<Session, 'reloadUser'>,
  call: WalletCall<Answer>,
  known: WalletAccount,
): Promise<WalletCall<Answer> | undefined> {
  const user = await session.reloadUser({ signal: call.card.signal })
  const account = user ? findEmbeddedWallet(user, known.chainType) : undefined
  if (account?.address !== known.address || account.recoveryMethod === known.recoveryMethod) return undefined
  let isAway = true
  return {
    ...call,
    account,
    async call(verification) {
      if (isAway) {
        isAway = false
        throw new LatchkeyError('wallet_not_on_device', 'The recovery of this wallet is another one by now')
      }
      return call.call(verification)
    },
  }
}
