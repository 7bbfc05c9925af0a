/** A browser without a share of the wallet gets one, without asking the user for anything. */
import type { FlowPorts } from '../../core/ports.ts'
import type { Remedy } from '../../core/wallet-obstacles.ts'

export const recoverAutomatically = ({
  wallet,
  analytics,
}: Pick<FlowPorts, 'wallet' | 'analytics'>): Remedy => ({
  obstacle: 'wallet_not_on_device',
  helps: ({ recoveryMethod }) => recoveryMethod === undefined || recoveryMethod === 'latchkey',
  async remove(call, callWallet) {
    analytics('embedded_wallet_pinless_recovery_started')
    await callWallet({
      ...call,
      call: (verification) =>
        wallet.recover(call.account.address, { signal: call.card.signal, verification }),
    })
    analytics('embedded_wallet_recovery_completed')
    return undefined
  },
})
