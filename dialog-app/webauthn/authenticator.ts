/** What holds the user's passkeys. What it refuses, or the user, is a `passkey_not_allowed`. */
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'

export type Authenticator = {
  readonly get: (options: AssertionOptions, signal: AbortSignal) => Promise<Assertion>
  /** Browsers want it asked for within a few seconds after the user's press. */
  readonly create: (options: AttestationOptions, signal: AbortSignal) => Promise<Attestation>
}
