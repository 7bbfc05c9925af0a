/** Signs a message after the user saw it: connect, review, sign. What is signed is the string that was shown. */
import {
  embeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import type { Approval } from '../../core/approval.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
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
      handle.go(connectingView('connecting'))
      ports.analytics('embedded_wallet_sign_message_started')
      await signing.attempt()
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

const connectingView = (status: 'connecting' | 'recovering') => screen(connectingScreen, { status }, {})

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
  { wallet, callWallet, approvals, analytics }: CapabilityPorts,
  handle: FlowHandle<Signed>,
  account: WalletAccount,
  shown: ShownRequest,
): Signing {
  const { address } = account
  const { message } = shown
  let phase: Phase = { at: 'connecting' }

  function show(step: RequestStep) {
    const view = screen(requestScreen, { ...shown, ...step }, { see, approve, retry })
    if (handle.isAt(requestScreen)) handle.update(view)
    else handle.replace(view)
  }
  const see: Approval['handlers']['see'] = (reading) => {
    if (phase.at === 'review') phase.approval.handlers.see(reading)
  }
  const approve: Approval['handlers']['approve'] = (trusted) => {
    if (phase.at === 'review') phase.approval.handlers.approve(trusted)
  }
  function retry() {
    if (phase.at !== 'failed') return
    handle.restart(connectingView('connecting'))
    void attempt()
  }

  async function attempt() {
    try {
      await connect()
    } catch (error) {
      return fail(error, english.problems.unable)
    }
    try {
      await review()
    } catch (error) {
      return handle.end(failed(toLatchkeyError(error, 'unable_to_sign', 'It could not be approved')))
    }
    try {
      succeed(await sign())
    } catch (error) {
      fail(error, english.problems.failed)
    }
  }

  async function connect() {
    phase = { at: 'connecting' }
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

  function onRecovering() {
    if (handle.isAt(connectingScreen)) handle.update(connectingView('recovering'))
  }

  function review(): Promise<void> {
    const approval = approvals.request({
      kind: 'message',
      card: handle,
      onGate(gate) {
        if (phase.at === 'review') show({ status: 'review', gate })
      },
    })
    phase = { at: 'review', approval }
    wallet.prepareSign(address, handle)
    show({ status: 'review', gate: approval.gate() })
    return approval.outcome
  }

  function sign(): Promise<string> {
    phase = { at: 'signing' }
    show({ status: 'signing' })
    return callWallet({ account, card: handle, call: () => wallet.signMessage(address, message, handle) })
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
      return phase.at === 'review' && phase.approval.gate() === 'hidden' ? hiddenError() : rejectedError()
    },
  }
}
