/** A method goes when the user has approved that, and has verified themselves with one that they have. */
import type { MfaMethodType, UserRecord } from '@latchkey/protocol'
import { type Approval, requestApproval } from '../../../core/approval.ts'
import type { CardHandle } from '../../../core/flow.ts'
import { screen } from '../../../core/screen.ts'
import type { MethodChange } from '../method-change.ts'
import { removalScreen } from '../screens.ts'
import { type EnrolProblem, enrolProblemOf } from './problem.ts'

type Removal = {
  readonly card: CardHandle
  readonly change: MethodChange
  readonly method: MfaMethodType
  readonly isLast: boolean
  readonly removed: (user: UserRecord) => void
}

type Phase =
  | { readonly status: 'review'; readonly approval: Approval }
  | { readonly status: 'removing' }
  | { readonly status: 'refused' }

export function openRemoval({ card, change, method, isLast, removed }: Removal): void {
  let problem: EnrolProblem | undefined
  let phase: Phase = review()

  function view() {
    return screen(
      removalScreen,
      { method, isLast, ...shown(phase) },
      {
        notice: (noticed) => phase.status === 'review' && phase.approval.handlers.notice(noticed),
        keep: card.back,
      },
    )
  }

  const shown = (now: Phase) =>
    now.status === 'review' ? { status: now.status, gate: now.approval.gate(), problem } : now

  function turnTo(next: Phase) {
    phase = next
    card.update(view())
  }

  function review(): Phase {
    const approval = requestApproval('account-change', () => {
      if (phase.status === 'review' && phase.approval === approval) card.update(view())
    })
    approval.outcome.then(
      () => remove(),
      () => turnTo({ status: 'refused' }),
    )
    return { status: 'review', approval }
  }

  async function remove() {
    turnTo({ status: 'removing' })
    try {
      removed(
        method === 'passkey'
          ? await change.submit({ method, credentialIds: [] })
          : await change.unenroll(method),
      )
    } catch (error) {
      problem = enrolProblemOf(error)
      turnTo(review())
    }
  }

  card.go(view())
}
