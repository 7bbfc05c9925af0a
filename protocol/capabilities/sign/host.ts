/** The user's own wallet signs. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/wallets/chain-primitives.ts'
import { signUiSchema } from '../../entities/wallets/wallet-request.ts'
import { channelLimits } from '../../limits/limits.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'

/** The dialog writes hex; the type tells an editor so. */
const hex = () => v.string() as v.GenericSchema<string, `0x${string}`>

/** The address of a wallet of another app that the user has linked; the embedded wallet signs where there is none. */
const address = v.exactOptional(evmAddress)

export const signCalls = {
  signMessage: {
    policy: 'needs-user',
    // What can not be signed has a code of its own.
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema), address }),
  },
  signSolanaMessage: {
    policy: 'needs-user',
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema) }),
  },
  signTypedData: {
    policy: 'needs-user',
    /** As JSON, which says what is a number and what is a text; it is read where it is shown. */
    input: v.object({ data: v.string(), ui: v.exactOptional(signUiSchema), address }),
    maxBytes: channelLimits.maxTypedDataBytes,
  },
} as const satisfies HostCallRows

const signed = v.object({ signature: hex(), address: hex() })
export const signAnswers = {
  signMessage: signed,
  /** Both in base58. */
  signSolanaMessage: v.object({ signature: v.string(), address: v.string() }),
  signTypedData: signed,
} as const

export const signDoc: HostCallDoc<typeof signCalls> = {
  signMessage: {
    summary:
      'Shows the message; signs it after a visible, trusted click. With `address`, of a wallet of another app, its provider asks the user in a window.',
    errors: [
      'must_be_authenticated',
      'invalid_data',
      'cross_app_connection_not_allowed',
      'missing_or_invalid_token',
      'client_request_timeout',
      'embedded_wallet_not_found',
      'invalid_message',
      'user_rejected_request',
      'unable_to_sign',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'not_visible',
      'too_many_requests',
    ],
  },
  signSolanaMessage: {
    summary:
      'Shows the message; signs its UTF-8 with the Solana wallet of the user after a visible, trusted click.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_message',
      'user_rejected_request',
      'unable_to_sign',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'not_visible',
      'too_many_requests',
    ],
  },
  signTypedData: {
    summary:
      'Shows typed data (EIP-712) as a tree; signs exactly that after a visible, trusted click. A value that does not fit its type is refused with its path. Typed data for another chain than the wallet is on is not put to the user. With `address`, of a wallet of another app, its provider asks the user in a window.',
    errors: [
      'must_be_authenticated',
      'invalid_data',
      'cross_app_connection_not_allowed',
      'missing_or_invalid_token',
      'client_request_timeout',
      'embedded_wallet_not_found',
      'invalid_message',
      'unsupported_chain_id',
      'user_rejected_request',
      'approval_required_elsewhere',
      'unable_to_sign',
      'not_visible',
      'too_many_requests',
    ],
  },
}
