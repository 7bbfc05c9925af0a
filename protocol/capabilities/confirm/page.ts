/**
 * Calls of the confirmation page. It is a top-level page of the wallet origin, without the frame's session or shares.
 * The session's device signs its approvals.
 */

import * as v from 'valibot'
import { text, verificationCode } from '../../entities/primitives.ts'
import { solanaClusters } from '../../entities/wallets/chain-types.ts'
import { solanaAddress, walletAddress } from '../../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { confirmationHandle, signedDigest } from '../../vault/confirmed.ts'
import { assertion, assertionOptions } from '../passkey/credentials.ts'
import { confirmableRequestSchema } from './account-actions.ts'
import { decimals, namedTokens } from './api.ts'
import { confirmationReasons, confirmationStates, relayedRequester, usdText } from './wallet.ts'

/** A decimal integer of up to 32 bytes. */
const wholeNumber = v.pipe(v.string(), v.regex(/^[0-9]{1,78}$/))

/** The words of a third party for a request. The values in it are those of the request. */
const requestDescription = v.object({
  owner: v.string(),
  intent: v.string(),
  lines: v.array(
    v.object({
      label: v.string(),
      value: v.string(),
      /** Whether the value is in the smallest unit of an asset that is in no list. */
      isSmallestUnit: v.boolean(),
    }),
  ),
  /** The values that no line names. */
  rest: v.array(v.object({ path: v.string(), value: v.string() })),
})

/** The outcome of a transaction, if it were executed now. */
const simulation = v.object({
  reverts: v.boolean(),
  changes: v.array(
    v.object({
      /** Null for the native coin. */
      token: v.nullable(v.string()),
      symbol: v.nullable(v.string()),
      /** The amount with its sign. In the smallest unit if the asset is in no list. */
      amount: v.string(),
      isSmallestUnit: v.boolean(),
      /** Set for an NFT. */
      id: v.nullable(v.string()),
    }),
  ),
})

/** The accounts of a Solana transaction that lookup tables name, as a node of the operator returned them. */
const lookups = v.object({
  cluster: v.picklist(solanaClusters),
  accounts: v.array(v.object({ table: solanaAddress, index: v.number(), address: solanaAddress })),
})

const pageRoute = { method: 'POST', auth: 'none', forks: true, appHeader: true } as const

const openConfirmation = v.object({
  state: v.literal('open'),
  /** The name of the app as users know it. */
  appName: text,
  request: confirmableRequestSchema,
  address: v.nullable(walletAddress),
  /** The user's login account, which distinguishes their accounts. Null for a signature. */
  account: v.nullable(text),
  digest: signedDigest,
  reason: v.picklist(confirmationReasons),
  usd: v.nullable(usdText),
  /** The origin of the host page, as the dialog reported it. */
  origin: v.nullable(text),
  /** The relayed dapp, as it describes itself. */
  requester: v.exactOptional(relayedRequester),
  /** The transaction's chain and token, if they are in a list or in the operator's settings. */
  chain: v.nullable(v.object({ name: text, symbol: text, decimals })),
  token: v.nullable(v.object({ symbol: v.nullable(text), decimals })),
  tokens: namedTokens,
  /** The L1 data fee of the transaction. Null if there is none. */
  l1Fee: v.nullable(v.union([v.literal('unknown'), wholeNumber])),
  /** Set if a descriptor of the app describes the request. */
  description: v.exactOptional(requestDescription),
  /** Set if the operator's node simulated the transaction. */
  simulation: v.exactOptional(simulation),
  /** Set if exactly one cluster of the app has all lookup tables of the transaction. */
  lookups: v.exactOptional(lookups),
  /**
   * The passkey challenge for a page that is isolated from the session's device. The answer approves this request,
   * once. Null if the app's pages are not isolated, or the wallet has no recovery passkey.
   */
  passkey: v.nullable(assertionOptions),
  expiresInSeconds: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
export type OpenConfirmation = v.InferOutput<typeof openConfirmation>

export const confirmPageRoutes = {
  readConfirmation: {
    ...pageRoute,
    path: '/confirmations/read',
    effect: 'changes',
    body: v.object({ handle: confirmationHandle }),
    output: v.variant('state', [
      openConfirmation,
      v.object({ state: v.picklist(['approved', 'refused', 'used', 'expired']) }),
    ]),
  },
  sendConfirmationCode: {
    ...pageRoute,
    path: '/confirmations/code',
    effect: 'changes, replayed',
    body: v.object({ handle: confirmationHandle }),
    /** The masked destination, or null for the code of an authenticator app. */
    output: v.object({ by: v.picklist(['mail', 'sms', 'totp']), sentTo: v.nullable(text) }),
  },
  decideConfirmation: {
    ...pageRoute,
    path: '/confirmations/decision',
    effect: 'changes',
    body: v.object({
      handle: confirmationHandle,
      digest: signedDigest,
      decision: v.picklist(['approve', 'refuse']),
      /** A `decisionSchema` statement signed by the session's device. Required to approve. */
      statement: v.optional(text),
      /** Alternatively, the code sent for this request, if the page is isolated from the device. */
      code: v.optional(verificationCode),
      /** Alternatively, on an isolated page, the passkey's answer to the challenge of this request. */
      passkey: v.optional(assertion),
    }),
    output: v.object({ state: v.picklist(confirmationStates) }),
  },
} as const satisfies Routes

export const confirmPageDoc: RoutesDoc<typeof confirmPageRoutes> = {
  readConfirmation: {
    summary:
      "Returns the request to the page that has the handle, or only the state if it is no longer open. `description` has the words of an ERC-7730 descriptor of the app, `simulation` the balance changes of a contract call or Solana transaction, if it were executed now, and `lookups` the accounts of a Solana transaction that its lookup tables name. `passkey` is set for apps whose `cross_origin_opener_policy` isolates the page from the wallet frame, if the user's wallet has a recovery passkey. It is a challenge for this request alone, valid once, for five minutes.",
    errors: ['not_found'],
  },
  sendConfirmationCode: {
    summary:
      "Sends the user a code that approves this one request, valid for ten minutes. For apps whose `cross_origin_opener_policy` isolates the page from the wallet frame. The message names the request and the only hostname where the code may be typed. It is sent to the user's oldest e-mail address, or else by SMS to their oldest number. A user with neither uses a code of their authenticator app (`totp`). A destination that is new to the account is `method_too_new`.",
    errors: [
      'not_found',
      'not_supported',
      'linked_account_not_found',
      'method_too_new',
      'email_not_sent',
      'twilio_verification_failed',
      'too_many_requests',
    ],
  },
  decideConfirmation: {
    summary:
      "Approves or refuses, once, the digest that the page showed. An approval requires a statement of the session's device over handle and digest, which the vault only signs for the confirmation page. On pages that are isolated from the device, it requires the passkey's answer to the challenge of this request, the code that was sent, or a code of an authenticator app. A wrong passkey or challenge is `invalid_credentials`. Returns the resulting state, which differs from the decision if the request was already decided or has expired.",
    errors: [
      'not_found',
      'invalid_data',
      'device_not_bound',
      'missing_or_invalid_token',
      'not_supported',
      'linked_account_not_found',
      'method_too_new',
      'invalid_credentials',
      'mfa_verification_max_attempts_reached',
      'too_many_requests',
    ],
  },
}
