import type { MfaMethodType } from '@latchkey/protocol'
import type { Cancellable } from '../browser/waiting.ts'

/** What a second factor adds to a call of the wallet. */
export type Verification = {
  readonly mfaMethod: MfaMethodType
  /** Digits, or what an authenticator answered. */
  readonly mfaCode: string | Readonly<Record<string, unknown>>
  /** The relying party of a passkey. */
  readonly relyingParty?: string
}

/** Who asks for something that may need a second factor. */
export type VerifiedAsker = Cancellable & { readonly verification?: Verification | undefined }
