/**
 * Calls that the provider app serves: the app whose users own the wallets. Its OpenID provider is separate
 * (`{origin}/apps/{appId}/openid`). The wallet page uses these calls to let the user grant access and confirm requests
 * of other apps.
 */
import * as v from 'valibot'
import { base64url, epochSeconds, id, text } from '../../entities/primitives.ts'
import { hex } from '../../entities/wallets/chain-primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { oneUse } from '../../windows/relay.ts'
import { crossAppLimits } from '../cross-app/limits.ts'
import { signableRequestSchema } from '../sign/wallet.ts'
import { crossAppFailures, crossAppHandle } from './requests.ts'

/** The requester as its operator registered it, never as the requester describes itself. */
const requester = v.object({ name: text, origin: text })
/** Scopes at a wallet provider. `openid` is always included. */
export const crossAppScopes = ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'] as const
export type CrossAppScope = (typeof crossAppScopes)[number]

const scope = v.picklist(crossAppScopes)
const dailyUsd = v.nullable(
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(crossAppLimits.maxDailyUsd)),
)

/** The id of an authorization request that waits for the user. */
const interaction = v.pipe(base64url, v.maxLength(64))

const pageRoute = { method: 'POST', auth: 'dialog', forks: false, appHeader: true } as const
const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const providerRoutes = {
  verifyAuthorization: {
    ...pageRoute,
    path: '/oauth/verify',
    effect: 'changes',
    body: v.object({ interaction }),
    output: v.object({ requester, scopes: v.array(scope), expiresInSeconds: seconds }),
  },
  /** A form posts `secret` to `finishUrl`. It only counts in the browser that started the request. */
  authorize: {
    ...pageRoute,
    path: '/oauth/authorization_code',
    effect: 'changes, replayed',
    body: v.variant('decision', [
      v.object({ decision: v.literal('deny'), interaction }),
      v.object({
        decision: v.literal('allow'),
        interaction,
        /** A subset of the requested scopes. */
        scopes: v.array(scope),
        address: walletAddress,
        /** The amount that the app may send per day. Null without the scope to send. */
        dailyUsd,
      }),
    ]),
    output: v.object({ finishUrl: text, secret: oneUse }),
  },
  readCrossAppRequest: {
    ...pageRoute,
    path: '/oauth/requests/read',
    effect: 'changes',
    body: v.object({ handle: crossAppHandle }),
    output: v.object({
      requester,
      address: walletAddress,
      /** A transaction is complete, including its fees and nonce. */
      request: signableRequestSchema,
      /** The origins that the answer may be posted to, if one of them opened the page. */
      openerOrigins: v.array(text),
      expiresInSeconds: seconds,
    }),
  },
  answerCrossAppRequest: {
    ...pageRoute,
    path: '/oauth/requests/answer',
    effect: 'changes, replayed',
    body: v.object({
      handle: crossAppHandle,
      answer: v.variant('type', [
        /** A signature, or the complete signed transaction, which the server sends. */
        v.object({ type: v.literal('signed'), data: hex }),
        v.object({ type: v.literal('rejected') }),
        v.object({ type: v.literal('failed') }),
      ]),
    }),
    output: v.variant('status', [
      v.object({ status: v.literal('completed'), result: text }),
      v.object({ status: v.literal('failed'), error: v.picklist(crossAppFailures) }),
    ]),
  },
  connectedApps: {
    method: 'GET',
    path: '/users/me/connected_apps',
    auth: 'dialog',
    forks: true,
    effect: 'reads',
    appHeader: true,
    output: v.object({
      apps: v.array(
        v.object({
          id,
          name: text,
          origin: text,
          scopes: v.array(scope),
          address: text,
          dailyUsd,
          createdAt: epochSeconds,
          lastUsedAt: v.nullable(epochSeconds),
        }),
      ),
    }),
  },
  endConnectedApp: {
    ...pageRoute,
    path: '/users/me/connected_apps/end',
    effect: 'changes, replayed',
    body: v.object({ id }),
    output: v.object({ success: v.literal(true) }),
  },
} as const satisfies Routes

export const providerDoc: RoutesDoc<typeof providerRoutes> = {
  verifyAuthorization: {
    summary:
      "Returns which app requests access to this user's wallet, and the scopes it requests. `not_found` if the authorization request has ended.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found'],
  },
  authorize: {
    summary:
      'Answers an authorization request for the user. A form then posts `secret` to `finish_url` in the browser that started the request, which redirects to the other app with a code or with `access_denied`.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'not_found',
      'invalid_data',
      'embedded_wallet_not_found',
      'token_already_used',
    ],
  },
  readCrossAppRequest: {
    summary:
      "Returns a request of another app for this user's wallet, by its handle. Only the first page that reads a request may answer it.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found', 'token_already_used'],
  },
  answerCrossAppRequest: {
    summary:
      'Answers a request of another app. The server checks that a signature is by the connected wallet over the requested data. It sends a transaction to its chain and returns the hash.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'not_found',
      'invalid_data',
      'token_already_used',
      'transaction_failure',
      'outcome_unknown',
      'unavailable',
    ],
  },
  connectedApps: {
    summary: 'Lists the apps that may use a wallet of this user, with their scopes, start date and last use.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
  endConnectedApp: {
    summary: "Revokes an app's access. Its tokens and its pending requests end.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found'],
  },
}
