/** A wallet that the user brings pays an amount to an address, and nobody is logged in or connected by it. */
import { dialogLimits, LatchkeyError } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import type { WalletPayment } from '../../../contract/funds.ts'
import { entriesOf } from '../../../contract/login.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../../flow/flow.ts'
import { screen, usablePart } from '../../../flow/screen.ts'
import { awaitingPaymentScreen, payFromScreen } from '../screens.ts'
import type { WalletSources } from '../sources/sources.ts'
import { walletRows } from '../wallet-rows.ts'
import { createConnection } from './connection.ts'

type Paid = 'sent' | 'left'

export function createPaymentFlow(
  ports: CapabilityPorts,
  sources: WalletSources,
  handle: FlowHandle<Paid>,
  { to, chain, value, amount }: WalletPayment,
): RunningFlow<Paid> {
  let isSent = false

  const list = () =>
    screen(
      payFromScreen,
      {
        entries: entriesOf(wallets),
        amount,
        network: chain.name ?? String(chain.id),
      },
      {},
    )

  const connection = createConnection(ports, sources, {
    card: handle,
    record: awaitingPaymentScreen,
    chainId: chain.id,
    chosen() {},
    async use({ wallet, connector, account, show, isPresent, signal }) {
      show({ status: 'pay' })
      await connector.pay({ from: account.address, to, value, chainId: chain.id }, { signal })
      isSent = true
      if (!isPresent()) return
      sources.remember(wallet)
      show({ status: 'paid' })
      handle.hold(dialogLimits.successCloseMs).then(() => handle.end(done('sent')))
    },
    tells: () => false,
    failed() {},
    startOver: () => handle.restart(list()),
    leave: () => handle.end(done('left')),
  })

  const wallets = walletRows(
    sources,
    {
      card: handle,
      entry: (part, state, handlers) =>
        usablePart(part, state, handlers, () => handle.isUsable(payFromScreen)),
    },
    connection.choose,
  )

  const ended = () => done<Paid>(isSent ? 'sent' : 'left')
  return {
    kind: 'approval',
    async run() {
      const looking = sources.look(undefined)
      looking.then(() => handle.isAt(payFromScreen) && handle.update(list()))
      await sources.briefly(looking)
      handle.go(list())
    },
    onClose: () =>
      isSent ? done('sent') : failed(new LatchkeyError(exitCodes.approval, 'The user closed the dialog')),
    onBack: ended,
    whatIsDone: () => (isSent ? done('sent') : undefined),
  }
}
