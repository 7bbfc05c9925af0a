/** What a payment looks like from here, and when nobody has to be asked about it any more. */
import { fundingLimits, type OnRampTransaction } from '@latchkey/protocol/api'

/** Two spellings are one status. */
export type SeenStatus = 'completed' | 'failed' | 'serviceFailure' | 'waitingAuthorization' | 'pending'

export type Polling = { status: SeenStatus; failures: number; isOver: boolean }
export type Answer =
  | { type: 'told'; transaction: OnRampTransaction }
  /** The provider knows of no such payment yet: its user may still be typing. */
  | { type: 'nothing yet' }
  | { type: 'failed' }

export const beginning: Polling = { status: 'pending', failures: 0, isOver: false }

export function pollingAfter(before: Polling, answer: Answer): Polling {
  if (before.isOver) return before
  switch (answer.type) {
    case 'nothing yet':
      return before
    case 'failed': {
      const failures = before.failures + 1
      const isOver = failures >= fundingLimits.failuresUntilService
      return { status: isOver ? 'serviceFailure' : before.status, failures, isOver }
    }
    case 'told': {
      const status = seenStatus(answer.transaction)
      return { status, failures: 0, isOver: status !== 'pending' }
    }
    default:
      return answer satisfies never
  }
}

/** A bank that is asked about a card answers within the payment; about a transfer it may take hours, and a mail follows. */
function seenStatus({ status, paymentMethod, cardPaymentType }: OnRampTransaction): SeenStatus {
  if (status !== 'waitingAuthorization' && status !== 'awaitingAuthorization') return status
  const isCard = paymentMethod === 'credit_debit_card' || cardPaymentType === 'card'
  return isCard ? 'pending' : 'waitingAuthorization'
}
