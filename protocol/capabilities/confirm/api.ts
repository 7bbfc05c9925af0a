/**
 * Confirmations of signatures and account actions. The dialog stores a request under a handle. Requests that the card
 * may approve need nothing more; others are decided on the confirmation page (`page.ts`). The wallet token names the
 * handle and the digest that the server computed.
 */

import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { confirmationHandle, signedDigest } from '../../vault/confirmed.ts'
import { confirmLimits } from './limits.ts'
import {
  confirmationPlaces,
  confirmationReasons,
  confirmationStates,
  relayedRequester,
  usdText,
} from './wallet.ts'

/** Amounts are divided by ten to the power of the decimals. */
export const decimals = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255))

/** Tokens that typed data moves, if they are in a token list or in the operator's settings. */
export const namedTokens = v.pipe(
  v.array(v.object({ address: text, symbol: v.nullable(text), decimals })),
  v.maxLength(confirmLimits.maxNamedTokens),
)

const dialogRoute = { method: 'POST', auth: 'dialog', forks: true, appHeader: true } as const

const confirmation = v.object({
  digest: signedDigest,
  /** The least strict surface that may approve the request. The confirmation page is always allowed. */
  place: v.picklist(confirmationPlaces),
  reason: v.picklist(confirmationReasons),
  /** The maximum value and cost. Null if unknown or worthless. */
  usd: v.nullable(usdText),
  /** Names for the typed data's assets, if any are known. `coin` is the network's native coin. */
  names: v.nullable(
    v.object({ coin: v.nullable(v.object({ symbol: text, decimals })), tokens: namedTokens }),
  ),
  expiresInSeconds: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
export type Confirmation = v.InferOutput<typeof confirmation>

export const confirmRoutes = {
  putConfirmation: {
    ...dialogRoute,
    path: '/confirmations',
    effect: 'changes',
    maxBodyBytes: confirmLimits.maxBodyBytes,
    body: v.object({
      handle: confirmationHandle,
      /** Null for account actions of users without a wallet. */
      address: v.nullable(walletAddress),
      /** Must match `confirmableRequestSchema`. The server parses it, so the dialog does not load that schema. */
      request: v.object({ method: text, params: v.array(v.string()) }),
      /** The origin of the host page. */
      origin: v.nullable(text),
      /** The dapp that sent the request through a relay. */
      requester: v.exactOptional(relayedRequester),
      /**
       * The requested approval surface, unless the rules require a stricter one: no screen (if the app allows it), the
       * card, the card of a browser without occlusion checks, or the page. The same request may be stored again for a
       * stricter surface.
       */
      place: v.picklist(confirmationPlaces),
    }),
    output: confirmation,
  },
  confirmationStatus: {
    ...dialogRoute,
    path: '/confirmations/status',
    effect: 'changes',
    body: v.object({ handle: confirmationHandle }),
    output: v.object({ state: v.picklist(confirmationStates) }),
  },
} as const satisfies Routes

export const confirmDoc: RoutesDoc<typeof confirmRoutes> = {
  putConfirmation: {
    summary:
      'Stores a request to sign or an account action under a handle of the dialog, for five minutes and one use. The server parses the request and returns its approval surface: the frame, the confirmation page, or no approval. A browser without occlusion checks sends `unseen`, which allows fewer requests. A sign-in message (EIP-4361) for a site that is not an origin of the app requires the page (`sign_in_elsewhere`). With `requester`, the name and origin of a relayed dapp, signatures require the page, and a sign-in message must be for that origin. Repeating the call returns the same answer, or moves the request to a stricter surface.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_message',
      'invalid_data',
      'too_many_requests',
      'token_already_used',
    ],
  },
  confirmationStatus: {
    summary: 'Returns the state of the confirmation to the session that created it.',
    errors: ['must_be_authenticated', 'not_found'],
  },
}
