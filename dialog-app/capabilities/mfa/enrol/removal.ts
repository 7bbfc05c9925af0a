/**
 * A method goes when the user has approved that, and has verified themselves with one that they have.
 * `removal-state.ts` decides what comes next; this does it.
 */
import { findEmbeddedWallet, type MfaMethodType, type UserRecord } from '@latchkey/protocol'
import type { AccountAction } from '@latchkey/protocol/wallet'
import { confirmationHandlers } from '../../../approval/confirmed.ts'
import { type ActionPorts, requestAction } from '../../../approval/confirmed-action.ts'
import type { FlowHandle } from '../../../flow/flow.ts'
import { createMachine, partOf } from '../../../flow/machine.ts'
import { type Handlers, screen } from '../../../flow/screen.ts'
import type { MethodChange } from '../method-change.ts'
import { removalScreen } from '../screens.ts'
import type { RemovalEvents } from './removal-screen.tsx'
import {
  type RemovalState as MachineState,
  type RemovalEffect,
  type RemovalEvent,
  removalStep,
  unremoved,
} from './removal-state.ts'

type Removal = {
  ports: ActionPorts
  user: UserRecord
  card: FlowHandle<UserRecord>
  change: MethodChange
  method: MfaMethodType
  isLast: boolean
  removed: (user: UserRecord) => void
}

export function openRemoval({ ports, user, card, change, method, isLast, removed }: Removal): void {
  const address = findEmbeddedWallet(user)?.address ?? null

  const machine = createMachine<MachineState, RemovalEvent, RemovalEffect>({
    initial: unremoved,
    step: removalStep,
    draw(state) {
      const view = viewOf(state)
      if (view) card.update(view)
    },
    ...partOf(card),
    effects: {
      put,
      show() {
        const view = viewOf(machine.state())
        if (view) card.go(view)
      },
      async remove({ confirmed }) {
        try {
          removed(
            method === 'passkey'
              ? await change.removePasskeys(confirmed)
              : await change.unenroll(method, confirmed),
          )
          return undefined
        } catch (cause) {
          return { type: 'not removed', cause }
        }
      },
      leave: card.back,
    },
  })

  const handlers: Handlers<RemovalEvents> = {
    ...confirmationHandlers(() => {
      const { phase } = machine.state()
      return phase.at === 'review' ? phase.confirming : undefined
    }),
    again: () => machine.send({ type: 'again' }),
    keep: card.back,
  }

  function viewOf({ phase, problem }: MachineState) {
    switch (phase.at) {
      case 'beginning':
        return undefined
      case 'review': {
        const { at: status, approval } = phase
        return screen(removalScreen, { method, isLast, status, approval, problem }, handlers)
      }
      case 'removing':
        return screen(removalScreen, { method, isLast, status: phase.at }, handlers)
      case 'stopped':
        return screen(removalScreen, { method, isLast, status: phase.at, problem }, handlers)
      default:
        return phase satisfies never
    }
  }

  function put() {
    const action: AccountAction = { method: 'remove-method', params: [method] }
    const confirming = requestAction(ports, { card, address, action }, (approval) =>
      machine.send({ type: 'approval changed', confirming, approval }),
    )
    machine.send({ type: 'put', confirming, approval: confirming.shown() })
    confirming.outcome.then(
      (confirmed) => machine.send({ type: 'approved', confirming, confirmed }),
      (cause: unknown) => machine.send({ type: 'not approved', confirming, cause }),
    )
  }

  machine.send({ type: 'begin' })
}
