/**
 * An account goes when its user has read what is lost, typed that they mean it, approved it, and verified themselves
 * where they have a method. What was begun at the server is not left before it has answered.
 */
import { embeddedWallet, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { AccountAction } from '@latchkey/protocol/wallet'
import { type Confirming, confirmingHandlers } from '../../approval/confirmed.ts'
import { requestAction } from '../../approval/confirmed-action.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { Confirmed } from '../../wallet/confirmed.ts'
import type { VerifiedAsker } from '../../wallet/verification.ts'
import type { CallWallet } from '../../wallet/wallet-obstacles.ts'
import type { DeletionProblem } from './account-deletion-screen.tsx'
import { accountDeletionScreen } from './screens.ts'

type Ports = CapabilityPorts & { readonly callWallet: CallWallet }

type Phase =
  | { readonly status: 'reading' }
  | { readonly status: 'review'; readonly confirming: Confirming }
  | { readonly status: 'deleting' }
  | { readonly status: 'deleted' }
  /** Nothing of it was done. */
  | { readonly status: 'stopped' }

export const deletionFlow =
  (ports: Ports, user: UserRecord): Flow<void> =>
  (handle) => {
    const { session, wallet, callWallet } = ports
    const { signal } = handle
    const email = user.linkedAccounts.find((account) => account.type === 'email')?.address
    const address = embeddedWallet(user)?.address ?? null
    const hasWallet = address !== null || embeddedWallet(user, 'solana') !== undefined
    let phase: Phase = { status: 'reading' }
    let problem: DeletionProblem | undefined

    const approving = confirmingHandlers(() => (phase.status === 'review' ? phase.confirming : undefined))
    const view = () =>
      screen(
        accountDeletionScreen,
        { email, hasWallet, ...shown(phase) },
        {
          ...approving,
          go: () => {
            if (phase.status === 'reading' || phase.status === 'stopped') turnTo(review())
          },
          keep,
          leave: () => void session.logout().catch(() => {}),
        },
      )

    const keep = () => handle.end(done(undefined))

    function shown(now: Phase) {
      if (now.status === 'review') return { status: now.status, approval: now.confirming.shown(), problem }
      return now.status === 'stopped' ? { status: now.status, problem } : now
    }

    function turnTo(next: Phase) {
      phase = next
      handle.update(view())
    }

    function review(): Phase {
      const action: AccountAction = { method: 'delete-account', params: [] }
      const confirming = requestAction(ports, { card: handle, address, action }, () => {
        if (phase.status === 'review' && phase.confirming === confirming) handle.update(view())
      })
      confirming.outcome.then(remove, (error: unknown) => {
        if (signal.aborted) return
        if (isRefusal(error)) return keep()
        problem = problemOf(error)
        turnTo({ status: 'stopped' })
      })
      return { status: 'review', confirming }
    }

    async function remove(confirmation: Confirmed) {
      turnTo({ status: 'deleting' })
      try {
        await callWallet({
          event: 'account:delete',
          card: handle,
          call: (factor) => deleteOnce(confirmation, factor),
        })
        turnTo({ status: 'deleted' })
      } catch (cause) {
        problem = problemOf(cause)
        turnTo(review())
      }
    }

    async function deleteOnce(confirmation: Confirmed, factor: VerifiedAsker['verification']) {
      const operation = await wallet.begin({ signal })
      try {
        const { data } = await wallet.tokenFor(operation, 'delete-account', null, { signal, confirmation })
        await operation.channel.call('account:delete', { ...data, ...factor })
      } finally {
        wallet.end(operation)
      }
    }

    return {
      kind: 'account_deletion',
      run: () => handle.go(view()),
      onClose: () => done(undefined),
      onBack: () => done(undefined),
    }
  }

const problemOf = (cause: unknown): DeletionProblem =>
  verificationProblem(toLatchkeyError(cause, 'error', 'The account was not deleted')) ?? 'other'
