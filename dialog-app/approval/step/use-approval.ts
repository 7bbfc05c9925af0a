import { useCallback, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { DialogContext } from '../../app/screen.ts'
import type { Send } from '../../flow/screen.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { ConfirmedEvents, PendingConfirmation, ShownApproval } from '../confirmed.ts'

type StartApproval = (
  handle: DialogContext['handle'],
  onShown: (shown: ShownApproval) => void,
) => PendingConfirmation

export type ApprovalInScreen = {
  /** Undefined before the first request. */
  shown: ShownApproval | undefined
  /** Receives the events of the approval step. */
  send: Send<ConfirmedEvents>
  /** Asks the user for approval, with a fresh gate. Resolves with the approved request. */
  request: () => Promise<ConfirmedRequest>
}

/** Runs the approvals of a screen, one at a time. */
export function useApproval(start: StartApproval): ApprovalInScreen {
  const { handle, isInFront } = useDialog()
  const [shown, setShown] = useState<ShownApproval>()
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
    request() {
      const approval = start(handle, (next) => {
        if (current.current === approval) setShown(next)
      })
      current.current = approval
      setShown(approval.shown())
      return approval.outcome
    },
  }
}
