/** A browser without a share of a wallet whose user keeps what brings it back: they are asked for that. */
import { LatchkeyError, type RecoveryMethod, type WalletAccount } from '@latchkey/protocol'
import { type Flow, failed } from '../../core/flow.ts'
import type { FlowPorts } from '../../core/ports.ts'
import type { CallWallet, Remedy } from '../../core/wallet-obstacles.ts'
import { english } from './texts.en.ts'

export const recoverByUser = (
  { wallet }: Pick<FlowPorts, 'wallet'>,
  method: RecoveryMethod,
  recovery: (account: WalletAccount, callWallet: CallWallet) => Flow<void>,
): Remedy => ({
  obstacle: 'wallet_not_on_device',
  helps: ({ account }) => account?.recoveryMethod === method,
  async overcome(call, callWallet) {
    const { account, card } = call
    if (account) {
      // Another tab may just have put a new share in the place of the old one: then nobody needs to be asked.
      const isHere = await wallet.connect(account.address, { signal: card.signal }).then(
        () => true,
        () => false,
      )
      if (!isHere) await card.interrupt(recovery(account, callWallet))
    }
    return callWallet(call)
  },
})

export const leftWithout = (hasFailed: boolean) => failed(hasFailed ? notRecovered() : leftUnopened())

const notRecovered = () => new LatchkeyError('unknown_embedded_wallet_error', english.problems.notRecovered)
const leftUnopened = () =>
  new LatchkeyError('user_rejected_request', 'The user left without recovering the wallet')
