/** Runs the attempts to send a transaction, until the chain has included one or the user leaves. */
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import { useLayoutEffect, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenHandle } from '../../app/screen.ts'
import { mustMoveToPage } from '../../approval/confirmed.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { useSignatureApproval } from '../../approval/step/use-signature-approval.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { Attempts, FailureCode } from './attempts.ts'
import type { CheckedTransaction, Reviewed, SendPorts, SendSteps } from './send-steps.ts'
import type { SendRequest, Sent } from './transaction.ts'

export type SendStep =
  | { status: 'loading' }
  /** A wallet that cannot pay gets no approve button. */
  | ({ status: 'review' | 'submitting' } & Reviewed)
  | { status: 'waiting'; hash: string }
  | { status: 'success'; hash: string }
  | {
      status: 'failed'
      code: FailureCode
      hash: string | undefined
      /** The caller has the hash already, so no retry is offered. */
      isAnswered: boolean
    }

export type SendingProps = {
  ports: SendPorts
  checked: CheckedTransaction
  steps: SendSteps
  attempts: Attempts
  /** The preparation of the first attempt. */
  preparation: Promise<Reviewed>
  /** The server's answer to a silent request, for the first approval. */
  answer: ConfirmedRequest | undefined
  requester: RelayedRequester | undefined
  /** The window that the host page opened, for the first approval. */
  window: string | undefined
  answerWhen: NonNullable<SendRequest['answerWhen']>
  /** Resolves the call while the screen stays open. */
  settle: (sent: Sent) => void
}

export function useSending(
  { ports, checked, steps, attempts, requester, window, answerWhen, settle, ...first }: SendingProps,
  screen: ScreenHandle<Sent>,
) {
  const { handle } = useDialog()
  const [step, setStep] = useState<SendStep>({ status: 'loading' })
  const isAnswered = useRef(false)
  const { account, transaction, chain, rpc } = checked
  const { address } = account
  const { answer } = first
  const approval = useSignatureApproval(ports, { address, kind: 'transaction', requester, answer, window })

  async function attempt(preparation = steps.prepare()): Promise<void> {
    setStep({ status: 'loading' })
    const reviewed = await preparation
    if (!reviewed.prepared.hasEnough) {
      attempts.lackFunds()
      return setStep({ status: 'review', ...reviewed })
    }
    const request = await steps.toRequest(reviewed)
    const approved = approval.request(request)
    setStep({ status: 'review', ...reviewed })
    const confirmed = await approved
    setStep({ status: 'submitting', ...reviewed })
    const sent = await steps.sign(request, confirmed).catch((cause: unknown) => {
      if (mustMoveToPage(cause, confirmed)) return undefined
      throw cause
    })
    if (!sent) return attempt()
    if (answerWhen === 'signed') return screen.resolve(sent)
    succeed(await steps.deliver(sent, reviewed, { follows: true, onSent, onFollow }))
  }

  async function resume() {
    setStep({ status: 'loading' })
    const sent = await steps.resume(onFollow)
    if (sent) succeed(sent)
    else await attempt()
  }

  function onSent(sent: Sent) {
    if (answerWhen !== 'sent') return
    isAnswered.current = true
    settle(sent)
  }

  function onFollow(hash: string) {
    setStep({ status: 'waiting', hash })
  }

  function succeed(sent: Sent) {
    settle(sent)
    setStep({ status: 'success', hash: sent.receipt.transactionHash })
  }

  async function run(send: () => Promise<void>) {
    try {
      await send()
    } catch (cause) {
      if (handle.signal.aborted) return
      if (isRefusal(cause)) return screen.reject(attempts.getRejection(cause))
      const { code, hash } = attempts.fail(cause)
      setStep({ status: 'failed', code, hash, isAnswered: isAnswered.current })
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first attempt starts with the screen.
  useLayoutEffect(() => {
    void run(() => attempt(first.preparation))
  }, [])

  return {
    step,
    approval,
    retry() {
      // The screen of a failure stays visible while a retry is too short to show progress.
      if (step.status === 'failed') void run(resume)
    },
    async addFunds() {
      if (step.status !== 'review') return
      const { balance, mostFee } = step.prepared
      const untilBalance = transaction.value + mostFee
      const needed = { address, chain, rpc, missing: untilBalance - balance, untilBalance }
      await ports.addFunds(handle, needed).catch(() => {})
      // The fees may have changed meanwhile.
      if (!handle.signal.aborted) await run(attempt)
    },
  }
}
