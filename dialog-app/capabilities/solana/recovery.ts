/** A browser without a share of the Solana wallet gets one, without asking the user for anything. */
import type { FlowPorts } from '../../core/ports.ts'
import type { Remedy } from '../../core/wallet-obstacles.ts'

export const recoverSolana = ({ wallet, analytics }: Pick<FlowPorts, 'wallet' | 'analytics'>): Remedy => ({
  obstacle: 'wallet_not_on_device',
  helps: ({ account }) => account?.chainType === 'solana',
  async overcome(call, callWallet) {
    const { account, card } = call
    if (account) {
      analytics('embedded_solana_wallet_pinless_recovery_started')
      await callWallet({
        event: 'solana-wallet:recover',
        account,
        card,
        async call(verification) {
          const solana = await wallet.solana()
          await solana.recover(account.address, { signal: card.signal, verification })
        },
      })
      analytics('embedded_solana_wallet_recovery_completed')
    }
    return callWallet(call)
  },
})
