import { useCallback, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { Send } from '../../flow/screen.ts'
import { type Approval, type ApprovalEvents, requestApproval } from '../approval.ts'
import { type ApprovalKind, closedGate, type Gate, toGate } from '../gate.ts'

export type CardApproval = {
  gate: Gate
  /** Receives the events of the approve button. */
  send: Send<ApprovalEvents>
  /** Requests an approval with a fresh gate. Resolves when the user approves. */
  request: () => Promise<void>
}

/** Runs the approvals of a screen that a press on the card allows, one at a time. */
export function useCardApproval(kind: ApprovalKind): CardApproval {
  const { isInFront } = useDialog()
  const [gate, setGate] = useState(() => toGate(closedGate))
  const current = useRef<Approval>(undefined)

  const send: Send<ApprovalEvents> = useCallback(
    (name, ...values) => {
      // A press counts only on the screen that the user sees.
      if (isInFront()) current.current?.handlers[name](...values)
    },
    [isInFront],
  )
  return {
    gate,
    send,
    request() {
      const approval = requestApproval(kind, (next) => {
        if (current.current === approval) setGate(next)
      })
      current.current = approval
      setGate(approval.gate())
      return approval.outcome
    },
  }
}
