/** A browser without a share of the wallet gets one, without asking the user for anything. */
import type { FlowPorts } from '../../core/ports.ts'
import type { Remedy } from '../../core/wallet-obstacles.ts'

export const recoverAutomatically = ({
  wallet,
  analytics,
}: Pick<FlowPorts, 'wallet' | 'analytics'>): Remedy => ({
  obstacle: 'wallet_not_on_device',
  helps: ({ account }) =>
    account?.chainType === 'ethereum' &&
    (account.recoveryMethod === undefined || account.recoveryMethod === 'latchkey'),
  async overcome(call, callWallet) {
    const { account, card } = call
    if (account) {
      analytics('embedded_wallet_pinless_recovery_started')
      await callWallet({
        event: 'wallet:recover',
        account,
        card,
        call: (verification) => wallet.recover(account.address, { signal: card.signal, verification }),
      })
      analytics('embedded_wallet_recovery_completed')
    }
    return callWallet(call)
  },
})
