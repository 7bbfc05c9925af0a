import { cardSurface, createGate, type Gate, toGate } from '@latchkey/protocol/browser'
import { useCallback, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { DialogContext } from '../../app/screen.ts'
import type { Events, Handlers, Send } from '../../flow/screen.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { type ApprovalEvents, requestApproval } from '../approval.ts'
import type { ApprovalKind } from '../approval-kind.ts'
import type { ConfirmedEvents, ShownApproval } from '../confirmed.ts'

type Started<Shown, E extends Events, Outcome> = {
  handlers: Handlers<E>
  shown: () => Shown
  outcome: Promise<Outcome>
}

type Start<Request extends unknown[], Shown, E extends Events, Outcome> = (
  handle: DialogContext['handle'],
  onShown: (shown: Shown) => void,
  ...request: Request
) => Started<Shown, E, Outcome>

type InScreen<Request extends unknown[], Shown, E extends Events, Outcome> = {
  /** Not approvable before the first request. */
  shown: Shown
  /** Receives the events of the approval step. */
  send: Send<E>
  /** Asks the user for approval, with a fresh gate. Resolves when the user approves. */
  request: (...request: Request) => Promise<Outcome>
}

/** Runs the approvals of a screen, one at a time. */
function useLatestApproval<Request extends unknown[], Shown, E extends Events, Outcome>(
  initial: Shown,
  start: Start<Request, Shown, E, Outcome>,
): InScreen<Request, Shown, E, Outcome> {
  const { handle, isInFront } = useDialog()
  const [shown, setShown] = useState<Shown>(() => initial)
  const current = useRef<Started<Shown, E, Outcome>>(undefined)

  const send: Send<E> = useCallback(
    (name, ...values) => {
      // A press counts only on the screen that the user sees.
      if (isInFront()) current.current?.handlers[name](...values)
    },
    [isInFront],
  )
  return {
    shown,
    send,
    request(...request) {
      const approval = start(
        handle,
        (next) => {
          if (current.current === approval) setShown(() => next)
        },
        ...request,
      )
      current.current = approval
      setShown(() => approval.shown())
      return approval.outcome
    },
  }
}

/** An approval that the user cannot give yet. */
export const waitingApproval: ShownApproval = { by: 'press', gate: toGate(createGate(cardSurface)) }

export type ApprovalInScreen<Request extends unknown[] = []> = InScreen<
  Request,
  ShownApproval,
  ConfirmedEvents,
  ConfirmedRequest
>

/** Runs approvals on the card or on the confirmation page, as the server decides. */
export const useApproval = <Request extends unknown[] = []>(
  start: Start<Request, ShownApproval, ConfirmedEvents, ConfirmedRequest>,
): ApprovalInScreen<Request> => useLatestApproval(waitingApproval, start)

/** Runs approvals that a press on the card allows. */
export const useCardApproval = (kind: ApprovalKind): InScreen<[], Gate, ApprovalEvents, void> =>
  useLatestApproval(toGate(createGate(cardSurface)), (_handle, onGate) => {
    const { gate, ...approval } = requestApproval(kind, onGate)
    return { ...approval, shown: gate }
  })
