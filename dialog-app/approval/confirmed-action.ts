/** Account actions are always approved on the confirmation page, regardless of the reported visibility. */
import type { AccountAction } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import type { CardHandle } from '../flow/flow.ts'
import type { Wallet } from '../wallet/wallet.ts'
import {
  type ConfirmOnPage,
  type PendingConfirmation,
  requestConfirmation,
  type ShownApproval,
} from './confirmed.ts'

export type ActionPorts = {
  clock: Clock
  confirmOnPage: ConfirmOnPage
  wallet: Wallet
}

type ActionRequest = {
  card: Pick<CardHandle, 'after' | 'interrupt' | 'signal'>
  /** The user's wallet address, or null for a user without a wallet. */
  address: string | null
  action: AccountAction
}

export const requestAction = (
  { wallet, clock, confirmOnPage }: ActionPorts,
  { card, address, action }: ActionRequest,
  onShown: (shown: ShownApproval) => void,
): PendingConfirmation =>
  requestConfirmation(
    {
      kind: 'page',
      put: (options) => wallet.confirm(address, action, { signal: card.signal, ...options }),
      clock,
      card,
      confirmOnPage,
    },
    onShown,
  )
