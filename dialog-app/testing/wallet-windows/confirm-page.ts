/** A confirmation page that a test controls. */
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import type { Answers } from '../fixture.ts'

export function makeConfirmPage() {
  let state: ConfirmationState = 'open'
  return {
    decide(decision: 'approved' | 'refused' | 'expired') {
      state = decision
    },
    answers: { confirmationStatus: () => ({ state }) } satisfies Answers,
  }
}

/** The same, with every request approved immediately. */
export function makeApprovingPage() {
  const page = makeConfirmPage()
  page.decide('approved')
  return page
}

/** Requests the decision, so that the card's turns are only those of its flow. */
export const loadDecision = () => import('../../capabilities/confirm/decision.ts')
