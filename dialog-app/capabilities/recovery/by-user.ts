/** Recovers a wallet with a recovery method that the user keeps: asks them for it on a screen of its own. */
import {
  dialogLimits,
  findEmbeddedWallet,
  LatchkeyError,
  type RecoveryMethod,
  type WalletAccount,
} from '@latchkey/protocol'
import { type CallScreens, createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import { withDeadline } from '../../browser/waiting.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import type { CallWallet, Remedy } from '../../wallet/wallet-obstacles.ts'
import { keptOtherwise } from './kept-otherwise.ts'

/** Asks the user for the secret, and passes it on until it has worked. */
type Obtain = (
  call: CallScreens,
  use: (own: OwnRecovery) => Promise<void>,
  account: WalletAccount,
) => Promise<void>

export const recoverFrom = (services: DialogServices, method: RecoveryMethod, obtain: Obtain): Remedy => ({
  obstacle: 'wallet_not_on_device',
  helps: ({ account }) => account?.recoveryMethod === method,
  async overcome(call, callWallet) {
    const { wallet, session, clock } = services
    const { account: named, card } = call
    if (named) {
      const { signal } = card
      const state = session.state()
      // Only a Solana address that an Ethereum wallet derives has such a method, so that wallet is recovered.
      const deriving = state.status === 'authenticated' && findEmbeddedWallet(state.user)
      const account = (named.chainType === 'solana' && deriving) || named
      // A slow server does not delay a recovery that is known here.
      const confirmed = withDeadline(
        clock,
        dialogLimits.askAnewMs,
        keptOtherwise(session, call, named),
        tooLate,
      ).catch(() => undefined)
      // Another tab may have recovered the share already. The user then need not enter the secret.
      const isHere = await wallet.connect(account.address, { signal }).then(
        () => true,
        () => false,
      )
      if (isHere) return callWallet(call)
      const changed = await confirmed
      if (changed) return callWallet(changed)
      await card.interrupt(createRecoveryCall(services, account, callWallet, obtain))
    }
    return callWallet(call)
  },
})

const createRecoveryCall = (
  services: DialogServices,
  account: WalletAccount,
  callWallet: CallWallet,
  obtain: Obtain,
): Flow<void> =>
  createCall<void>(services, { kind: 'recovery', onClose: () => failed(leftUnopened()) }, async (call) => {
    const { wallet, analytics } = services
    const { signal } = call
    async function use(own: OwnRecovery) {
      analytics('embedded_wallet_recovery_started')
      await callWallet({
        event: 'wallet:recover',
        account,
        card: call,
        call: (verification) => wallet.recover(account.address, { signal, verification, own }),
      })
    }
    await obtain(call, use, account)
    analytics('embedded_wallet_recovery_completed')
  })

const tooLate = () => new LatchkeyError('call_timeout', 'The server did not say in time')
const leftUnopened = () =>
  new LatchkeyError('user_rejected_request', 'The user left without recovering the wallet')
