/**
 * Signs a message after the user saw it. The card is there at once, from the address that is known, and connects
 * the wallet while it is read; a device that has no share is given one first. What is signed is what was shown.
 */
import {
  embeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { type Approval, requestApproval } from '../../core/approval.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import type { Gate } from '../../core/gate.ts'
import { requireUser } from '../../core/require-user.ts'
import { screen } from '../../core/screen.ts'
import type { Cancellable } from '../../waiting.ts'
import { hiddenError, rejectedError, unableToSign } from './errors.ts'
import type { Signed, SignRequest } from './request.ts'
import type { RequestStep, ShownRequest } from './request-screen.tsx'
import { connectingScreen, requestScreen } from './screens.ts'
import { shownRequest } from './shown-request.ts'
import { english } from './texts.en.ts'

export type SignFlow = RunningFlow<Signed> & {
  /** Ends the flow without the user, as after a logout. */
  readonly abandon: (error: LatchkeyError) => void
}

export function createSignFlow(
  ports: CapabilityPorts,
  request: SignRequest,
  handle: FlowHandle<Signed>,
): SignFlow {
  let signing: Signing | undefined
  return {
    kind: 'approval',
    async run() {
      const account = await requireWallet(ports, handle)
      const shown = shownRequest(request, account, ports.settings())
      signing = createSigning(ports, handle, account, shown)
      const attempted = signing.attempt()
      ports.analytics('embedded_wallet_sign_message_started')
      await attempted
    },
    onClose: () => failed(signing?.errorOfClose() ?? rejectedError()),
    abandon: (error) => handle.end(failed(error)),
  }
}

async function requireWallet({ session }: CapabilityPorts, asker: Cancellable): Promise<WalletAccount> {
  const account = embeddedWallet(await requireUser(session, asker))
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to sign with')
  return account
}

const recoveringView = () => screen(connectingScreen, { status: 'recovering' }, {})

/** Where it stands. `error` is what the caller gets of a failure that the user leaves at that. */
type Phase =
  | { readonly at: 'connecting' }
  | { readonly at: 'review'; readonly approval: Approval }
  | { readonly at: 'signing' }
  | { readonly at: 'failed'; readonly error: LatchkeyError }

const couldNotBeRead: readonly Gate['state'][] = ['hidden', 'unreadable']

type Signing = {
  /** From the connection to the signature, or to a failure that can be tried again. */
  readonly attempt: () => Promise<void>
  readonly errorOfClose: () => LatchkeyError
}

function createSigning(
  { wallet, callWallet, analytics }: CapabilityPorts,
  handle: FlowHandle<Signed>,
  account: WalletAccount,
  shown: ShownRequest,
): Signing {
  const { address } = account
  const { message } = shown
  let phase: Phase = { at: 'connecting' }

  function show(step: RequestStep) {
    const view = screen(requestScreen, { ...shown, ...step }, { notice, retry })
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
      const refusal = await approveWhileConnecting()
      if (refusal) return handle.end(failed(refusal))
    } catch (error) {
      return fail(error, english.problems.unable)
    }
    try {
      succeed(await sign())
    } catch (error) {
      fail(error, english.problems.failed)
    }
  }

  /** The wallet is connected and the user approved; or they could not, and the error says why. */
  async function approveWhileConnecting(): Promise<LatchkeyError | undefined> {
    const recovering = Promise.withResolvers<'recovering'>()
    const connection = connect(() => recovering.resolve('recovering'))
    const unconnected = connection.then(() => new Promise<never>(() => {}))
    const first = await Promise.race([review(), recovering.promise, unconnected])
    if (first === 'recovering') {
      phase = { at: 'connecting' }
      handle.replace(recoveringView())
      await connection
      return review()
    }
    if (first) return first
    // It is not signed yet, but it is out of the user's hands.
    phase = { at: 'signing' }
    show({ status: 'signing' })
    await connection
    return undefined
  }

  async function connect(onRecovering: () => void) {
    let isTried = false
    await callWallet({
      account,
      card: handle,
      onRecovering,
      async call() {
        // A device that was just given its share holds it.
        if (isTried) return
        isTried = true
        await wallet.connect(address, handle)
      },
    })
  }

  /** Nothing for an approval, else why there can be none here. */
  function review(): Promise<LatchkeyError | undefined> {
    const approval = requestApproval('message', (gate) => {
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

  function sign(): Promise<string> {
    phase = { at: 'signing' }
    show({ status: 'signing' })
    return callWallet({
      account,
      card: handle,
      call: (verification) => wallet.signMessage(address, message, { signal: handle.signal, verification }),
    })
  }

  function succeed(signature: string) {
    if (handle.signal.aborted) return
    handle.settle(done({ signature, address }))
    analytics('embedded_wallet_sign_message_completed')
    show({ status: 'success' })
    handle.after(walletLimits.signSuccessCloseMs, handle.end)
  }

  function fail(cause: unknown, problem: string) {
    phase = { at: 'failed', error: unableToSign(cause, problem) }
    show({ status: 'failed', problem })
  }

  return {
    attempt,
    errorOfClose() {
      if (phase.at === 'failed') return phase.error
      return phase.at === 'review' && couldNotBeRead.includes(phase.approval.gate().state)
        ? hiddenError()
        : rejectedError()
    },
  }
}
