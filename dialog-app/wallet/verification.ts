import type { MfaMethodType } from '@latchkey/protocol'
import type { Cancellable } from '../browser/waiting.ts'

/** The second factor for a wallet call. */
export type Verification = {
  mfaMethod: MfaMethodType
  /** The code, or the authenticator's response. */
  mfaCode: string | Readonly<Record<string, unknown>>
  /** The relying party id of a passkey. */
  relyingParty?: string
}

/** Options for a call that may need a second factor. */
export type VerifiedOptions = Cancellable & { verification?: Verification | undefined }
