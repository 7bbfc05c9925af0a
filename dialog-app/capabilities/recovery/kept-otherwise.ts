import { findEmbeddedWallet, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import type { Session } from '../../session/session.ts'
import type { WalletCall } from '../../wallet/wallet-obstacles.ts'

/**
 * Makes the same call with the wallet as the server has it now, where its user gave it another recovery than was known
 * here. They may have done so on another device, after the server was asked last. The call meets its obstacle again, so
 * that the remedy of that recovery gets past it.
 */
export async function keptOtherwise<Answer>(
  session: Pick<Session, 'reloadUser'>,
  call: WalletCall<Answer>,
  known: WalletAccount,
): Promise<WalletCall<Answer> | undefined> {
  const user = await session.reloadUser({ signal: call.card.signal })
  const account = user ? findEmbeddedWallet(user) : undefined
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
