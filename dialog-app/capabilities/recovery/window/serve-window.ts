/**
 * Serves a wallet window in which the user enters a recovery secret. The dialog learns that it was entered, and whether
 * it worked, never the secret itself.
 */
import { type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import { attestation, recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import type { RecoveryWindowPurpose, UserRecovery } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { DialogServices } from '../../../app/services.ts'
import type { WindowAttempt } from '../../../app/wallet-window/wallet-window.ts'
import { approveAction } from '../../../contract/approved-action.ts'
import type { RecoveryWindows } from '../../../wallet/lazy/recovery-windows.ts'
import type { Handle } from '../../../wallet/operations.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'

export type RecoveryWindow = {
  method: UserRecovery
  purpose: RecoveryWindowPurpose
  windows: RecoveryWindows
  /** The address of the wallet, or null before the wallet is created. */
  address: () => string | null
  /** Overrides the user agent of the browser. */
  userAgent: string | undefined
  /** Called if the window has no input. */
  onRefused?: ((error: unknown) => void) | undefined
  /** Sets or recovers with the input. May fail; the user is then asked again. */
  use: (own: OwnRecovery) => Promise<void>
}

type Services = Pick<DialogServices, 'api' | 'wallet'>

/** Serves the window until its input has worked, or until another window has to be opened. */
export async function serveWindow(
  services: Services,
  { method, purpose, windows, onRefused, use, ...recovery }: RecoveryWindow,
  handle: string,
  { signal, setInUse, abandon }: WindowAttempt,
  isLeft: () => boolean,
): Promise<void> {
  const address = recovery.address()
  const isCloud = method === 'google-drive' || method === 'icloud'
  /** The user confirms in the window that the recovery method of an existing wallet changes. */
  const addressToConfirm = purpose === 'recover' ? null : address
  let problem: { code: string; retryAfterSeconds?: number } | undefined
  for (;;) {
    let isInUse = false
    try {
      const passkey = method === 'passkey' ? await beginPasskey(services, purpose, signal) : undefined
      const { newPasskey } = await windows.ask(
        {
          window: handle,
          method,
          purpose,
          address,
          ...(passkey && { passkey }),
          ...(problem && { problem }),
        },
        signal,
      )
      // After the user left the screen, its window must not set or recover anything.
      if (isLeft()) abandon()
      signal.throwIfAborted()
      if (newPasskey) await registerPasskey(services, newPasskey, signal)
      const confirmation = addressToConfirm === null ? undefined : await confirm(addressToConfirm)
      isInUse = true
      setInUse(true)
      return await use({ method, window: handle, confirmation })
    } catch (error) {
      const { code, retryAfterSeconds } = toLatchkeyError(error, 'error', '')
      if (!signal.aborted && !isInUse) onRefused?.(error)
      problem = {
        code: getReason(error) ?? code,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      }
      if (isCloud || addressToConfirm !== null || signal.aborted || finalCodes.has(code)) {
        windows.end({ window: handle, problem })
        throw error
      }
      setInUse(false)
    }
  }

  /** Requests the confirmation as late as possible, because it expires within minutes. */
  function confirm(confirmedAddress: string): Promise<Handle> {
    return approveAction(services, {
      address: confirmedAddress,
      action: { method: 'set-recovery', params: [confirmedAddress, method] },
      signal,
      sign: (named) => windows.confirm({ window: handle, ...named }, signal),
    })
  }
}

async function beginPasskey({ api }: Services, purpose: RecoveryWindowPurpose, signal: AbortSignal) {
  const { options, salt } =
    purpose === 'recover'
      ? await api.call(recoveryPasskeyRoutes.askRecoveryPasskey, {}, { signal })
      : await api.call(recoveryPasskeyRoutes.beginRecoveryPasskey, {}, { signal })
  return { options: { ...options }, salt }
}

const registerPasskey = ({ api }: Services, newPasskey: unknown, signal: AbortSignal) =>
  api.call(
    recoveryPasskeyRoutes.registerRecoveryPasskey,
    { authenticatorResponse: v.parse(attestation, newPasskey) },
    { signal },
  )

/** The window cannot continue: it was closed, or another wallet exists than it was opened for. */
const finalCodes: ReadonlySet<ErrorCode> = new Set([
  'user_rejected_request',
  'embedded_wallet_recovery_already_exists',
])

/** The vault's details of a share that it could not open. */
const detailsSchema = v.object({ code: v.literal('envelope_refused') })

function getReason(error: unknown): string | undefined {
  const { details } = toLatchkeyError(error, 'error', '')
  return v.safeParse(detailsSchema, details).success ? 'envelope_refused' : undefined
}
