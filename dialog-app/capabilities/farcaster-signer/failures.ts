/** The texts of errors on AWAITING_FARCASTER_SIGNER, and whether the user can try again. */
import type { ErrorTable } from '../../contract/error-table.ts'
import type { Texts as SignerTexts } from './texts.arb'

/** `rejected`: the account revoked the key, or another account approved it. */
export type SignerFailure = {
  text: keyof SignerTexts['failures'] | 'rejected'
  isRetryable: boolean
}

export const failures: ErrorTable<SignerFailure> = {
  byCode: {
    user_rejected_request: { text: 'rejected', isRetryable: true },
    client_request_timeout: { text: 'timeout', isRetryable: true },
    unknown_embedded_wallet_error: { text: 'unrecovered', isRetryable: true },
    // The specification has no text for these of a signer.
    too_many_requests: { text: 'limit', isRetryable: false },
    not_supported: { text: 'notSupported', isRetryable: false },
  },
  other: { text: 'unexpected', isRetryable: true },
}
