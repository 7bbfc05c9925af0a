/**
 * An account goes when its user has read what is lost, typed that they mean it, approved it, and verified themselves
 * where they have a method. What was begun at the server is not left before it has answered. `deletion-state.ts`
 * decides what comes next; this does it.
 */
import { findEmbeddedWallet, type UserRecord } from '@latchkey/protocol'
import type { AccountAction } from '@latchkey/protocol/wallet'
import { confirmationHandlers } from '../../approval/confirmed.ts'
import { requestAction } from '../../approval/confirmed-action.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import { createLastEmail } from '../../session/last-email.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { VerifiedOptions } from '../../wallet/verification.ts'
import { type CallWallet, createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import {
  type DeletionEffect,
  type DeletionEvent,
  type DeletionState,
  deletionStep,
  undeleted,
} from './deletion-state.ts'
import { accountDeletionScreen } from './screens.ts'

type Ports = CapabilityPorts & { callWallet: CallWallet }

export function deletionFlow(capability: CapabilityPorts, user: UserRecord): Flow<void> {
  const ports: Ports = { ...capability, callWallet: createWalletCalls(capability.remedies) }
  return (handle) => {
    const { session, wallet, callWallet, store, settings } = ports
    const { signal } = handle
    const email = user.linkedAccounts.find((account) => account.type === 'email')?.address
    const address = findEmbeddedWallet(user)?.address ?? null
    const hasWallet = address !== null || findEmbeddedWallet(user, 'solana') !== undefined

    const machine = createMachine<DeletionState, DeletionEvent, DeletionEffect>({
      initial: undeleted,
      step: deletionStep,
      draw: (state) => handle.update(view(state)),
      ...partOf(handle),
      effects: {
        put,
        async delete({ confirmed }) {
          try {
            const call = (factor: VerifiedOptions['verification']) => deleteOnce(confirmed, factor)
            await callWallet({ event: 'account:delete', card: handle, call })
            createLastEmail(store, settings().app.id).forget()
            return { type: 'deleted' }
          } catch (cause) {
            return { type: 'not deleted', cause }
          }
        },
        end: keep,
      },
    })

    const view = (state: DeletionState) =>
      screen(
        accountDeletionScreen,
        { email, hasWallet, ...shown(state) },
        {
          ...confirmationHandlers(() => {
            const { phase } = machine.state()
            return phase.at === 'review' ? phase.confirming : undefined
          }),
          go: () => machine.send({ type: 'go on' }),
          keep,
          leave: () => void session.logout().catch(() => {}),
        },
      )

    function keep() {
      handle.end(done(undefined))
    }

    function put() {
      const action: AccountAction = { method: 'delete-account', params: [] }
      const confirming = requestAction(ports, { card: handle, address, action }, (approval) =>
        machine.send({ type: 'approval changed', confirming, approval }),
      )
      machine.send({ type: 'put', confirming, approval: confirming.shown() })
      confirming.outcome.then(
        (confirmed) => machine.send({ type: 'approved', confirming, confirmed }),
        (cause: unknown) => machine.send({ type: 'not approved', confirming, cause }),
      )
    }

    async function deleteOnce(confirmation: ConfirmedRequest, factor: VerifiedOptions['verification']) {
      const operation = await wallet.begin({ signal })
      try {
        const { data } = await wallet.requestToken(operation, 'delete-account', null, {
          signal,
          confirmation,
        })
        await operation.channel.call('account:delete', { ...data, ...factor })
      } finally {
        wallet.end(operation)
      }
    }

    return {
      kind: 'account_deletion',
      run: () => handle.go(view(machine.state())),
      onClose: () => done(undefined),
      onBack: () => done(undefined),
    }
  }
}

function shown({ phase, problem }: DeletionState) {
  switch (phase.at) {
    case 'review':
      return { status: phase.at, approval: phase.approval, problem }
    case 'stopped':
      return { status: phase.at, problem }
    case 'reading':
    case 'deleting':
    case 'deleted':
      return { status: phase.at }
    default:
      return phase satisfies never
  }
}
