/**
 * What is decided on the page of a confirmation comes by way of the server: the page lets nobody know of it who opened
 * it. It is asked while the card waits, which shows what it showed before.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import { confirmPageRoutes, confirmRoutes } from '@latchkey/protocol/api'
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import { confirmationExpired, rejectedError } from '../../approval/rejection.ts'
import { wait } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { OfferedRequest } from '../../wallet/confirmed.ts'
import { confirmScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'api' | 'clock' | 'wallet'>

/** Resolves for an approval, and rejects with a code for a refusal and where nobody decided in time. */
export async function awaitDecision(ports: Ports, asked: OfferedRequest, signal: AbortSignal): Promise<void> {
  const { handle, digest, window } = asked
  const offer = new AbortController()
  const offered = AbortSignal.any([signal, offer.signal])
  // Where the frame does not hear it, the page does not find one either.
  const frameFailure = ports.wallet
    .offer({ handle, digest, ...(window && { window }) }, offered)
    .then(() => new Promise<never>(() => {}))
  const withdrawn = () => withdraw(ports, asked)
  signal.addEventListener('abort', withdrawn)
  try {
    const state = await Promise.race([decisionOf(ports, handle, signal), frameFailure])
    if (state !== 'approved' && state !== 'used') throw errors[state]()
  } finally {
    signal.removeEventListener('abort', withdrawn)
    offer.abort()
  }
}

/** What is given up on the card can not be confirmed on the page that is open still. */
function withdraw({ api }: Ports, { handle, digest }: OfferedRequest): void {
  // Where the server is not reached, its own time ends the request.
  api.call(confirmPageRoutes.decideConfirmation, { handle, digest, decision: 'refuse' }).catch(() => {})
}

/** No page can be opened here, and the one that is around this card is never taken away. */
export const inAppFlow: Flow<void> = (card) => {
  const refused = () =>
    failed(
      new LatchkeyError(
        'approval_required_elsewhere',
        'This is confirmed on a page of its own, which a browser inside of an app can not open',
      ),
    )
  return {
    kind: 'approval',
    run: () => card.go(screen(confirmScreen, {}, { leave: () => card.end(refused()) })),
    onClose: refused,
  }
}

type Decided = Exclude<ConfirmationState, 'open'>

async function decisionOf({ api, clock }: Ports, handle: string, signal: AbortSignal): Promise<Decided> {
  const { seconds, statusPollMs } = confirmLimits
  for (let waitedMs = 0; waitedMs <= seconds * 1_000; waitedMs += statusPollMs) {
    const state = await stateOf()
    if (state !== 'open') return state
    await wait(clock, statusPollMs, signal)
  }
  return 'expired'

  /** A call that was not answered says nothing of the page. */
  async function stateOf(): Promise<ConfirmationState> {
    try {
      const asker = { signal, onNetwork: () => {} }
      return (await api.call(confirmRoutes.confirmationStatus, { handle }, asker)).state
    } catch (error) {
      if (signal.aborted || !isUnanswered(error)) throw error
      return 'open'
    }
  }
}

const isUnanswered = (error: unknown) =>
  error instanceof LatchkeyError &&
  (error.code === 'server_unreachable' || error.code === 'client_request_timeout')

const errors: { [state in Exclude<Decided, 'approved' | 'used'>]: () => LatchkeyError } = {
  refused: rejectedError,
  expired: confirmationExpired,
}
