/**
 * The app whose users have the wallets (the provider) serves these calls. An OpenID provider stands beside this API
 * (`{origin}/apps/{appId}/openid`); these are the calls of the page of the wallet, on which its user says what
 * another app gets, and confirms what that app asks for.
 */
import * as v from 'valibot'
import { crossAppScopes } from '../../entities/cross-app.ts'
import { base64url, epochSeconds, id, text } from '../../entities/primitives.ts'
import { hex } from '../../entities/wallets/chain-primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { oneUse } from '../../windows/relay.ts'
import { crossAppLimits } from '../cross-app/limits.ts'
import { signableRequestSchema } from '../sign/wallet.ts'
import { crossAppFailures, crossAppHandle } from './requests.ts'

/** As its operator registered it, and never what it says of itself. */
const requester = v.object({ name: text, origin: text })
const scope = v.picklist(crossAppScopes)
const dailyUsd = v.nullable(
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(crossAppLimits.maxDailyUsd)),
)

/** An authorization request that waits for its user. */
const interaction = v.pipe(base64url, v.maxLength(64))

const ofPage = { method: 'POST', auth: 'dialog', forks: false, appHeader: true } as const
const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const providerRoutes = {
  verifyAuthorization: {
    ...ofPage,
    path: '/oauth/verify',
    effect: 'changes',
    body: v.object({ interaction }),
    output: v.object({ requester, scopes: v.array(scope), expiresInSeconds: seconds }),
  },
  /** `secret` goes to `finishUrl` by a form, in the one browser that began: only there does it count. */
  authorize: {
    ...ofPage,
    path: '/oauth/authorization_code',
    effect: 'changes, replayed',
    body: v.variant('decision', [
      v.object({ decision: v.literal('deny'), interaction }),
      v.object({
        decision: v.literal('allow'),
        interaction,
        /** No more than was asked for. */
        scopes: v.array(scope),
        address: walletAddress,
        /** What it may ask to have sent in a day; null where nothing is sent. */
        dailyUsd,
      }),
    ]),
    output: v.object({ finishUrl: text, secret: oneUse }),
  },
  readCrossAppRequest: {
    ...ofPage,
    path: '/oauth/requests/read',
    effect: 'changes',
    body: v.object({ handle: crossAppHandle }),
    output: v.object({
      requester,
      address: walletAddress,
      /** A transaction is whole: with its fees and its number. */
      request: signableRequestSchema,
      /** To which of them the answer is told, where the page was opened by one. */
      openerOrigins: v.array(text),
      expiresInSeconds: seconds,
    }),
  },
  answerCrossAppRequest: {
    ...ofPage,
    path: '/oauth/requests/answer',
    effect: 'changes, replayed',
    body: v.object({
      handle: crossAppHandle,
      answer: v.variant('type', [
        /** A signature; of a transaction the whole of it, signed, which the server sends. */
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
    ...ofPage,
    path: '/users/me/connected_apps/end',
    effect: 'changes, replayed',
    body: v.object({ id }),
    output: v.object({ success: v.literal(true) }),
  },
} as const satisfies Routes

export const providerDoc: RoutesDoc<typeof providerRoutes> = {
  verifyAuthorization: {
    summary:
      'Who asks for a wallet of this user, and for what, by the authorization request that waits. `not_found` where it is over.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found'],
  },
  authorize: {
    summary:
      "The user's answer to an authorization request. A form posts `secret` to `finish_url` in the browser that began the request, which sends it on to the other app with a code, or with `access_denied`.",
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
      'What another app asks of the wallet of this user, by the handle of the request. The first page that reads a request is the one that may answer it.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found', 'token_already_used'],
  },
  answerCrossAppRequest: {
    summary:
      'What came of a request. A signature is checked to be one of the connected wallet over what was asked; a transaction is sent to its chain, and the answer is its hash.',
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
    summary: 'The apps that may use a wallet of this user: since when, for what, and when they last did.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
  endConnectedApp: {
    summary:
      'Takes from an app what it was allowed: its tokens are over, and so is every request that waits.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found'],
  },
}
