/**
 * What an app asks of a connected wallet, at the wallet's provider: below the address of its OpenID provider, with an
 * access token that is bound to a key (RFC 9449). Anybody's dialog may speak it, so it is apart from `/api/v1`:
 *
 *     POST {issuer}/requests         what is to be signed; answered with a handle, good once
 *     window {transact_url}#{handle} the user confirms it on the page of the wallet
 *     POST {issuer}/requests/result  what came of it, for whoever has the token and the handle
 *
 * Refusals are those of OAuth: `{ error, error_description }`, with `invalid_token` (401) and `insufficient_scope` (403).
 */
import * as v from 'valibot'
import { base64url, text } from '../../entities/primitives.ts'

/** 32 random bytes, made by the provider's server. */
export const crossAppHandle = v.pipe(base64url, v.length(43))

/** Requests are those of EIP-1193. `eth_sendTransaction` is signed by the wallet and sent by its provider. */
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
  /** Without the handle, which follows its `#`. */
  transact_url: text,
  /** The origin of the page whose messages to its opener count. */
  window_origin: text,
  expires_in: v.number(),
})
export type CreatedCrossAppRequest = v.InferOutput<typeof createdCrossAppRequestSchema>

/** Why nothing was signed. */
export const crossAppFailures = ['rejected', 'timeout', 'failed'] as const
export const crossAppResult = v.variant('status', [
  v.object({ status: v.literal('pending') }),
  /** The signature, or the hash of the transaction that was sent. */
  v.object({ status: v.literal('completed'), result: text }),
  v.object({ status: v.literal('failed'), error: v.picklist(crossAppFailures) }),
])
export type CrossAppResult = v.InferOutput<typeof crossAppResult>

/** The reasons of a refusal. */
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
