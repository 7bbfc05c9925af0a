/**
 * Polls the server for the decision that the user makes on the confirmation page. The page does not report it to its
 * opener. The card keeps its present screen meanwhile.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import { confirmPageRoutes, confirmRoutes } from '@latchkey/protocol/api'
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import { createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import { confirmationExpired, rejectedError } from '../../approval/rejection.ts'
import { wait } from '../../browser/waiting.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import type { OfferedRequest } from '../../wallet/confirmed.ts'
import { confirmScreen } from './screens.ts'

type Ports = Pick<DialogServices, 'api' | 'clock' | 'wallet'>

/** Resolves with an approval. Rejects with a code after a refusal, or without a decision in time. */
export async function awaitDecision(ports: Ports, asked: OfferedRequest, signal: AbortSignal): Promise<void> {
  const { handle, digest, window } = asked
  const offer = new AbortController()
  const offered = AbortSignal.any([signal, offer.signal])
  // Without the wallet frame the page cannot confirm either.
  const frameFailure = ports.wallet
    .offer({ handle, digest, ...(window && { window }) }, offered)
    .then(() => new Promise<never>(() => {}))
  const withdrawn = () => withdraw(ports, asked)
  signal.addEventListener('abort', withdrawn)
  try {
    const state = await Promise.race([waitForDecision(ports, handle, signal), frameFailure])
    if (state !== 'approved' && state !== 'used') throw errors[state]()
  } finally {
    signal.removeEventListener('abort', withdrawn)
    offer.abort()
  }
}

/** Refuses a request that was abandoned on the card, so that its open page can no longer confirm it. */
function withdraw({ api }: Ports, { handle, digest }: OfferedRequest): void {
  // If the server is unreachable, the request expires by itself.
  api.call(confirmPageRoutes.decideConfirmation, { handle, digest, decision: 'refuse' }).catch(() => {})
}

/** A call that explains why nothing can be confirmed in a browser inside of an app, and always rejects. */
export const createInAppCall = (services: DialogServices): Flow<never> =>
  createCall<never>(
    services,
    {
      kind: 'approval',
      onClose: () =>
        failed(
          new LatchkeyError(
            'approval_required_elsewhere',
            'This is confirmed on a page of its own, which a browser inside of an app can not open',
          ),
        ),
    },
    ({ open }) => open(confirmScreen, {}),
  )

type Decided = Exclude<ConfirmationState, 'open'>

async function waitForDecision({ api, clock }: Ports, handle: string, signal: AbortSignal): Promise<Decided> {
  const { seconds, statusPollMs } = confirmLimits
  for (let waitedMs = 0; waitedMs <= seconds * 1_000; waitedMs += statusPollMs) {
    const state = await readState()
    if (state !== 'open') return state
    await wait(clock, statusPollMs, signal)
  }
  return 'expired'

  /** An unanswered call does not decide the request. */
  async function readState(): Promise<ConfirmationState> {
    try {
      const options = { signal, onNetwork: () => {} }
      return (await api.call(confirmRoutes.confirmationStatus, { handle }, options)).state
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
