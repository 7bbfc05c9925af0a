/** A page of confirmations that a test decides on. */
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

/** The same, on which everything is approved at once. */
export function makeApprovingPage() {
  const page = makeConfirmPage()
  page.decide('approved')
  return page
}

/** What asks for a decision, so that the turns of the card are those of its flow alone. */
export const loadDecision = () => import('../../capabilities/confirm/decision.ts')
