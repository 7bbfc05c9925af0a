/**
 * What keeps the wallet is given in a window of the wallet's origin, which this card opens and waits for. The card hears
 * that it was given, and whether it worked; never what it was.
 */
import { type ErrorCode, oauthLimits, toLatchkeyError } from '@latchkey/protocol'
import { attestation, confirmPageRoutes, recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import type { AccountAction, RecoveryWindowPurpose, UserRecovery } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { CardHandle } from '../../../core/flow.ts'
import type { FlowPorts } from '../../../core/ports.ts'
import type { Handle } from '../../../wallet/operations.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'
import type { LoginWindow, WindowBrowser } from '../../../window-login/browser.ts'
import { openWalletWindow } from '../../../window-login/wallet-window.ts'

type Ports = Pick<FlowPorts, 'api' | 'settings' | 'wallet'>

/** One that reads as closed, or of which nothing can be read, may be open all the same. */
export type RunStep<Problem> =
  | { readonly at: 'asking'; readonly problem?: Problem }
  | { readonly at: 'window'; readonly window: 'open' | 'closed' | 'none'; readonly href: string }
  /** What was given is being used. */
  | { readonly at: 'working' }

/** The screens of a method. */
export type WindowFace<Problem> = {
  /** `open` is to be called in the click. */
  readonly show: (step: RunStep<Problem>, open: () => void) => void
  readonly isShown: () => boolean
  readonly inApp: Problem
  readonly cutOff: Problem
  readonly problemOf: (error: unknown) => Problem
}

export type WindowRun<Problem> = {
  readonly method: UserRecovery
  readonly purpose: RecoveryWindowPurpose
  /** Of the wallet that is there; null where one is to be made. */
  readonly address: () => string | null
  /** This one, but for tests. */
  readonly browser: WindowBrowser | undefined
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
  let latest: AbortController | undefined
  let isGiven = false

  const show = (step: RunStep<Problem>) => face.show(step, open)
  const ask = (problem?: Problem) => show({ at: 'asking', ...(problem !== undefined && { problem }) })

  /** In the click. */
  function open() {
    latest?.abort()
    const { handle, ...next } = windows.next()
    const whole = openWalletWindow(next.href, settings(), run.browser)
    if (typeof whole === 'string') return ask(whole === 'in-app' ? face.inApp : face.cutOff)
    const { href, window: opened } = whole
    const attempt = new AbortController()
    latest = attempt
    show({ at: 'window', window: opened ? 'open' : 'none', href })
    const signal = AbortSignal.any([card.signal, attempt.signal])
    serve(handle, run.address(), signal).then(resolve, (error: unknown) => {
      if (!signal.aborted) ask(face.problemOf(error))
    })
    if (opened) watch(opened, href, attempt)
  }

  /** A window that reads as closed may be open: that only offers another one. */
  function watch(opened: LoginWindow, href: string, attempt: AbortController) {
    card.after(oauthLimits.closedCheckMs, () => {
      if (attempt !== latest || attempt.signal.aborted || !face.isShown()) return
      if (isGiven) return
      if (opened.isClosed()) return show({ at: 'window', window: 'closed', href })
      watch(opened, href, attempt)
    })
  }

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
        if (isCloud && !face.isShown()) latest?.abort()
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

  ask()
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
