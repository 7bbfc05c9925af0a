/**
 * Signs what a host asks for after the user saw it. The card is there at once, from the address that is known, and connects
 * the wallet while it is read; a device that has no share is given one first. What is signed is what was shown.
 */
import {
  type ChainType,
  dialogLimits,
  embeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { type Approval, requestApproval } from '../../core/approval.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import { rejectedError, unableToSign } from '../../core/rejection.ts'
import { requireUser } from '../../core/require-user.ts'
import { screen } from '../../core/screen.ts'
import { verificationProblem } from '../../core/verification-problem.ts'
import { createWalletCalls } from '../../core/wallet-obstacles.ts'
import type { Cancellable } from '../../waiting.ts'
import type { Signed, SignRequest } from './request.ts'
import type { RequestStep, ShownRequest } from './request-screen.tsx'
import { connectingScreen, requestScreen } from './screens.ts'
import { shownRequest } from './shown-request.ts'
import { english } from './texts.en.ts'
import { blockedError, type ToSign } from './to-sign.ts'

export function createSignFlow(
  ports: CapabilityPorts,
  request: SignRequest,
  toSign: ToSign,
  handle: FlowHandle<Signed>,
): RunningFlow<Signed> {
  let signing: Signing | undefined
  return {
    kind: 'approval',
    async run() {
      const account = await requireWallet(ports, toSign.signer.chain, handle)
      const shown = shownRequest(request, toSign, account, ports.settings())
      if (toSign.blocked) return block(ports, handle, shown, toSign.blocked)
      signing = createSigning(ports, handle, account, shown, toSign)
      const attempted = signing.attempt()
      ports.analytics(toSign.started)
      await attempted
    },
    onClose: () => failed(signing?.errorOfClose() ?? rejectedError()),
  }
}

/** The caller hears at once; the user reads why, and closes. */
function block(
  { analytics }: CapabilityPorts,
  handle: FlowHandle<Signed>,
  shown: ShownRequest,
  why: NonNullable<ToSign['blocked']>,
): void {
  analytics('possible_phishing_attempt')
  handle.settle(failed(blockedError(why)))
  const handlers = { notice: () => {}, retry: () => {}, leave: () => handle.end() }
  handle.replace(screen(requestScreen, { ...shown, status: 'blocked', why }, handlers))
}

async function requireWallet(
  ports: CapabilityPorts,
  chain: ChainType,
  asker: Cancellable,
): Promise<WalletAccount> {
  const account = embeddedWallet(await requireUser(ports, asker), chain)
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to sign with')
  return account
}

const connectingView = () => screen(connectingScreen, {}, {})

/** Where it stands. `error` is what the caller gets of a failure that the user leaves at that. */
type Phase =
  | { readonly at: 'connecting' }
  | { readonly at: 'review'; readonly approval: Approval }
  | { readonly at: 'signing' }
  | { readonly at: 'failed'; readonly error: LatchkeyError }

type Signing = {
  /** From the connection to the signature, or to a failure that can be tried again. */
  readonly attempt: () => Promise<void>
  readonly errorOfClose: () => LatchkeyError
}

function createSigning(
  { wallet, remedies, analytics }: CapabilityPorts,
  handle: FlowHandle<Signed>,
  account: WalletAccount,
  shown: ShownRequest,
  toSign: ToSign,
): Signing {
  const { address } = account
  const { signer } = toSign
  const callWallet = createWalletCalls(remedies)
  let phase: Phase = { at: 'connecting' }

  function show(step: RequestStep) {
    const view = screen(requestScreen, { ...shown, ...step }, { notice, retry, leave: () => {} })
    if (handle.isAt(requestScreen)) handle.update(view)
    else handle.replace(view)
  }
  const notice: Approval['handlers']['notice'] = (noticed) => {
    if (phase.at === 'review') phase.approval.handlers.notice(noticed)
  }
  function retry() {
    if (phase.at === 'failed') void attempt()
  }

  async function attempt() {
    try {
      const connection = connect()
      const refusal = await Promise.race([review(), failureOf(connection)])
      if (refusal) return handle.end(failed(refusal))
      // It is not signed yet, but it is out of the user's hands.
      phase = { at: 'signing' }
      show({ status: 'signing' })
      await connectedOrNamed(connection)
    } catch (error) {
      return fail(error, english.problems.unable)
    }
    try {
      succeed(await sign())
    } catch (error) {
      fail(error, english.problems.failed)
    }
  }

  /** Never where the wallet connects, which the user may approve before. */
  const failureOf = (connection: Promise<void>) => connection.then(() => new Promise<never>(() => {}))

  /** The card that is read stays; what it waits for is named once nothing else is left to be waited for. */
  async function connectedOrNamed(connection: Promise<void>) {
    const stop = handle.after(dialogLimits.progressAfterMs, () => handle.replace(connectingView()))
    await connection.finally(stop)
  }

  const connect = (): Promise<void> => {
    let isTried = false
    return callWallet({
      event: signer.events.connect,
      account,
      card: handle,
      async call() {
        // A device that was just given its share holds it.
        if (isTried) return
        isTried = true
        await signer.connect(wallet, address, handle)
      },
    })
  }

  /** Nothing for an approval, else why there can be none here. */
  function review(): Promise<LatchkeyError | undefined> {
    const approval = requestApproval(toSign.approval, (gate) => {
      if (phase.at === 'review' && phase.approval === approval) show({ status: 'review', gate })
    })
    phase = { at: 'review', approval }
    wallet.prepareSign(address, handle)
    show({ status: 'review', gate: approval.gate() })
    return approval.outcome.then(
      () => undefined,
      (error: unknown) => toLatchkeyError(error, 'unable_to_sign', 'It could not be approved'),
    )
  }

  const sign = (): Promise<string> =>
    callWallet({
      event: signer.events.sign,
      account,
      card: handle,
      call: (verification) => toSign.sign(wallet, address, { signal: handle.signal, verification }),
    })

  function succeed(signature: string) {
    if (handle.signal.aborted) return
    handle.settle(done({ signature, address }))
    analytics(toSign.completed)
    show({ status: 'success' })
    void handle.hold(walletLimits.signSuccessCloseMs).then(() => handle.end())
  }

  function fail(cause: unknown, problem: string) {
    const error = unableToSign(cause, problem)
    const ofVerification = verificationProblem(error)
    phase = { at: 'failed', error }
    show({ status: 'failed', problem: ofVerification ? english.problems[ofVerification] : problem })
  }

  return {
    attempt,
    errorOfClose: () => (phase.at === 'failed' ? phase.error : rejectedError()),
  }
}
