/**
 * Signs a message after the user saw it: connect, recover where this browser has no share, review, sign.
 * What is signed is the string that was shown.
 */
import {
  LatchkeyError,
  messages,
  messageToSign,
  rpcErrorTexts,
  type SignUi,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import * as v from 'valibot'
import { refuseProof } from '../wallet/message.ts'
import { appName } from './app-settings.ts'
import { createGate, gateRefusal } from './gate.ts'
import { exitCodes } from './navigation.ts'
import type { FlowPorts } from './ports.ts'
import type { Flow, Stage } from './stage.ts'
import type { ScreenView, SignState, ViewEvent } from './view-state.ts'

export type SignRequest = { readonly message: string; readonly ui?: SignUi }
export type Signed = { readonly signature: string; readonly address: string }

export const signTexts: Pick<SignState, 'title' | 'description' | 'buttonText'> = {
  title: 'Sign message',
  description: 'Signing this message will not cost you any fees.',
  buttonText: 'Sign and continue',
}

const userRejectedCode = 4001

export type SignFlow = {
  readonly outcome: Promise<Signed>
  readonly left: Promise<void>
  /** Ends the flow without the user, as after a logout. */
  readonly abandon: (error: LatchkeyError) => void
}

/** Refuses before anything is shown. */
export function checkMessage(message: unknown): void {
  const parsed = v.safeParse(messageToSign, message)
  if (parsed.success) {
    refuseProof(parsed.output)
    return
  }
  const text =
    message === '' || typeof message !== 'string' ? messages.emptyMessage : parsed.issues[0].message
  throw new LatchkeyError('invalid_message', text)
}

/** The steps of this flow; each knows what a close then means. */
type Phase =
  | { readonly at: 'connecting' }
  | { readonly at: 'review' }
  | { readonly at: 'signing' }
  | { readonly at: 'signed'; readonly signed: Signed }
  | { readonly at: 'failed'; readonly error: LatchkeyError }

export function startSign(
  ports: FlowPorts & { readonly stage: Stage },
  request: SignRequest,
  account: WalletAccount,
): SignFlow {
  const { stage, wallet, analytics, settings } = ports
  const { address } = account
  const outcome = Promise.withResolvers<Signed>()
  const left = Promise.withResolvers<void>()
  const gate = createGate({ after: stage.after, onChange: showReview })
  let phase: Phase = { at: 'connecting' }
  let over = false

  const flow: Flow = {
    kind: 'approval',
    handle,
    lost: (error) => end(toLatchkeyError(error, 'unable_to_sign', 'The dialog is gone')),
  }
  const { ui = {} } = request
  const shown = {
    title: ui.title ?? signTexts.title,
    description: ui.description ?? signTexts.description,
    buttonText: ui.buttonText ?? signTexts.buttonText,
    iconUrl: ui.iconUrl,
    message: request.message,
    address,
    appName: appName(settings()),
    origin: settings().hostOrigin,
  }
  type Step =
    | { readonly status: 'review'; readonly gate: ReturnType<typeof gate.state> }
    | { readonly status: 'signing' }
    | { readonly status: 'success' }
    | { readonly status: 'failed'; readonly problem: string }
  const signView = (step: Step): ScreenView => ({
    name: 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN',
    state: { ...shown, ...step } satisfies SignState,
  })
  const connectView = (status: 'connecting' | 'recovering'): ScreenView => ({
    name: 'EMBEDDED_WALLET_CONNECTING_SCREEN',
    state: { status },
  })

  function end(error?: LatchkeyError) {
    if (over) return
    over = true
    if (error) outcome.reject(error)
    stage.close(flow).then(left.resolve, left.reject)
  }

  async function connect() {
    phase = { at: 'connecting' }
    try {
      await wallet.connect(address).catch(recover)
      if (over) return
      phase = { at: 'review' }
      stage.replace(signView({ status: 'review', gate: 'disarmed' }))
      gate.disarm()
    } catch (error) {
      fail(error, messages.walletRecovery.unable)
    }
  }

  async function recover(error: unknown) {
    if (!(error instanceof LatchkeyError) || error.code !== 'wallet_not_on_device') throw error
    if (account.recoveryMethod !== undefined && account.recoveryMethod !== 'latchkey') throw error
    if (over) return
    stage.update(connectView('recovering'))
    analytics('embedded_wallet_pinless_recovery_started')
    await wallet.recover(address)
    analytics('embedded_wallet_recovery_completed')
  }

  async function sign() {
    phase = { at: 'signing' }
    stage.update(signView({ status: 'signing' }))
    try {
      const signature = await signOrRecover()
      if (over) return
      const signed = { signature, address }
      phase = { at: 'signed', signed }
      outcome.resolve(signed)
      analytics('embedded_wallet_sign_message_completed')
      stage.update(signView({ status: 'success' }))
      stage.after(walletLimits.signSuccessCloseMs, () => end())
    } catch (error) {
      fail(error, messages.walletRecovery.failed)
    }
  }

  /** The share may have gone between the review and the click. */
  async function signOrRecover(): Promise<string> {
    try {
      return await wallet.signMessage(address, request.message)
    } catch (error) {
      await recover(error)
      return wallet.signMessage(address, request.message)
    }
  }

  function fail(cause: unknown, problem: string) {
    if (over) return
    const { code } = toLatchkeyError(cause, 'unable_to_sign', problem)
    const error = new LatchkeyError('unable_to_sign', problem, { cause, details: { cause: code } })
    phase = { at: 'failed', error }
    const view = signView({ status: 'failed', problem })
    if (stage.screen()?.name === view.name) stage.update(view)
    else stage.replace(view)
  }

  function showReview() {
    if (phase.at === 'review') stage.update(signView({ status: 'review', gate: gate.state() }))
  }

  function dismiss() {
    switch (phase.at) {
      case 'connecting':
      case 'review':
        return end(gate.state() === 'hidden' ? hiddenError() : rejectedError())
      case 'failed':
        return end(phase.error)
      case 'signed':
        return end()
      case 'signing':
        // Too late to take back; it has a deadline.
        return
      default:
        phase satisfies never
    }
  }

  function handle(event: ViewEvent) {
    switch (event.type) {
      case 'close':
        return dismiss()
      case 'visibility': {
        const refused = gateRefusal('message', event.reading.method)
        if (refused) return end(new LatchkeyError(refused, 'This browser can not tell that it was seen'))
        return gate.read(event.reading)
      }
      case 'approve':
        if (phase.at === 'review' && event.trusted && gate.state() === 'armed') void sign()
        return
      case 'retry':
        if (phase.at !== 'failed') return
        stage.restart(connectView('connecting'))
        void connect()
        return
      case 'back':
      case 'info':
      case 'submit-email':
      case 'submit-code':
      case 'resend-code':
      case 'log-out':
        return
      default:
        event satisfies never
    }
  }

  stage.open(flow, connectView('connecting'))
  analytics('embedded_wallet_sign_message_started')
  void connect()
  return { outcome: outcome.promise, left: left.promise, abandon: end }
}

const rejectedError = () =>
  new LatchkeyError(exitCodes.approval, rpcErrorTexts[userRejectedCode], {
    details: { code: userRejectedCode },
  })
const hiddenError = () =>
  new LatchkeyError('not_visible', 'The request could not be seen whole, so it could not be approved')
