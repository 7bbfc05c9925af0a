/**
 * The card while the page of a confirmation is open. What was decided there comes by way of the server: the page lets
 * nobody know of it who opened it, and whether it is closed can not be read.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import { confirmPageRoutes, confirmRoutes } from '@latchkey/protocol/api'
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, type Flow, failed } from '../../core/flow.ts'
import { confirmationExpired, rejectedError } from '../../core/rejection.ts'
import { screen } from '../../core/screen.ts'
import { wait } from '../../waiting.ts'
import { confirmScreen } from './screens.ts'

type Opened = {
  readonly handle: string
  readonly digest: string
  /** Of the page. */
  readonly href: string
  readonly isOpened: boolean
}
type Ports = Pick<CapabilityPorts, 'api' | 'clock' | 'wallet'>

/** Ends well for an approval; with a code for a refusal, and where nobody decided in time. */
export const waitingFlow =
  (ports: Ports, { handle: name, digest, href, isOpened }: Opened): Flow<void> =>
  (card) => ({
    kind: 'approval',
    async run() {
      const leave = () => {
        withdraw(ports, { handle: name, digest })
        card.end(failed(rejectedError()))
      }
      card.go(screen(confirmScreen, { status: 'waiting', href, mayBeBlocked: !isOpened }, { leave }))
      // Where the frame does not hear it, the page does not find one either.
      const unheard = ports.wallet
        .offer({ handle: name, digest }, card.signal)
        .then(() => new Promise<never>(() => {}))
      const state = await Promise.race([decisionOf(ports, name, card.signal), unheard])
      card.end(state === 'approved' || state === 'used' ? done(undefined) : failed(endings[state]()))
    },
    onClose() {
      withdraw(ports, { handle: name, digest })
      return failed(rejectedError())
    },
  })

/** What is given up on the card can not be confirmed on the page that is open still. */
function withdraw({ api }: Ports, named: Pick<Opened, 'handle' | 'digest'>): void {
  // Where the server is not reached, its own time ends the request.
  api.call(confirmPageRoutes.decideConfirmation, { ...named, decision: 'refuse' }).catch(() => {})
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
    run: () => card.go(screen(confirmScreen, { status: 'in-app' }, { leave: () => card.end(refused()) })),
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

const endings: { readonly [state in Exclude<Decided, 'approved' | 'used'>]: () => LatchkeyError } = {
  refused: rejectedError,
  expired: confirmationExpired,
}
