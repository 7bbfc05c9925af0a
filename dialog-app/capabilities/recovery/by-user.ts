/** A browser without a share of a wallet whose user keeps what brings it back: they are asked for that. */
import { dialogLimits, LatchkeyError, type RecoveryMethod, type WalletAccount } from '@latchkey/protocol'
import type { DialogServices } from '../../app/services.ts'
import { withDeadline } from '../../browser/waiting.ts'
import { done, type Flow, type FlowHandle, failed } from '../../flow/flow.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import type { CallWallet, Remedy } from '../../wallet/wallet-obstacles.ts'
import { keptOtherwise } from './kept-otherwise.ts'

const recoverByUser = (
  { wallet, session, clock }: Pick<DialogServices, 'wallet' | 'session' | 'clock'>,
  method: RecoveryMethod,
  recovery: (account: WalletAccount, callWallet: CallWallet) => Flow<void>,
): Remedy => ({
  obstacle: 'wallet_not_on_device',
  helps: ({ account }) => account?.recoveryMethod === method,
  async overcome(call, callWallet) {
    const { account, card } = call
    if (account) {
      const { signal } = card
      // A server that is slow to say so keeps nobody from what is known here.
      const confirmed = withDeadline(
        clock,
        dialogLimits.askAnewMs,
        keptOtherwise(session, call, account),
        tooLate,
      ).catch(() => undefined)
      // Another tab may just have put a new share in the place of the old one: then nobody needs to be asked.
      const isHere = await wallet.connect(account.address, { signal }).then(
        () => true,
        () => false,
      )
      if (isHere) return callWallet(call)
      const changed = await confirmed
      if (changed) return callWallet(changed)
      await card.interrupt(recovery(account, callWallet))
    }
    return callWallet(call)
  },
})

/**
 * Recovers a wallet from what its user knows, or what a cloud or a device holds for them: `obtain` asks for it on a
 * screen of its own, and hands over what it is given, as often as it takes.
 */
export const recoverFrom = (
  ports: Pick<DialogServices, 'wallet' | 'session' | 'clock' | 'analytics'>,
  method: RecoveryMethod,
  obtain: (
    handle: FlowHandle<void>,
    use: (own: OwnRecovery) => Promise<void>,
    account: WalletAccount,
  ) => Promise<unknown>,
): Remedy =>
  recoverByUser(ports, method, (account, callWallet) => (handle) => {
    const { wallet, analytics } = ports
    const { signal } = handle
    async function use(own: OwnRecovery) {
      analytics('embedded_wallet_recovery_started')
      await callWallet({
        event: 'wallet:recover',
        account,
        card: handle,
        call: (verification) => wallet.recover(account.address, { signal, verification, own }),
      })
    }
    return {
      kind: 'recovery',
      async run() {
        await obtain(handle, use, account)
        analytics('embedded_wallet_recovery_completed')
        handle.end(done(undefined))
      },
      onClose: () => failed(leftUnopened()),
    }
  })

const tooLate = () => new LatchkeyError('call_timeout', 'The server did not say in time')
const leftUnopened = () =>
  new LatchkeyError('user_rejected_request', 'The user left without recovering the wallet')
