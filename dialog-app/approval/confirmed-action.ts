/** What is done with an account is approved on the page, whatever the browser tells. */
import type { AccountAction } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import type { CardHandle } from '../flow/flow.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { type Confirming, type ConfirmOnPage, requestConfirmed, type ShownApproval } from './confirmed.ts'

export type ActionPorts = {
  clock: Clock
  confirmOnPage: ConfirmOnPage
  wallet: Wallet
}

type Asked = {
  card: Pick<CardHandle, 'after' | 'interrupt' | 'signal'>
  /** The wallet of the user; null for a user without one. */
  address: string | null
  action: AccountAction
}

export const requestAction = (
  { wallet, clock, confirmOnPage }: ActionPorts,
  { card, address, action }: Asked,
  onShown: (shown: ShownApproval) => void,
): Confirming =>
  requestConfirmed(
    {
      kind: 'page',
      put: (asker) => wallet.confirm(address, action, { signal: card.signal, ...asker }),
      clock,
      card,
      confirmOnPage,
    },
    onShown,
  )
