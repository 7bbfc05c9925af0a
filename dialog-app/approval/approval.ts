/**
 * An approval: what a person has to see and press before something is done in their name. A flow asks for one and
 * gets the gate's states and one outcome; how it is given depends on what is approved and on what this browser can
 * tell of its card.
 *
 * This is one way of two: a card, armed by what the browser says of its visibility. What no card in a frame is trusted
 * with is approved on a page of its own, where nobody can lay anything over it: `confirmed.ts`.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { Handlers } from '../flow/screen.ts'
import {
  type ApprovalKind,
  closedGate,
  type Gate,
  gateOf,
  gateRefusal,
  type Noticed,
  notice,
} from './gate.ts'

/** What the screen of an approval sends, among its other events. */
export type ApprovalEvents = { notice: readonly [noticed: Noticed] }

export type Approval = {
  handlers: Handlers<ApprovalEvents>
  gate: () => Gate
  /** What is approved is another by now, and has to be seen as long as it was at first. */
  beginAnew: () => void
  /** Resolves once it is given, and rejects with a code where it can not be given here. */
  outcome: Promise<void>
}

/** Each approval is a try of its own: it knows nothing of what was seen or pressed before. */
export function requestApproval(kind: ApprovalKind, onGate: (gate: Gate) => void): Approval {
  const outcome = Promise.withResolvers<void>()
  let state = closedGate
  let gate = gateOf(state)

  function show(next: Gate) {
    if (next.state === gate.state && next.sinceMs === gate.sinceMs && next.asks === gate.asks) return
    gate = next
    onGate(gate)
  }

  return {
    handlers: {
      notice(noticed) {
        const refused = noticed.what === 'look' && gateRefusal(kind, noticed.look.method)
        if (refused) {
          return outcome.reject(new LatchkeyError(refused, 'This browser can not tell that it was seen'))
        }
        state = notice(state, noticed)
        if (state.isGiven) outcome.resolve()
        else show(gateOf(state))
      },
    },
    gate: () => gate,
    beginAnew() {
      state = notice(state, { what: 'change', atMs: state.nowMs })
      show(gateOf(state))
    },
    outcome: outcome.promise,
  }
}
