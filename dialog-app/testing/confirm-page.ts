/** A page of confirmations that a test decides on. */
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import { confirmThrough } from '../capabilities/confirm/confirm.ts'
import { capabilities } from '../capabilities/index.ts'
import type { Answers } from './world.ts'

export const confirmOnPageScreen = 'CONFIRM_ON_PAGE_SCREEN'

export function makeConfirmPage() {
  const opened: string[] = []
  let state: ConfirmationState = 'open'
  const browser = {
    userAgent: 'Firefox/140.0',
    open(address: string) {
      opened.push(address)
      return true
    },
  }
  return {
    /** The pages that were opened. */
    opened,
    decide(decision: 'approved' | 'refused' | 'expired') {
      state = decision
    },
    answers: { confirmationStatus: () => ({ state }) } satisfies Answers,
    capabilities: [...capabilities.filter(({ name }) => name !== 'confirm'), confirmThrough(browser)],
  }
}

/** The same, on which everything is approved at once. */
export function makeApprovingPage() {
  const page = makeConfirmPage()
  page.decide('approved')
  return page
}

/** What the card needs while the page is open, so that its turns are those of the flow alone. */
export const loadWaitingCard = () => import('../capabilities/confirm/waiting-flow.ts')
