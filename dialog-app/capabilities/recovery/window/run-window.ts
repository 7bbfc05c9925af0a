/**
 * What keeps the wallet is given in a window of the wallet's origin, which this card waits for. It hears
 * that it was given, and whether it worked; never what it was. `run-state.ts` decides what comes next; this does it.
 */
import { type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import { attestation, recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import type { OpenedWindowState, RecoveryWindowPurpose, UserRecovery } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { DialogServices } from '../../../app/services.ts'
import {
  createWalletWindow,
  type NoWindow,
  noWindowIn,
  type WindowStep,
} from '../../../app/wallet-window/wallet-window.ts'
import { approveAction } from '../../../contract/approved-action.ts'
import type { CardHandle } from '../../../flow/flow.ts'
import { createMachine } from '../../../flow/machine.ts'
import type { ScreenToShow } from '../../../flow/screen.ts'
import type { Handle } from '../../../wallet/operations.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'
import { type RunEffect, type RunEvent, type RunPhase, type RunState, runStep } from './run-state.ts'

type Ports = Pick<DialogServices, 'api' | 'settings' | 'wallet'>

export type RunStep<Problem> =
  | WindowStep<Problem>
  /** What was given is being used. */
  | { at: 'working' }

/** How a method looks on the card. */
export type WindowFace<Problem> = {
  record: { name: string }
  /** The screen tells `opened` what its button says of the window. Undefined where nothing new is seen. */
  screenOf: (step: RunStep<Problem>, opened: (state: OpenedWindowState) => void) => ScreenToShow | undefined
  noWindow: { [reason in NoWindow]: Problem }
  problemOf: (error: unknown) => Problem
}

export type WindowRun<Problem> = {
  method: UserRecovery
  purpose: RecoveryWindowPurpose
  /** The address of the wallet; null where one is to be made. */
  address: () => string | null
  /** The user agent is this browser's own, but for tests. */
  userAgent: string | undefined
  face: WindowFace<Problem>
  /** The first screen stands alone, or back leads from it. */
  show: CardHandle['go']
  /** This is called where nothing was given. */
  onRefused?: (error: unknown) => void
  /** This may fail. The user is then asked again: in the same window, or in another one where what was given is used up. */
  use: (own: OwnRecovery) => Promise<void>
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
  const { promise, resolve, reject } = Promise.withResolvers<void>()

  const machine = createMachine<RunState<Problem>, RunEvent<Problem>, RunEffect<Problem>>({
    initial: { phase: { at: 'beginning' } },
    step: runStep<Problem>(),
    draw: ({ phase }) => draw(phase),
    signal: card.signal,
    crashed: reject,
    effects: {
      show({ step }) {
        const view = screenOf(step)
        if (view) run.show(view)
      },
      ask: ({ problem }) => window.ask(problem),
      hear: ({ state }) => window.hear(state),
      'tell refusal': ({ cause }) => run.onRefused?.(cause),
      resolve: () => resolve(),
    },
  })

  /** Nothing is seen of a window that its user left behind. */
  function draw(phase: RunPhase<Problem>) {
    const step = stepOf(phase)
    const view = step && card.isAt(face.record) ? screenOf(step) : undefined
    if (view) card.update(view)
  }
  const screenOf = (step: RunStep<Problem>) =>
    face.screenOf(step, (state) => machine.send({ type: 'pressed', state }))

  const none = noWindowIn(settings(), run.userAgent ?? navigator.userAgent)
  const window = createWalletWindow<Problem>({
    signal: card.signal,
    obstacle: none && face.noWindow[none],
    next: windows.next,
    show: (step) => machine.send({ type: 'window shown', step }),
    serve: (handle, { signal }) => serve(handle, run.address(), signal),
    onDone: () => machine.send({ type: 'used' }),
    onFailed: (error) => machine.send({ type: 'window failed', problem: face.problemOf(error) }),
  })

  /** The window is served until the recovery has worked. A window in which something was set has said so once, and is begun anew. */
  async function serve(handle: string, address: string | null, signal: AbortSignal): Promise<void> {
    /** What keeps a wallet that is there is changed only when its user has said so in the window. */
    const toConfirm = purpose === 'recover' ? null : address
    let windowError: { code: string; retryAfterSeconds?: number } | undefined
    for (;;) {
      try {
        const passkey = method === 'passkey' ? await passkeyToAsk(signal) : undefined
        const { newPasskey } = await windows.ask(
          {
            window: handle,
            method,
            purpose,
            address,
            ...(passkey && { passkey }),
            ...(windowError && { problem: windowError }),
          },
          signal,
        )
        // Its user went back, and sets nothing by what a window that they left behind says.
        if (isCloud && !card.isAt(face.record)) window.abandon()
        signal.throwIfAborted()
        if (newPasskey) await register(newPasskey, signal)
        const confirmation = toConfirm === null ? undefined : await confirm(handle, toConfirm, signal)
        machine.send({ type: 'given' })
        return await run.use({ method, window: handle, confirmation })
      } catch (error) {
        const { code, retryAfterSeconds } = toLatchkeyError(error, 'error', '')
        if (!signal.aborted) machine.send({ type: 'refused', cause: error })
        windowError = {
          code: reasonOf(error) ?? code,
          ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        }
        if (isCloud || toConfirm !== null || signal.aborted || isOver.has(code)) {
          windows.end({ window: handle, problem: windowError })
          throw error
        }
        machine.send({ type: 'asked again' })
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

  /** Puts the confirmation as late as possible, because it expires within minutes. */
  const confirm = (window: string, address: string, signal: AbortSignal): Promise<Handle> =>
    approveAction(ports, {
      address,
      action: { method: 'set-recovery', params: [address, method] },
      signal,
      sign: (named) => windows.confirm({ window, ...named }, signal),
    })

  machine.send({ type: 'begin' })
  return promise
}

/** What is seen of a phase. */
function stepOf<Problem>(phase: RunPhase<Problem>): RunStep<Problem> | undefined {
  switch (phase.at) {
    case 'beginning':
    case 'done':
      return undefined
    case 'waiting':
      return phase.step
    case 'using':
      return { at: 'working' }
    default:
      return phase satisfies never
  }
}

/** The window can not go on: it was closed, or another wallet is there than it was opened for. */
const isOver: ReadonlySet<ErrorCode> = new Set([
  'user_rejected_request',
  'embedded_wallet_recovery_already_exists',
])

/** The details that the vault gives of a share that it could not open. */
const detailsSchema = v.object({ code: v.literal('envelope_refused') })
function reasonOf(error: unknown): string | undefined {
  const { details } = toLatchkeyError(error, 'error', '')
  return v.safeParse(detailsSchema, details).success ? 'envelope_refused' : undefined
}
