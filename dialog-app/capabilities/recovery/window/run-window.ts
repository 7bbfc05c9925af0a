/**
 * What keeps the wallet is given in a window of the wallet's origin, which this card waits for. It hears
 * that it was given, and whether it worked; never what it was.
 */
import { type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import { attestation, confirmPageRoutes, recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import type {
  AccountAction,
  OpenedWindowState,
  RecoveryWindowPurpose,
  UserRecovery,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { FlowPorts } from '../../../contract/ports.ts'
import {
  createWalletWindow,
  type NoWindow,
  noWindowIn,
  type WindowStep,
} from '../../../contract/wallet-window.ts'
import type { CardHandle } from '../../../flow/flow.ts'
import type { Handle } from '../../../wallet/operations.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'

type Ports = Pick<FlowPorts, 'api' | 'settings' | 'wallet'>

export type RunStep<Problem> =
  | WindowStep<Problem>
  /** What was given is being used. */
  | { readonly at: 'working' }

/** The screens of a method. */
export type WindowFace<Problem> = {
  /** The other is told what the button says of its window. */
  readonly show: (step: RunStep<Problem>, hear: (state: OpenedWindowState) => void) => void
  readonly isShown: () => boolean
  readonly noWindow: { readonly [reason in NoWindow]: Problem }
  readonly problemOf: (error: unknown) => Problem
}

export type WindowRun<Problem> = {
  readonly method: UserRecovery
  readonly purpose: RecoveryWindowPurpose
  /** Of the wallet that is there; null where one is to be made. */
  readonly address: () => string | null
  /** This one's, but for tests. */
  readonly userAgent: string | undefined
  readonly face: WindowFace<Problem>
  /** Nothing was given. */
  readonly onRefused?: (error: unknown) => void
  /** May fail; then it is asked again: in the same window, or where what was given is used up, in another one. */
  readonly use: (own: OwnRecovery) => Promise<void>
}

export async function runWindow<Problem>(
  ports: Ports,
  card: CardHandle,
  run: WindowRun<Problem>,
): Promise<void> {
  const { wallet, api, settings } = ports
  const { method, purpose, face } = run
  const isCloud = method === 'google-drive' || method === 'icloud'
  const windows = await wallet.recoveryWindows()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isGiven = false

  const show = (step: RunStep<Problem>) => face.show(step, hear)
  const none = noWindowIn(settings(), run.userAgent ?? navigator.userAgent)
  const window = createWalletWindow<Problem>({
    signal: card.signal,
    obstacle: none && face.noWindow[none],
    next: windows.next,
    // What was given is used, whatever its window does.
    show: (step) => (step.at === 'asking' || (!isGiven && face.isShown())) && show(step),
    serve: (handle, signal) => serve(handle, run.address(), signal),
    onDone: resolve,
    onFailed: (error) => window.ask(face.problemOf(error)),
  })
  const hear = (state: OpenedWindowState) => window.hear(state)

  /** Until it has worked. A window in which something was set has said so once, and is begun anew. */
  async function serve(handle: string, address: string | null, signal: AbortSignal): Promise<void> {
    /** What keeps a wallet that is there is changed only when its user has said so in the window. */
    const toConfirm = purpose === 'recover' ? null : address
    let told: { readonly code: string; readonly retryAfterSeconds?: number } | undefined
    for (;;) {
      isGiven = false
      try {
        const passkey = method === 'passkey' ? await passkeyToAsk(signal) : undefined
        const { newPasskey } = await windows.ask(
          {
            window: handle,
            method,
            purpose,
            address,
            ...(passkey && { passkey }),
            ...(told && { problem: told }),
          },
          signal,
        )
        // Its user went back, and sets nothing by what a window that they left behind says.
        if (isCloud && !face.isShown()) window.abandon()
        signal.throwIfAborted()
        if (newPasskey) await register(newPasskey, signal)
        const confirmation = toConfirm === null ? undefined : await confirm(handle, toConfirm, signal)
        isGiven = true
        if (isCloud) show({ at: 'working' })
        return await run.use({ method, window: handle, confirmation })
      } catch (error) {
        const { code, retryAfterSeconds } = toLatchkeyError(error, 'error', '')
        if (!isGiven && !signal.aborted) run.onRefused?.(error)
        told = {
          code: reasonOf(error) ?? code,
          ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        }
        if (isCloud || toConfirm !== null || signal.aborted || isOver.has(code)) {
          windows.end({ window: handle, problem: told })
          throw error
        }
      }
    }
  }

  async function passkeyToAsk(signal: AbortSignal) {
    const { options, salt } =
      purpose === 'recover'
        ? await api.call(recoveryPasskeyRoutes.askRecoveryPasskey, {}, { signal })
        : await api.call(recoveryPasskeyRoutes.beginRecoveryPasskey, {}, { signal })
    return { options: { ...options }, salt }
  }

  const register = (said: unknown, signal: AbortSignal) =>
    api.call(
      recoveryPasskeyRoutes.registerRecoveryPasskey,
      { authenticatorResponse: v.parse(attestation, said) },
      { signal },
    )

  /** Put when it is about to be said: it is good for minutes. */
  async function confirm(window: string, address: string, signal: AbortSignal): Promise<Handle> {
    const action: AccountAction = { method: 'set-recovery', params: [address, method] }
    const { handle, digest } = await wallet.confirm(address, action, { place: 'page', signal })
    const { statement } = await windows.confirm({ window, handle, digest }, signal)
    await api.call(
      confirmPageRoutes.decideConfirmation,
      { handle, digest, decision: 'approve', statement },
      { signal },
    )
    return { handle, digest }
  }

  window.ask()
  return promise
}

/** The window can not go on: it was closed, or another wallet is there than it was opened for. */
const isOver: ReadonlySet<ErrorCode> = new Set([
  'user_rejected_request',
  'embedded_wallet_recovery_already_exists',
])

/** As the vault says it of what it could not open. */
const detailsSchema = v.object({ code: v.literal('envelope_refused') })
function reasonOf(error: unknown): string | undefined {
  const { details } = toLatchkeyError(error, 'error', '')
  return v.safeParse(detailsSchema, details).success ? 'envelope_refused' : undefined
}
