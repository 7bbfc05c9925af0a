/** A method goes when the user has approved that, and has verified themselves with one that they have. */
import { embeddedWallet, type MfaMethodType, type UserRecord } from '@latchkey/protocol'
import type { AccountAction } from '@latchkey/protocol/wallet'
import { type Confirming, confirmingHandlers } from '../../../approval/confirmed.ts'
import { type ActionPorts, requestAction } from '../../../approval/confirmed-action.ts'
import { isRefusal } from '../../../approval/rejection.ts'
import type { CardHandle } from '../../../flow/flow.ts'
import { screen } from '../../../flow/screen.ts'
import type { Confirmed } from '../../../wallet/confirmed.ts'
import type { MethodChange } from '../method-change.ts'
import { removalScreen } from '../screens.ts'
import { type EnrolProblem, enrolProblemOf } from './problem.ts'

type Removal = {
  readonly ports: ActionPorts
  readonly user: UserRecord
  readonly card: CardHandle
  readonly change: MethodChange
  readonly method: MfaMethodType
  readonly isLast: boolean
  readonly removed: (user: UserRecord) => void
}

type Phase =
  | { readonly status: 'review'; readonly confirming: Confirming }
  | { readonly status: 'removing' }
  /** Nothing of it was done. */
  | { readonly status: 'stopped' }

export function openRemoval({ ports, user, card, change, method, isLast, removed }: Removal): void {
  const address = embeddedWallet(user)?.address ?? null
  let problem: EnrolProblem | undefined
  let phase: Phase = review()
  const approving = confirmingHandlers(() => (phase.status === 'review' ? phase.confirming : undefined))

  function view() {
    return screen(
      removalScreen,
      { method, isLast, ...shown(phase) },
      {
        ...approving,
        again: () => phase.status === 'stopped' && turnTo(review()),
        keep: card.back,
      },
    )
  }

  function shown(now: Phase) {
    if (now.status === 'review') return { status: now.status, approval: now.confirming.shown(), problem }
    return now.status === 'stopped' ? { status: now.status, problem } : now
  }

  function turnTo(next: Phase) {
    phase = next
    card.update(view())
  }

  function review(): Phase {
    const action: AccountAction = { method: 'remove-method', params: [method] }
    const confirming = requestAction(ports, { card, address, action }, () => {
      if (phase.status === 'review' && phase.confirming === confirming) card.update(view())
    })
    confirming.outcome.then(remove, (error: unknown) => {
      if (card.signal.aborted) return
      if (isRefusal(error)) return card.back()
      problem = enrolProblemOf(error)
      turnTo({ status: 'stopped' })
    })
    return { status: 'review', confirming }
  }

  async function remove(confirmation: Confirmed) {
    turnTo({ status: 'removing' })
    try {
      removed(
        method === 'passkey'
          ? await change.removePasskeys(confirmation)
          : await change.unenroll(method, confirmation),
      )
    } catch (error) {
      problem = enrolProblemOf(error)
      turnTo(review())
    }
  }

  card.go(view())
}
