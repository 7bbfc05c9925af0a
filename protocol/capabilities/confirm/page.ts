/**
 * What the page of a confirmation asks: it is top-level, and has neither the session of the frame nor a share. It is of
 * the wallet's origin, and what it approves is signed by the device of the session.
 */

import * as v from 'valibot'
import { text, verificationCode } from '../../entities/primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { confirmationHandle, signedDigest } from '../../vault/confirmed.ts'
import { assertion, assertionOptions } from '../passkey/api.ts'
import { confirmableRequestSchema } from './account-actions.ts'
import { decimals, namedTokens } from './api.ts'
import { confirmationReasons, confirmationStates, relayedRequester, usdText } from './wallet.ts'

/** A whole number has at most as many digits as 32 bytes can make. */
const wholeNumber = v.pipe(v.string(), v.regex(/^[0-9]{1,78}$/))

const ofPage = { method: 'POST', auth: 'none', forks: true, appHeader: true } as const

const openConfirmation = v.object({
  state: v.literal('open'),
  /** Of the app, as its users know it. */
  appName: text,
  request: confirmableRequestSchema,
  address: v.nullable(walletAddress),
  /** How the user is told apart from others of theirs: what they log in with. Null for a signature. */
  account: v.nullable(text),
  digest: signedDigest,
  reason: v.picklist(confirmationReasons),
  usd: v.nullable(usdText),
  /** Of the page that asked, as the dialog knows it. */
  origin: v.nullable(text),
  /** The dapp that asks through a relay, as it says itself. */
  requester: v.exactOptional(relayedRequester),
  /** Of the chain and the token that a transaction is about, as far as lists of ours or the operator's know them. */
  chain: v.nullable(v.object({ name: text, symbol: text, decimals })),
  token: v.nullable(v.object({ symbol: v.nullable(text), decimals })),
  tokens: namedTokens,
  /** What the chain charges for the data of a transaction, beside its gas; null where that is nothing. */
  l1Fee: v.nullable(v.union([v.literal('unknown'), wholeNumber])),
  /**
   * What a page that is cut off from the device of the session asks of the passkey that keeps the user's wallet: its
   * answer approves this request, once. Null where the app's pages are not cut off, or no passkey keeps the wallet.
   */
  passkey: v.nullable(assertionOptions),
  expiresInSeconds: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
export type OpenConfirmation = v.InferOutput<typeof openConfirmation>

export const confirmPageRoutes = {
  readConfirmation: {
    ...ofPage,
    path: '/confirmations/read',
    effect: 'changes',
    body: v.object({ handle: confirmationHandle }),
    output: v.variant('state', [
      openConfirmation,
      v.object({ state: v.picklist(['approved', 'refused', 'used', 'expired']) }),
    ]),
  },
  sendConfirmationCode: {
    ...ofPage,
    path: '/confirmations/code',
    effect: 'changes, replayed',
    body: v.object({ handle: confirmationHandle }),
    /** Where to, with its middle hidden; null where the code is one of an authenticator app, which nobody sends. */
    output: v.object({ by: v.picklist(['mail', 'sms', 'totp']), sentTo: v.nullable(text) }),
  },
  decideConfirmation: {
    ...ofPage,
    path: '/confirmations/decision',
    effect: 'changes',
    body: v.object({
      handle: confirmationHandle,
      digest: signedDigest,
      decision: v.picklist(['approve', 'refuse']),
      /** `decisionSchema`, signed by the device of the session: what is approved needs it. */
      statement: v.optional(text),
      /** Or the code that was sent for this request, where its page is cut off from that device. */
      code: v.optional(verificationCode),
      /** Or there, what the passkey of the wallet answered to the challenge that came with the request. */
      passkey: v.optional(assertion),
    }),
    output: v.object({ state: v.picklist(confirmationStates) }),
  },
} as const satisfies Routes

export const confirmPageDoc: RoutesDoc<typeof confirmPageRoutes> = {
  readConfirmation: {
    summary:
      'What there is to approve, for the page that has the handle; of what is not open any more, its state alone. `passkey` is there for apps whose `cross_origin_opener_policy` cuts the page off from the wallet frame, where a passkey keeps the wallet of the user: what to ask it for, with a challenge that is good for this request alone, once, for five minutes.',
    errors: ['not_found'],
  },
  sendConfirmationCode: {
    summary:
      'Sends the user a code that approves this one request, for ten minutes: for apps whose `cross_origin_opener_policy` cuts the page off from the wallet frame. It says what is approved, and on which hostname it may be typed, and goes by mail to the address that the user has had longest, else by SMS to such a number. Who has neither, and an authenticator app, types a code of that (`totp`). What is new to the account is `method_too_new`.',
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
      "Approves or refuses, once, the digest that the page has shown. To approve takes a statement of the session's device over handle and digest, which the vault signs for the page of the wallet origin alone; or, for apps whose pages are cut off from it, what the passkey of the wallet answered to the challenge of this request, or the code that was sent, or one of an authenticator app where nothing was. A passkey that is not the right one, or answers another challenge, is `invalid_credentials`. It answers the state that the request then has: another one than was asked for where it was decided before, or has expired.",
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
