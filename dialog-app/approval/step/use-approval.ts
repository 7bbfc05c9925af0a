import { cardSurface, createGate, type Gate, toGate } from '@latchkey/protocol/browser'
import { useMemo, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { DialogContext } from '../../app/screen.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { type ApprovalHandlers, requestApproval } from '../approval.ts'
import type { ApprovalKind } from '../approval-kind.ts'
import type { ConfirmationHandlers, ShownApproval } from '../confirmed.ts'

type Started<Shown, Handlers, Outcome> = {
  handlers: Handlers
  shown: () => Shown
  outcome: Promise<Outcome>
}

type Start<Request extends unknown[], Shown, Handlers, Outcome> = (
  handle: DialogContext['handle'],
  onShown: (shown: Shown) => void,
  ...request: Request
) => Started<Shown, Handlers, Outcome>

type InScreen<Request extends unknown[], Shown, Handlers, Outcome> = {
  /** Not approvable before the first request. */
  shown: Shown
  /** Receives the events of the approval step. */
  handlers: Handlers
  /** Asks the user for approval, with a fresh gate. Resolves when the user approves. */
  request: (...request: Request) => Promise<Outcome>
}

/** Runs the approvals of a screen, one at a time. `forward` creates handlers that call those of the present approval. */
function useLatestApproval<Request extends unknown[], Shown, Handlers, Outcome>(
  initial: Shown,
  start: Start<Request, Shown, Handlers, Outcome>,
  forward: (getHandlers: () => Handlers | undefined) => Handlers,
): InScreen<Request, Shown, Handlers, Outcome> {
  const { handle, isInFront } = useDialog()
  const [shown, setShown] = useState<Shown>(() => initial)
  const current = useRef<Started<Shown, Handlers, Outcome>>(undefined)
  const handlers = useMemo(
    // A press counts only on the screen that the user sees.
    () => forward(() => (isInFront() ? current.current?.handlers : undefined)),
    [forward, isInFront],
  )
  return {
    shown,
    handlers,
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
  ConfirmationHandlers,
  ConfirmedRequest
>

const toConfirmation = (getHandlers: () => ConfirmationHandlers | undefined): ConfirmationHandlers => ({
  notice: (noticed) => getHandlers()?.notice(noticed),
  pageOpened: (state) => getHandlers()?.pageOpened(state),
  cancelPage: () => getHandlers()?.cancelPage(),
  explainPage: () => getHandlers()?.explainPage(),
})

/** Runs approvals on the card or on the confirmation page, as the server decides. */
export const useApproval = <Request extends unknown[] = []>(
  start: Start<Request, ShownApproval, ConfirmationHandlers, ConfirmedRequest>,
): ApprovalInScreen<Request> => useLatestApproval(waitingApproval, start, toConfirmation)

const toPress = (getHandlers: () => ApprovalHandlers | undefined): ApprovalHandlers => ({
  notice: (noticed) => getHandlers()?.notice(noticed),
})

/** Runs approvals that a press on the card allows. */
export const useCardApproval = (kind: ApprovalKind): InScreen<[], Gate, ApprovalHandlers, void> =>
  useLatestApproval(
    toGate(createGate(cardSurface)),
    (_handle, onGate) => {
      const { gate, ...approval } = requestApproval(kind, onGate)
      return { ...approval, shown: gate }
    },
    toPress,
  )
