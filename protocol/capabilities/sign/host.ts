/** Signing with the user's embedded wallet. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/wallets/chain-primitives.ts'
import { solanaClusters } from '../../entities/wallets/chain-types.ts'
import { signUiSchema } from '../../entities/wallets/wallet-request.ts'
import { channelLimits } from '../../limits/limits.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { solanaSignInInput } from './solana-sign-in.ts'

/** The dialog returns hex. The type tells editors so. */
const hex = () => v.string() as v.GenericSchema<string, `0x${string}`>

/** The address of a linked wallet of another app. The embedded wallet signs if it is omitted. */
const address = v.exactOptional(evmAddress)

/** The states that a sent transaction reaches one after another. https://solana.com/docs/rpc#configuring-state-commitment */
export const solanaCommitments = ['processed', 'confirmed', 'finalized'] as const

export const signCalls = {
  signMessage: {
    policy: 'needs-user',
    // An unsignable message has its own error code, so the schema accepts any value.
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema), address }),
  },
  signSolanaMessage: {
    policy: 'needs-user',
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema) }),
  },
  signInSolana: {
    policy: 'needs-user',
    input: v.object({ fields: solanaSignInInput, ui: v.exactOptional(signUiSchema) }),
  },
  signSolanaTransaction: {
    policy: 'needs-user',
    /** The serialized transaction in hex. It is parsed where it is shown. */
    input: v.object({ transaction: v.string(), ui: v.exactOptional(signUiSchema) }),
  },
  sendSolanaTransaction: {
    policy: 'needs-user',
    input: v.object({
      transaction: v.string(),
      /** May be omitted if the app has nodes of one cluster only. */
      cluster: v.exactOptional(v.picklist(solanaClusters)),
      commitment: v.exactOptional(v.picklist(solanaCommitments)),
      ui: v.exactOptional(signUiSchema),
    }),
  },
  signTypedData: {
    policy: 'needs-user',
    /** Typed data as JSON, which distinguishes numbers from strings. It is parsed where it is shown. */
    input: v.object({ data: v.string(), ui: v.exactOptional(signUiSchema), address }),
    maxBytes: channelLimits.maxTypedDataBytes,
  },
} as const satisfies HostCallRows

const signed = v.object({ signature: hex(), address: hex() })
export const signAnswers = {
  signMessage: signed,
  /** Both in base58. */
  signSolanaMessage: v.object({ signature: v.string(), address: v.string() }),
  /** `message` is the signed text. The others are base58. */
  signInSolana: v.object({ message: v.string(), signature: v.string(), address: v.string() }),
  /** The transaction with this signature, in hex. */
  signSolanaTransaction: v.object({ transaction: v.string(), address: v.string() }),
  /** The signature of the fee payer, which identifies the transaction. Both are base58. */
  sendSolanaTransaction: v.object({ signature: v.string(), address: v.string() }),
  signTypedData: signed,
} as const

export const signDoc: HostCallDoc<typeof signCalls> = {
  signMessage: {
    summary:
      "Shows the message and signs it after a visible, trusted click. With the `address` of a wallet of another app, the wallet's provider asks the user in a window.",
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
      "Shows the message and signs its UTF-8 bytes with the user's Solana wallet after a visible, trusted click.",
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
  signInSolana: {
    summary:
      "Shows a sign-in message (SIWS) with these fields, and signs it with the user's Solana wallet after a visible, trusted click. The wallet frame writes the message. A domain other than the site of the page is `invalid_message`, and another address is `invalid_data`.",
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_data',
      'invalid_message',
      'user_rejected_request',
      'approval_required_elsewhere',
      'unable_to_sign',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'not_visible',
      'too_many_requests',
    ],
  },
  signSolanaTransaction: {
    summary:
      "Shows the effects of a transaction, legacy or version 0, and signs it with the user's Solana wallet after a visible, trusted click. Keeps the signatures of others, and sends nothing. `not_supported` in an app without `solana_rpc_urls`.",
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'not_supported',
      'invalid_data',
      'user_rejected_request',
      'approval_required_elsewhere',
      'unable_to_sign',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'not_visible',
      'too_many_requests',
    ],
  },
  sendSolanaTransaction: {
    summary:
      "Signs like `signSolanaTransaction`, sends the transaction to the cluster's nodes in `solana_rpc_urls`, and resolves when it has reached `commitment` (`confirmed` by default). Sends it again until then, or until its blockhash has expired. Without `cluster`, the app must have nodes of one cluster only. `details.code` of a `transaction_failure` is `BLOCKHASH_EXPIRED`, `REJECTED`, `EXECUTION_FAILED`, `NETWORK_ERROR` or `TIMEOUT`.",
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'not_supported',
      'invalid_data',
      'unsupported_chain_id',
      'user_rejected_request',
      'approval_required_elsewhere',
      'unable_to_sign',
      'insufficient_funds',
      'transaction_failure',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'not_visible',
      'too_many_requests',
    ],
  },
  signTypedData: {
    summary:
      "Shows typed data (EIP-712) as a tree and signs exactly that data after a visible, trusted click. A value that does not fit its type is rejected with its path. Typed data for a chain other than the wallet's current one is rejected without asking the user. With the `address` of a wallet of another app, the wallet's provider asks the user in a window.",
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
