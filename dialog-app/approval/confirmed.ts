/**
 * An approval of what the server is asked to confirm first. The server says where it may be approved: on the card, or on
 * a page of its own, at the top of a window, which nobody can frame. The card then has one button, which the wallet's
 * origin draws and which opens that page in its press. The card stays as it is, with its facts, until it was decided
 * there. A browser that can not tell what covers the card says so to the server, which then leaves less to it.
 * `confirmed-state.ts` decides what comes next; this does it.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import type { CardHandle } from '../flow/flow.ts'
import { createMachine } from '../flow/machine.ts'
import type { Handlers } from '../flow/screen.ts'
import type { Confirmed, ConfirmingAsker, Offered } from '../wallet/confirmed.ts'
import type { ApprovalEvents } from './approval.ts'
import {
  type ConfirmedEffect,
  type ConfirmedEvent,
  type ConfirmedState,
  confirmedStep,
  type ShownApproval,
  shownApproval,
  unconfirmed,
} from './confirmed-state.ts'
import type { ApprovalKind } from './gate.ts'

export type { PageReason, PageWay, ShownApproval } from './confirmed-state.ts'

export type ConfirmedEvents = ApprovalEvents & {
  /** The button has opened the page, or something that it knows nothing of. */
  pageOpened: readonly [state: OpenedWindowState]
  /** The user gives it up on the card. */
  cancelPage: readonly []
  /** Says why nothing can be opened here. */
  explainPage: readonly []
}

export type ConfirmOnPage = {
  /** A browser inside of an app opens no windows. */
  isPossible: () => boolean
  /**
   * The wait for what is decided on the page, from when it was opened. It resolves for an approval and rejects with a
   * code for anything else; once the signal aborts, the request can not be confirmed any more.
   */
  decided: (confirmed: Offered, signal: AbortSignal) => Promise<void>
  explain: (card: Pick<CardHandle, 'interrupt'>) => Promise<void>
}

export type Confirming = {
  handlers: Handlers<ConfirmedEvents>
  shown: () => ShownApproval
  /** Resolves once with what was approved, and rejects with a code where it was not. */
  outcome: Promise<Confirmed>
}

export type PuttingAsker = Required<Pick<ConfirmingAsker, 'place' | 'handle'>>

type Asked = {
  /** `page`: no card approves it. */
  kind: ApprovalKind | 'page'
  /**
   * Puts the request to the server: for a card that is seen, until its browser turns out to tell too little of it. One
   * that is read for long is put anew before it expires.
   */
  put: (asker: PuttingAsker) => Promise<Confirmed>
  clock: Clock
  card: Pick<CardHandle, 'after' | 'interrupt' | 'signal'>
  confirmOnPage: ConfirmOnPage
  /** The page of the host has opened this window, which shows the request where that goes to the page. */
  window?: string | undefined
}

/** Each request is a try of its own. */
export function requestConfirmed(
  { kind, put, clock, card, confirmOnPage, window }: Asked,
  onShown: (shown: ShownApproval) => void,
): Confirming {
  const outcome = Promise.withResolvers<Confirmed>()
  const cancel = new AbortController()
  const shown = (): ShownApproval => shownApproval(machine.state())

  const machine = createMachine<ConfirmedState, ConfirmedEvent, ConfirmedEffect>({
    initial: unconfirmed(kind, {
      canOpenPage: confirmOnPage.isPossible(),
      hasWindow: window !== undefined,
    }),
    step: confirmedStep,
    // What is asked for the card rejects when the card is gone, and that counts.
    signal: new AbortController().signal,
    crashed: outcome.reject,
    effects: {
      put: ({ place, handle }) =>
        orFailed(async () => ({ type: 'recorded', record: await put({ place, handle }) })),
      'watch expiry'({ record }) {
        const leftMs = record.expiresAtMs - clock.nowMs() - confirmLimits.leftSeconds * 1_000
        card.after(leftMs, () => machine.send({ type: 'expiring', record }))
      },
      'await decision': ({ record }) =>
        orFailed(async () => {
          const offered = window === undefined ? record : { ...record, window }
          await confirmOnPage.decided(offered, AbortSignal.any([card.signal, cancel.signal]))
          return { type: 'decided' }
        }),
      'stop waiting': () => cancel.abort(),
      tell: () => onShown(shown()),
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
    shown,
    outcome: outcome.promise,
    handlers: {
      notice: (noticed) => machine.send({ type: 'noticed', noticed }),
      pageOpened: (state) => machine.send({ type: 'page opened', state }),
      cancelPage: () => machine.send({ type: 'cancel' }),
      explainPage: () =>
        void confirmOnPage.explain(card).catch((cause: unknown) => machine.send({ type: 'failed', cause })),
    },
  }
}

/** Handlers of a screen that asks for an approval at times: what the screen sends at other times is dropped. */
export const confirmingHandlers = (present: () => Confirming | undefined): Handlers<ConfirmedEvents> => ({
  notice: (noticed) => present()?.handlers.notice(noticed),
  pageOpened: (state) => present()?.handlers.pageOpened(state),
  cancelPage: () => present()?.handlers.cancelPage(),
  explainPage: () => present()?.handlers.explainPage(),
})

/** It may be approved on the page alone. */
export const isForPage = (error: unknown): boolean =>
  error instanceof LatchkeyError && error.code === 'approval_required_elsewhere'
