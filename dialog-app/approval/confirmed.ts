/**
 * An approval that the server confirms first. The server decides between the card and the confirmation page, a
 * top-level page that cannot be framed. For the page, the card shows one button, which the wallet origin renders and
 * which opens the page. The card keeps its facts until the decision. A browser without reliable visibility reports
 * tells the server, which then allows less on the card.
 *
 * `confirmed-state.ts` holds the decisions; this file runs the effects.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import type { CardHandle } from '../flow/flow.ts'
import { createMachine } from '../flow/machine.ts'
import type { ConfirmedRequest, ConfirmOptions, OfferedRequest } from '../wallet/confirmed.ts'
import type { ApprovalHandlers } from './approval.ts'
import type { ApprovalKind } from './approval-kind.ts'
import {
  type ConfirmedEffect,
  type ConfirmedEvent,
  type ConfirmedState,
  confirmedStep,
  initialState,
  type ShownApproval,
  shownApproval,
} from './confirmed-state.ts'

export type { PageReason, PageWay, ShownApproval } from './confirmed-state.ts'

export type ConfirmationHandlers = ApprovalHandlers & {
  /** The button reported that it opened the page, or that the outcome is unknown. */
  pageOpened: (state: OpenedWindowState) => void
  /** The user cancels on the card. */
  cancelPage: () => void
  /** Shows why no page can be opened here. */
  explainPage: () => void
}

export type ConfirmOnPage = {
  /** False in an in-app browser, which opens no windows. */
  isPossible: () => boolean
  /**
   * Waits for the decision after the page was opened. Resolves on approval and rejects with a code otherwise.
   * Aborting the signal invalidates the request.
   */
  awaitDecision: (confirmed: OfferedRequest, signal: AbortSignal) => Promise<void>
  explain: (card: Pick<CardHandle, 'interrupt'>) => Promise<void>
}

export type PendingConfirmation = {
  handlers: ConfirmationHandlers
  shown: () => ShownApproval
  /** Resolves with the approved request, or rejects with a code. */
  outcome: Promise<ConfirmedRequest>
}

export type PutOptions = Required<Pick<ConfirmOptions, 'place' | 'handle'>>

type ConfirmationRequest = {
  /** `page`: a card never approves this request. */
  kind: ApprovalKind | 'page'
  /** Puts the request to the server, for a visible card first. It is put again before it expires. */
  put: (options: PutOptions) => Promise<ConfirmedRequest>
  clock: Clock
  card: Pick<CardHandle, 'after' | 'interrupt' | 'signal'>
  confirmOnPage: ConfirmOnPage
  /** The window that the host page opened. It shows the request if the request goes to the page. */
  window?: string | undefined
}

/** Starts the approval of one request with a fresh state. */
export function requestConfirmation(
  { kind, put, clock, card, confirmOnPage, window }: ConfirmationRequest,
  onShown: (shown: ShownApproval) => void,
): PendingConfirmation {
  const outcome = Promise.withResolvers<ConfirmedRequest>()
  const cancel = new AbortController()
  const getShownApproval = (): ShownApproval => shownApproval(machine.state())

  const machine = createMachine<ConfirmedState, ConfirmedEvent, ConfirmedEffect>({
    initial: initialState(kind, {
      canOpenPage: confirmOnPage.isPossible(),
      hasWindow: window !== undefined,
    }),
    step: confirmedStep,
    // Effects reject when the card closes, and those rejections must still be handled.
    signal: new AbortController().signal,
    crashed: outcome.reject,
    effects: {
      put: ({ place, handle }) =>
        orFailed(async () => ({ type: 'recorded', record: await put({ place, handle }) })),
      'watch-expiry'({ record }) {
        const leftMs = record.expiresAtMs - clock.nowMs() - confirmLimits.leftSeconds * 1_000
        card.after(leftMs, () => machine.send({ type: 'expiring', record }))
      },
      'await-decision': ({ record }) =>
        orFailed(async () => {
          const offered = window === undefined ? record : { ...record, window }
          await confirmOnPage.awaitDecision(offered, AbortSignal.any([card.signal, cancel.signal]))
          return { type: 'decided' }
        }),
      'stop-waiting': () => cancel.abort(),
      notify: () => onShown(getShownApproval()),
      resolve: ({ record }) => outcome.resolve(record),
      reject: ({ cause }) => outcome.reject(cause),
    },
  })

  async function orFailed(run: () => Promise<ConfirmedEvent>): Promise<ConfirmedEvent> {
    try {
      return await run()
    } catch (cause) {
      return { type: 'failed', cause }
    }
  }

  machine.send({ type: 'begin' })
  return {
    shown: getShownApproval,
    outcome: outcome.promise,
    handlers: {
      notice: (noticed) => machine.send({ type: 'noticed', noticed }),
      pageOpened: (state) => machine.send({ type: 'page-opened', state }),
      cancelPage: () => machine.send({ type: 'cancel' }),
      explainPage: () =>
        void confirmOnPage.explain(card).catch((cause: unknown) => machine.send({ type: 'failed', cause })),
    },
  }
}

/** Returns whether the limits of the card were used up after this approval, so that only the page can approve. */
export const mustMoveToPage = (error: unknown, { place }: Pick<ConfirmedRequest, 'place'>): boolean =>
  place !== 'page' && requiresPage(error)

/** Returns whether the error requires the confirmation page. */
export const requiresPage = (error: unknown): boolean =>
  error instanceof LatchkeyError && error.code === 'approval_required_elsewhere'
