/**
 * An approval that a press on the dialog's card allows. The flow receives the gate's states and one outcome. The
 * browser's visibility reports arm the card.
 *
 * Actions for which a framed card is not trusted use a wallet page instead, which no site can cover: see
 * `confirmed.ts`.
 */
import { LatchkeyError } from '@latchkey/protocol'
import {
  cardSurface,
  createGate,
  type Gate,
  type GateEvent,
  reduceGate,
  toGate,
} from '@latchkey/protocol/browser'
import { type ApprovalKind, gateRefusal } from './approval-kind.ts'

/** The events that the approve button reports. */
export type ApprovalHandlers = { notice: (noticed: GateEvent) => void }

export type Approval = {
  handlers: ApprovalHandlers
  gate: () => Gate
  /** Disarms the gate because the content of the card changed. It must be visible for the full time again. */
  disarm: () => void
  /** Resolves when the user approves, and rejects with a code if this browser cannot be trusted with the approval. */
  outcome: Promise<void>
}

/** Starts an approval with a fresh gate: earlier samples and presses do not count. */
export function requestApproval(kind: ApprovalKind, onGate: (gate: Gate) => void): Approval {
  const outcome = Promise.withResolvers<void>()
  let state = createGate(cardSurface)
  let gate = toGate(state)

  function show(next: Gate) {
    if (next.state === gate.state && next.sinceMs === gate.sinceMs && next.asks === gate.asks) return
    gate = next
    onGate(gate)
  }

  return {
    handlers: {
      notice(noticed) {
        const refused = noticed.type === 'sample' && gateRefusal(kind, noticed.sample.method)
        if (refused) {
          return outcome.reject(
            new LatchkeyError(refused, 'This browser cannot report whether the card was visible'),
          )
        }
        state = reduceGate(state, noticed)
        if (state.isApproved) outcome.resolve()
        else show(toGate(state))
      },
    },
    gate: () => gate,
    disarm() {
      state = reduceGate(state, { type: 'change', atMs: state.nowMs })
      show(toGate(state))
    },
    outcome: outcome.promise,
  }
}
