/** Asks the user to accept the terms. Who leaves without an answer has not accepted, and is logged out. */
import { toLatchkeyError } from '@latchkey/protocol'
import { userRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { AfterLogin, StepOutcome } from '../../contract/login.ts'
import { type ScreenToShow, screen } from '../../flow/screen.ts'
import { privacyUrl, termsUrl } from '../../host/settings.ts'
import { consentScreen } from './screens.ts'

export function takeConsentStep(
  { api, session, refusals, settings }: CapabilityPorts,
  { card, seen, startOver }: AfterLogin,
): Promise<StepOutcome> {
  const answer = Promise.withResolvers<StepOutcome>()
  let isAnswered = false

  void seen.then(() => card.replace(view('asking')))
  card.signal.addEventListener('abort', decline)
  return answer.promise

  function view(status: 'asking' | 'accepting'): ScreenToShow {
    const state = { status, termsUrl: termsUrl(settings()), privacyUrl: privacyUrl(settings()) }
    return screen(consentScreen, state, { accept: () => void accept(status), decline })
  }

  async function accept(status: 'asking' | 'accepting') {
    if (status === 'accepting') return
    card.update(view('accepting'))
    try {
      session.replaceUser(await api.call(userRoutes.acceptTerms, {}, { signal: card.signal }))
      end({ type: 'done' })
    } catch (error) {
      if (!card.signal.aborted) await refuse(error)
    }
  }

  /** Back leads to the question, unless the session ended meanwhile. */
  async function refuse(error: unknown) {
    const problem = toLatchkeyError(error, 'error', 'The terms could not be accepted')
    const isOver = session.state().status !== 'authenticated'
    const refusal = await refusals.screenFor(problem, { goBack: isOver ? startOver : card.back, startOver })
    card.update(view('asking'))
    card.go(refusal)
    if (isOver) end({ type: 'undone' })
  }

  function decline() {
    if (isAnswered) return
    // The server is told meanwhile; here the session is over at once.
    session.logout().catch(() => {})
    end({ type: 'declined' })
  }

  function end(outcome: StepOutcome) {
    isAnswered = true
    answer.resolve(outcome)
  }
}
