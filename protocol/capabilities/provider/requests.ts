/**
 * The protocol by which an app sends requests to a connected wallet at the wallet's provider. Its paths are below the
 * issuer URL of the OpenID provider, with a DPoP-bound access token (RFC 9449). Dialogs of other deployments use it
 * too, so it is separate from `/api/v1`:
 *
 *    POST {issuer}/requests         the data to sign; returns a one-use handle
 *    window {transact_url}#{handle} the user confirms the request on the wallet page
 *    POST {issuer}/requests/result  the result, for the holder of the token and the handle
 *
 * Errors are those of OAuth: `{ error, error_description }`, with `invalid_token` (401) and `insufficient_scope` (403).
 */
import * as v from 'valibot'
import { base64url, text } from '../../entities/primitives.ts'

/** 32 random bytes, created by the provider's server. */
export const crossAppHandle = v.pipe(base64url, v.length(43))

/** Requests of EIP-1193. The wallet signs `eth_sendTransaction` and its provider sends it. */
export const crossAppRequestSchema = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), params: v.tuple([v.string(), text]) }),
  v.object({
    method: v.literal('eth_signTypedData_v4'),
    params: v.tuple([text, v.union([v.string(), v.record(v.string(), v.unknown())])]),
  }),
  v.object({
    method: v.literal('eth_sendTransaction'),
    params: v.tuple([v.record(v.string(), v.unknown())]),
  }),
])
export type CrossAppRequest = v.InferOutput<typeof crossAppRequestSchema>

export const createdCrossAppRequestSchema = v.object({
  handle: crossAppHandle,
  /** The page's URL without the handle, which is appended after `#`. */
  transact_url: text,
  /** The only origin that the opener accepts messages from. */
  window_origin: text,
  expires_in: v.number(),
})
export type CreatedCrossAppRequest = v.InferOutput<typeof createdCrossAppRequestSchema>

/** Reasons why a request failed. */
export const crossAppFailures = ['rejected', 'timeout', 'failed'] as const
export const crossAppResult = v.variant('status', [
  v.object({ status: v.literal('pending') }),
  /** The signature, or the hash of the transaction that was sent. */
  v.object({ status: v.literal('completed'), result: text }),
  v.object({ status: v.literal('failed'), error: v.picklist(crossAppFailures) }),
])
export type CrossAppResult = v.InferOutput<typeof crossAppResult>

/** Error codes of the provider. */
export const crossAppRefusals = [
  'invalid_token',
  'insufficient_scope',
  'invalid_request',
  'wallet_not_connected',
  'daily_limit_exceeded',
  'unsupported_chain',
  'too_many_requests',
  'temporarily_unavailable',
] as const
export const crossAppRefusal = v.object({ error: text, error_description: v.optional(text) })

/**
 * The provider's page sends these to the window that opened it. `token` is an access token that is over, or a new
 * one.
 */
export const crossAppToken = v.variant('action', [
  v.object({ action: v.literal('set'), value: v.pipe(text, v.nonEmpty()) }),
  v.object({ action: v.literal('clear') }),
])
