/**
 * Session proofs (DPoP, RFC 9449): a non-extractable browser key signs each call that starts or renews a session or
 * acts for its user. A token is useless without proofs by its key.
 *
 * Beyond the standard, a proof covers the body (`bth`), and its `jti` is the request id of a changing call. Proof ids
 * therefore need no replay cache: a replayed call gets the stored response of its request id, or repeats an idempotent
 * change. A replayed read may be read again within its minute.
 */
import { hash } from 'node:crypto'
import { LatchkeyError, serverLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import { computeThumbprint, isSignedBy, readCompact } from './proof-key.ts'

export const proofHeader = 'dpop'

/** The verified content of a session proof. */
export type Proof = {
  /** The thumbprint (RFC 7638) of the key that signed. */
  key: string
  /** The `proofHash` of the token that the call relies on. */
  tokenHash: string | undefined
  /** The counter of the refresh token in the cookie, which scripts cannot read. */
  refreshCounter: number | undefined
}

/** The values of `details.reason`, for client developers. */
export type ProofRefusal =
  | 'proof_missing'
  | 'proof_malformed'
  | 'proof_of_another_method'
  | 'proof_of_another_url'
  | 'proof_stale'
  | 'proof_of_another_request'
  | 'proof_of_another_body'
  | 'proof_not_signed'
  | 'proof_of_another_token'
  | 'proof_of_another_key'

export const proofRefused = (reason: ProofRefusal, more: { refreshCounter?: number } = {}) =>
  new LatchkeyError('missing_or_invalid_token', 'The proof of possession is not valid for this call', {
    details: { reason, ...more },
  })

const hashSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
const claimsSchema = v.object({
  htm: v.string(),
  htu: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.minLength(8), v.maxLength(128)),
  bth: hashSchema,
  ath: v.optional(hashSchema),
  rtc: v.optional(v.pipe(v.number(), v.safeInteger())),
})

export type ProvenCall = {
  method: string
  /** The URL that the browser called, without its query. */
  url: string
  /** The body as sent, or empty. JSON bodies are UTF-8, so the text represents the bytes. */
  body: string
  /** A changing call needs a proof for its own request id; a read accepts a proof with any id. */
  requestId: { mustBe: string | undefined } | 'any'
  nowSeconds: number
}

/** Verifies the proof and throws if it does not match this call. */
export function readProof(proof: string | undefined, call: ProvenCall): Proof {
  if (proof === undefined) throw proofRefused('proof_missing')
  const read = readCompact(proof, 'dpop+jwt', claimsSchema)
  if (read === undefined) throw proofRefused('proof_malformed')
  const { jwk, claims, signed, signature } = read
  if (claims.htm !== call.method) throw proofRefused('proof_of_another_method')
  if (claims.htu !== call.url) throw proofRefused('proof_of_another_url')
  if (!isFresh(claims.iat, call.nowSeconds)) throw proofRefused('proof_stale')
  if (call.requestId !== 'any' && claims.jti !== call.requestId.mustBe) {
    throw proofRefused('proof_of_another_request')
  }
  if (claims.bth !== proofHash(call.body)) throw proofRefused('proof_of_another_body')
  const key = computeThumbprint(jwk)
  if (!isSignedBy(key, jwk, signed, signature)) throw proofRefused('proof_not_signed')
  return { key, tokenHash: claims.ath, refreshCounter: claims.rtc }
}

export function assertProofOfToken(proof: Proof, token: string): void {
  if (proof.tokenHash !== proofHash(token)) throw proofRefused('proof_of_another_token')
}

/** Returns the hash of a token (`ath`) or a body (`bth`) in a proof. */
export const proofHash = (text: string) => hash('sha256', text, 'base64url')

function isFresh(iat: number, nowSeconds: number): boolean {
  const { proofMaxAgeSeconds, clockSkewSeconds } = serverLimits
  return iat > nowSeconds - proofMaxAgeSeconds - clockSkewSeconds && iat < nowSeconds + clockSkewSeconds
}
