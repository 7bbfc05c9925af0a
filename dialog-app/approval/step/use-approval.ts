import { useCallback, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { DialogContext } from '../../app/screen.ts'
import type { Send } from '../../flow/screen.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { ConfirmedEvents, PendingConfirmation, ShownApproval } from '../confirmed.ts'

type StartApproval<Request extends readonly unknown[]> = (
  handle: DialogContext['handle'],
  onShown: (shown: ShownApproval) => void,
  ...request: Request
) => PendingConfirmation

export type ApprovalInScreen<Request extends readonly unknown[] = []> = {
  /** Not approvable before the first request. */
  shown: ShownApproval
  /** Receives the events of the approval step. */
  send: Send<ConfirmedEvents>
  /** Asks the user for approval, with a fresh gate. Resolves with the approved request. */
  request: (...request: Request) => Promise<ConfirmedRequest>
}

/** An approval that the user cannot give yet. */
export const waitingApproval: ShownApproval = {
  by: 'press',
  gate: { state: 'waiting', sinceMs: 0, asks: false },
}

/** Runs the approvals of a screen, one at a time. */
export function useApproval<Request extends readonly unknown[] = []>(
  start: StartApproval<Request>,
): ApprovalInScreen<Request> {
  const { handle, isInFront } = useDialog()
  const [shown, setShown] = useState<ShownApproval>(waitingApproval)
  const current = useRef<PendingConfirmation>(undefined)

  const send: Send<ConfirmedEvents> = useCallback(
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
          if (current.current === approval) setShown(next)
        },
        ...request,
      )
      current.current = approval
      setShown(approval.shown())
      return approval.outcome
    },
  }
}
