/** What holds the user's passkeys. What it refuses, or the user, is a `passkey_not_allowed`. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'

export type Authenticator = {
  get: (options: AssertionOptions, signal: AbortSignal) => Promise<Assertion>
  /** Browsers want it asked for within a few seconds after the user's press. */
  create: (options: AttestationOptions, signal: AbortSignal) => Promise<Attestation>
}

const message = 'The passkey request timed out or was rejected'

export const notAllowed = (cause?: unknown) => new LatchkeyError('passkey_not_allowed', message, { cause })

/** Nobody was asked: the browser lets no frame of another site ask. In a window of its own it may. */
export class FrameRefused extends LatchkeyError {
  constructor(cause?: unknown) {
    super('passkey_not_allowed', message, { cause })
  }
}
