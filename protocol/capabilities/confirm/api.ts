/**
 * What is to be signed or done, and where it may be approved. The dialog puts a request under a handle; what may be approved in
 * the frame needs nothing more, and what may not is decided on a page of its own (`page.ts`). The wallet token of
 * what is approved names the handle, and the digest that the server has read.
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

/** An amount is divided by ten to the power of its decimals. */
export const decimals = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255))

/** Those that typed data moves, as far as lists of ours or the operator's know them. */
export const namedTokens = v.pipe(
  v.array(v.object({ address: text, symbol: v.nullable(text), decimals })),
  v.maxLength(confirmLimits.maxNamedTokens),
)

const ofDialog = { method: 'POST', auth: 'dialog', forks: true, appHeader: true } as const

const confirmation = v.object({
  digest: signedDigest,
  /** Where it may be approved: the page may always be chosen. */
  place: v.picklist(confirmationPlaces),
  reason: v.picklist(confirmationReasons),
  /** What it moves and costs at most; null where nobody knows, or where it is worth nothing. */
  usd: v.nullable(usdText),
  /** What typed data is said with, where a list has any of it. `coin`: of its network. */
  names: v.nullable(
    v.object({ coin: v.nullable(v.object({ symbol: text, decimals })), tokens: namedTokens }),
  ),
  expiresInSeconds: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
export type Confirmation = v.InferOutput<typeof confirmation>

export const confirmRoutes = {
  putConfirmation: {
    ...ofDialog,
    path: '/confirmations',
    effect: 'changes',
    maxBodyBytes: confirmLimits.maxBodyBytes,
    body: v.object({
      handle: confirmationHandle,
      /** Null for what is done with an account that has no wallet. */
      address: v.nullable(walletAddress),
      /** One of `confirmableRequestSchema`, which whoever is asked reads: who asks needs no code for it. */
      request: v.object({ method: text, params: v.array(v.string()) }),
      /** The origin of the page that asks. */
      origin: v.nullable(text),
      /** Of the dapp that asks through a relay, where one does. */
      requester: v.exactOptional(relayedRequester),
      /**
       * Where it is to be approved, if nothing asks for a stricter place: without a screen, where the app allows that;
       * on the card; on the card of a browser that can not tell what covers it; or on the page. The same request may
       * be put once more for a stricter place.
       */
      place: v.picklist(confirmationPlaces),
    }),
    output: confirmation,
  },
  confirmationStatus: {
    ...ofDialog,
    path: '/confirmations/status',
    effect: 'changes',
    body: v.object({ handle: confirmationHandle }),
    output: v.object({ state: v.picklist(confirmationStates) }),
  },
} as const satisfies Routes

export const confirmDoc: RoutesDoc<typeof confirmRoutes> = {
  putConfirmation: {
    summary:
      'Puts what is to be signed, or to be done with the account, under a handle of the dialog, for five minutes and one use. The server reads it by itself and says where it may be approved: in the frame, on a page of its own, or without anybody being asked. A browser that can not tell what covers the frame says `unseen`, and fewer things may be approved there. A message that logs its signer in (EIP-4361) at a site that no origin of the app has is for the page (`sign_in_elsewhere`). With `requester`, the name and the origin of a dapp that asks through a relay, a signature is for the page alone, and a text that logs in somewhere is refused unless it is for that origin. The same once more is answered the same, or is from then on for the stricter place that it names.',
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
    summary: 'What the page of this handle said, for the session that put it.',
    errors: ['must_be_authenticated', 'not_found'],
  },
}
