/**
 * An approval: what a person has to see and press before something is done in their name. A flow asks for one and
 * gets the gate's states and one outcome; how it is given depends on what is approved and on what this browser can
 * tell of its card.
 *
 * There is one way so far, the card in the frame, armed by what the browser says of its visibility. A page of its
 * own, where nobody can lay anything over it, will be the second, for what no card in a frame is trusted with.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { CardHandle } from './flow.ts'
import { type ApprovalKind, createGate, type Gate, gateRefusal, type Visibility } from './gate.ts'
import type { Handlers } from './screen.ts'

/** What the screen of an approval sends, among its other events. */
export type ApprovalEvents = {
  readonly see: readonly [reading: Visibility]
  /** `isTrusted` of the click or key press. */
  readonly approve: readonly [trusted: boolean]
}

export type ApprovalRequest = {
  readonly kind: ApprovalKind
  readonly card: Pick<CardHandle, 'after'>
  readonly onGate: (gate: Gate) => void
}

export type Approval = {
  readonly handlers: Handlers<ApprovalEvents>
  readonly gate: () => Gate
  /** Settles once. Rejects with a code where it can not be given here. */
  readonly outcome: Promise<void>
}

export type Approvals = { readonly request: (request: ApprovalRequest) => Approval }

export const approvals: Approvals = { request: approveOnCard }

function approveOnCard({ kind, card, onGate }: ApprovalRequest): Approval {
  const outcome = Promise.withResolvers<void>()
  const gate = createGate({ after: card.after, onChange: onGate })
  gate.disarm()
  return {
    handlers: {
      see(reading) {
        const refused = gateRefusal(kind, reading.method)
        if (refused) outcome.reject(new LatchkeyError(refused, 'This browser can not tell that it was seen'))
        else gate.read(reading)
      },
      approve(trusted) {
        if (trusted && gate.state() === 'armed') outcome.resolve()
      },
    },
    gate: gate.state,
    outcome: outcome.promise,
  }
}
