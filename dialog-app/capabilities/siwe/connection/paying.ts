/** Pays an amount to an address with an external wallet, without a login. */
import { dialogLimits, LatchkeyError } from '@latchkey/protocol'
import { createCall } from '../../../app/screen-stack.ts'
import type { DialogServices } from '../../../app/services.ts'
import type { WalletPayment } from '../../../contract/funds.ts'
import { done, exitCodes, type Flow, failed } from '../../../flow/flow.ts'
import { awaitingPaymentScreen, payFromScreen } from '../screens.ts'
import type { WalletSources } from '../sources/sources.ts'
import { createWalletChoice } from './choose-wallet.ts'
import type { Connected } from './use-wallet-connection.ts'

type Paid = 'sent' | 'left'

export function createPaymentCall(
  services: DialogServices,
  sources: WalletSources,
  { to, chain, value, amount }: WalletPayment,
): Flow<Paid> {
  let isSent = false

  async function pay({ wallet, connector, account, show, isPresent, signal }: Connected): Promise<boolean> {
    show({ status: 'pay' })
    await connector.pay({ from: account.address, to, value, chainId: chain.id }, { signal })
    isSent = true
    if (!isPresent()) return false
    sources.remember(wallet)
    show({ status: 'paid' })
    return true
  }

  return createCall<Paid>(
    services,
    {
      kind: 'approval',
      onClose: () =>
        isSent ? done('sent') : failed(new LatchkeyError(exitCodes.approval, 'The user closed the dialog')),
      onBack: () => done(isSent ? 'sent' : 'left'),
      whatIsDone: () => (isSent ? done('sent') : undefined),
    },
    async ({ open, hold }) => {
      const looking = sources.look()
      await sources.briefly(looking)
      await open(payFromScreen, {
        sources,
        looking,
        amount,
        network: chain.name ?? String(chain.id),
        createChoice: (card, { resolve, leave }) =>
          createWalletChoice(services, sources, {
            card,
            screen: awaitingPaymentScreen,
            chainId: chain.id,
            onChosen() {},
            async use(connected) {
              if (await pay(connected)) resolve(undefined)
            },
            onFailed() {},
            startOver: card.back,
            leave,
          }),
      })
      await hold(dialogLimits.successCloseMs)
      return 'sent'
    },
  )
}
