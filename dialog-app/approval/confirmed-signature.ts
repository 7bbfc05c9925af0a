/** Signatures are approved on the card or on the confirmation page, as the server decides. */
import { confirmedPurposes, type RelayedRequester, type SignableRequest } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import type { CardHandle } from '../flow/flow.ts'
import type { ConfirmedRequest } from '../wallet/confirmed.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { ApprovalKind } from './approval-kind.ts'
import {
  type ConfirmOnPage,
  type PendingConfirmation,
  requestConfirmation,
  type ShownApproval,
} from './confirmed.ts'

export type SignaturePorts = {
  clock: Clock
  confirmOnPage: ConfirmOnPage
  wallet: Pick<Wallet, 'confirm' | 'prepareSign'>
}

export type SignatureToApprove = {
  address: string
  request: SignableRequest
  /** `page`: a card never approves this request. */
  kind: ApprovalKind | 'page'
  /** The dapp that requests through a relay. Only the page approves its requests. */
  requester?: RelayedRequester | undefined
  /** The server's answer, if the request was put before. */
  answer?: ConfirmedRequest | undefined
  /** The window that the host page opened. */
  window?: string | undefined
}

/** Starts the approval of a signature, and prepares the vault for it. `onAnswer` receives each answer of the server. */
export function requestSignature(
  { wallet, clock, confirmOnPage }: SignaturePorts,
  card: Pick<CardHandle, 'after' | 'interrupt' | 'signal'>,
  { address, request, kind, requester, answer, window }: SignatureToApprove,
  onAnswer: (answer: ConfirmedRequest) => void,
  onShown: (shown: ShownApproval) => void,
): PendingConfirmation {
  const { signal } = card
  const answers = answer ? [answer] : []
  return requestConfirmation(
    {
      kind: requester ? 'page' : kind,
      async put(options) {
        const confirmation =
          answers.pop() ?? (await wallet.confirm(address, request, { signal, requester, ...options }))
        onAnswer(confirmation)
        // A change of the delegate is rare, so it takes one more round trip after the press.
        if (confirmedPurposes[request.method] === 'sign')
          wallet.prepareSign(address, { signal, confirmation })
        return confirmation
      },
      clock,
      card,
      confirmOnPage,
      window,
    },
    onShown,
  )
}
