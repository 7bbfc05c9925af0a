/**
 * An account goes when its user has read what is lost, typed that they mean it, approved it, and verified themselves
 * where they have a method. What was begun at the server is not left before it has answered.
 */
import { embeddedWallet, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import { type Approval, requestApproval } from '../../core/approval.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, type Flow } from '../../core/flow.ts'
import { screen } from '../../core/screen.ts'
import { verificationProblem } from '../../core/verification-problem.ts'
import type { CallWallet } from '../../core/wallet-obstacles.ts'
import type { VerifiedAsker } from '../../wallet/verification.ts'
import type { DeletionProblem } from './account-deletion-screen.tsx'
import { accountDeletionScreen } from './screens.ts'

type Ports = CapabilityPorts & { readonly callWallet: CallWallet }

type Phase =
  | { readonly status: 'reading' }
  | { readonly status: 'review'; readonly approval: Approval }
  | { readonly status: 'deleting' }
  | { readonly status: 'deleted' }
  /** It can not be approved in this browser. */
  | { readonly status: 'refused' }

export const deletionFlow =
  ({ session, wallet, callWallet }: Ports, user: UserRecord): Flow<void> =>
  (handle) => {
    const { signal } = handle
    const email = user.linkedAccounts.find((account) => account.type === 'email')?.address
    const hasWallet = embeddedWallet(user) !== undefined
    let phase: Phase = { status: 'reading' }
    let problem: DeletionProblem | undefined

    const view = () =>
      screen(
        accountDeletionScreen,
        { email, hasWallet, ...shown(phase) },
        {
          notice: (noticed) => phase.status === 'review' && phase.approval.handlers.notice(noticed),
          go: () => {
            if (phase.status === 'reading') turnTo(review())
          },
          keep: () => handle.end(done(undefined)),
          leave: () => void session.logout().catch(() => {}),
        },
      )

    const shown = (now: Phase) =>
      now.status === 'review' ? { status: now.status, gate: now.approval.gate(), problem } : now

    function turnTo(next: Phase) {
      phase = next
      handle.update(view())
    }

    function review(): Phase {
      const approval = requestApproval('account-change', () => {
        if (phase.status === 'review' && phase.approval === approval) handle.update(view())
      })
      approval.outcome.then(
        () => remove(),
        () => turnTo({ status: 'refused' }),
      )
      return { status: 'review', approval }
    }

    async function remove() {
      turnTo({ status: 'deleting' })
      try {
        await callWallet({ event: 'account:delete', card: handle, call: (factor) => deleteOnce(factor) })
        turnTo({ status: 'deleted' })
      } catch (cause) {
        problem =
          verificationProblem(toLatchkeyError(cause, 'error', 'The account was not deleted')) ?? 'other'
        turnTo(review())
      }
    }

    async function deleteOnce(factor: VerifiedAsker['verification']) {
      const operation = await wallet.begin({ signal })
      try {
        const { data } = await wallet.tokenFor(operation, 'delete-account', null, { signal })
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
