import type { MfaMethodType } from '@latchkey/protocol'
import type { Cancellable } from '../browser/waiting.ts'

/** What a second factor adds to a call of the wallet. */
export type Verification = {
  mfaMethod: MfaMethodType
  /** Digits, or what an authenticator answered. */
  mfaCode: string | Readonly<Record<string, unknown>>
  /** The relying party of a passkey. */
  relyingParty?: string
}

/** Who asks for something that may need a second factor. */
export type VerifiedAsker = Cancellable & { verification?: Verification | undefined }
