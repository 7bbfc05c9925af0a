/** Asks the user to accept the terms. Leaving without an answer declines them and logs the user out. */
import { toLatchkeyError } from '@latchkey/protocol'
import { openOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { AfterLogin, StepOutcome } from '../../contract/login.ts'
import { consentScreen } from './screens.ts'

export async function takeConsentStep(
  ports: CapabilityPorts,
  { card, seen, startOver }: AfterLogin,
): Promise<StepOutcome> {
  const { session, refusals } = ports
  const { signal } = card
  // The session ends here at once, and at the server when it responds.
  const logOut = () => void session.logout().catch(() => {})

  /** Back leads to the question, unless the session ended meanwhile. Returns whether it did. */
  function showError(error: unknown) {
    const problem = toLatchkeyError(error, 'error', 'The terms could not be accepted')
    const isOver = session.state().status !== 'authenticated'
    refusals.show(card, problem).then(
      (next) => (isOver || next === 'start over' ? startOver() : card.back()),
      // The card closed.
      () => {},
    )
    return isOver
  }

  signal.addEventListener('abort', logOut)
  await seen
  const outcome = await openOnCard(ports, card, consentScreen, { showError })
  signal.removeEventListener('abort', logOut)
  if (outcome.type === 'declined') logOut()
  return outcome
}
