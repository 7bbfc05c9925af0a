/** A card payment at the provider: its status, when polling ends, and the result of the call. */
import { fundingLimits, type OnRampTransaction } from '@latchkey/protocol/api'
import type { HostCallAnswer } from '@latchkey/protocol/host'
import { rejectedError } from '../../approval/rejection.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'

export type Funded = HostCallAnswer<'fundWallet'>

/** Both spellings of the authorization status are one status. */
export type PaymentStatus = 'completed' | 'failed' | 'serviceFailure' | 'waitingAuthorization' | 'pending'
/** `arrived`: the chain reports the funds, regardless of the provider's status. */
export type ShownStatus = PaymentStatus | 'arrived'

export type Payment = {
  reference: string
  /** The URL of the provider's page, if the browser may have blocked it. */
  perhapsBlocked: string | undefined
  status: PaymentStatus
  /** Failed status calls in a row. */
  failures: number
  /** The status is final. */
  isOver: boolean
}

/** A response of the server about a payment. */
export type StatusResponse =
  | { type: 'found'; transaction: OnRampTransaction }
  /** The provider does not know the payment yet, because the user still enters it. */
  | { type: 'not found' }
  | { type: 'failed' }

export const createPayment = (reference: string, perhapsBlocked?: string): Payment => ({
  reference,
  perhapsBlocked,
  status: 'pending',
  failures: 0,
  isOver: false,
})

export function updatePayment(payment: Payment, response: StatusResponse): Payment {
  if (payment.isOver) return payment
  switch (response.type) {
    case 'not found':
      return payment
    case 'failed': {
      const failures = payment.failures + 1
      const isOver = failures >= fundingLimits.failuresUntilService
      return { ...payment, status: isOver ? 'serviceFailure' : payment.status, failures, isOver }
    }
    case 'found': {
      const status = toPaymentStatus(response.transaction)
      return { ...payment, status, failures: 0, isOver: status !== 'pending' }
    }
    default:
      return response satisfies never
  }
}

/** A bank authorizes a card during the payment. A bank transfer may take hours, and an email follows. */
function toPaymentStatus({ status, paymentMethod, cardPaymentType }: OnRampTransaction): PaymentStatus {
  if (status !== 'waitingAuthorization' && status !== 'awaitingAuthorization') return status
  const isCard = paymentMethod === 'credit_debit_card' || cardPaymentType === 'card'
  return isCard ? 'pending' : 'waitingAuthorization'
}

type Progress = {
  /** The latest payment. */
  payment: Payment | undefined
  /** The amount that arrived on the chain. */
  arrived: bigint | undefined
}

export const getFunded = ({ payment }: Pick<Progress, 'payment'>): Funded => ({
  status: payment?.status ?? null,
})

export function getShownStatus({ payment, arrived }: Progress): ShownStatus {
  const status = payment?.status ?? 'pending'
  return arrived !== undefined && status !== 'completed' ? 'arrived' : status
}

/** Returns the result of the call if the user closes the card now. */
export const endByClose = (progress: Progress): Ending<Funded> =>
  progress.payment || progress.arrived !== undefined ? done(getFunded(progress)) : failed(rejectedError())
