/** Creates and uses passkeys. A refusal by the device or the user rejects with `passkey_not_allowed`. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'

export type Authenticator = {
  get: (options: AssertionOptions, signal: AbortSignal) => Promise<Assertion>
  /** Must be called within a few seconds after the user's press. */
  create: (options: AttestationOptions, signal: AbortSignal) => Promise<Attestation>
  suggestions?: PasskeySuggestions
}

/** Passkeys among the browser's suggestions for a field with `webauthn` in its `autocomplete`. */
export type PasskeySuggestions = {
  isAvailable: () => Promise<boolean>
  /** Resolves when the user has selected a passkey. Another passkey request ends it. */
  get: (options: AssertionOptions, signal: AbortSignal) => Promise<Assertion>
}

const message = 'The passkey request timed out or was rejected'

export const notAllowed = (cause?: unknown) => new LatchkeyError('passkey_not_allowed', message, { cause })

/** The browser forbids passkeys in this cross-site frame. A separate window may use them. */
export class FrameRefused extends LatchkeyError {
  constructor(cause?: unknown) {
    super('passkey_not_allowed', message, { cause })
  }
}
