/** Connects the wallet while the user reads, and signs the approved request. */
import { dialogLimits, type LatchkeyError, type WalletAccount, walletLimits } from '@latchkey/protocol'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import { useLayoutEffect, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenHandle } from '../../app/screen.ts'
import { pushOnCard } from '../../app/screen-stack.ts'
import { mustMoveToPage } from '../../approval/confirmed.ts'
import { isExpiry, isRefusal, unableToSign } from '../../approval/rejection.ts'
import { useSignatureApproval } from '../../approval/step/use-signature-approval.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { connectingScreen } from './screens.ts'
import { createSigningSteps } from './signing-steps.ts'
import { english, type Texts } from './texts.arb'
import type { Signed, ToSign } from './to-sign.ts'

export type SignProblem = keyof Texts['problems']
export type SigningStatus =
  | { status: 'review' }
  | { status: 'signing' }
  | { status: 'success' }
  | { status: 'failed'; problem: SignProblem }

export type SigningProps = {
  ports: CapabilityPorts
  account: WalletAccount
  toSign: ToSign
  requester: RelayedRequester | undefined
  /** The window that the host page opened, for the first approval. */
  window: string | undefined
  /** The server's answer to a silent request, for the first approval. */
  answer: ConfirmedRequest | undefined
  /** Runs when the user sees the request. */
  onStart: () => void
  /** Sets the error that the caller gets if the user closes the card. */
  setFailure: (error: LatchkeyError | undefined) => void
  onSigned: (signed: Signed) => void
}

export function useSigning(
  { ports, account, toSign, requester, window, answer, onStart, setFailure, onSigned }: SigningProps,
  screen: ScreenHandle<Signed>,
) {
  const { handle, services } = useDialog()
  const [step, setStep] = useState<SigningStatus>({ status: 'review' })
  const { address } = account
  const approval = useSignatureApproval(ports, { address, kind: toSign.approval, requester, answer, window })
  const { connect, sign } = createSigningSteps(ports, toSign, account, handle)

  async function start(): Promise<void> {
    if (toSign.blocked) return
    setFailure(undefined)
    setStep({ status: 'review' })
    let isConnected = false
    let confirmed: ConfirmedRequest | undefined
    let wait: ReturnType<typeof showLater> | undefined
    try {
      const connection = connect().then(() => {
        isConnected = true
        wait?.stop()
      })
      const approved = approval.request(toSign.request(address))
      // A failed connection ends the review.
      confirmed = await Promise.race([approved, connection.then(() => approved)])
      setStep({ status: 'signing' })
      if (!isConnected) wait = showLater()
      await connection
      const signed = await sign(confirmed)
      setStep({ status: 'success' })
      onSigned(signed)
      wait?.uncover()
      await handle.hold(walletLimits.signSuccessCloseMs)
      screen.resolve(signed)
    } catch (cause) {
      if (handle.signal.aborted) return
      wait?.stop()
      wait?.uncover()
      const signedAs = isConnected ? confirmed : undefined
      if (signedAs && mustMoveToPage(cause, signedAs)) return start()
      if (isRefusal(cause)) screen.reject(cause)
      else fail(cause, signedAs ? 'failed' : 'unable')
    }
  }

  /** Names a wait for the connection that lasts. */
  function showLater() {
    let uncover: () => unknown = () => {}
    const stop = handle.after(dialogLimits.progressAfterMs, () => {
      void pushOnCard(services, handle, connectingScreen, {})
      uncover = () => handle.isAt(connectingScreen) && handle.back()
    })
    return { stop, uncover: () => uncover() }
  }

  function fail(cause: unknown, fallback: SignProblem) {
    const problem = isExpiry(cause) ? 'expired' : fallback
    const error = unableToSign(cause, english.problems[problem])
    setFailure(error)
    setStep({ status: 'failed', problem: verificationProblem(error) ?? problem })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first attempt starts with the screen.
  useLayoutEffect(() => {
    onStart()
    void start()
  }, [])

  return { step, approval, retry: () => void start() }
}
