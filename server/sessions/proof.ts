/**
 * Proof of possession (DPoP, RFC 9449): a browser's key, which no script can copy, signs each call that uses or
 * makes a refresh token. A session that was started with a proof takes no refresh without one by that key.
 *
 * A proof's `jti` is not remembered, which would be a write for each refresh and a state to share. A proof that
 * is seen again needs the same refresh token beside it, so whoever replays it has a copy of a whole call, within
 * its minute, and gets what that call got: the identical successor, and an access token of 15 minutes. To go on
 * from there takes a fresh proof, which only the browser can make.
 */
import { createHash } from 'node:crypto'
import { LatchkeyError, sessionLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import { publicKeyOf, verifyEs256 } from './es256.ts'

export const proofHeader = 'dpop'

const coordinate = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
/** Strict, so that a key pair with its private half is refused, as the standard asks. */
const headerSchema = v.strictObject({
  typ: v.literal('dpop+jwt'),
  alg: v.literal('ES256'),
  jwk: v.strictObject({
    kty: v.literal('EC'),
    crv: v.literal('P-256'),
    x: coordinate,
    y: coordinate,
    ext: v.optional(v.boolean()),
    key_ops: v.optional(v.array(v.string())),
    alg: v.optional(v.literal('ES256')),
    use: v.optional(v.literal('sig')),
  }),
})
const claimsSchema = v.object({
  htm: v.string(),
  htu: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.minLength(8), v.maxLength(128)),
})

const PROOF_PATTERN = /^([A-Za-z0-9_-]{1,1024})\.([A-Za-z0-9_-]{1,2048})\.([A-Za-z0-9_-]{86})$/

export type ProvenCall = {
  readonly method: string
  /** The addresses that this call may have been made to, without query. */
  readonly urls: readonly string[]
  readonly nowSeconds: number
}

/** The thumbprint (RFC 7638) of the key that signed this call; undefined for a call without a proof. */
export function provenKey(proof: string | undefined, call: ProvenCall): string | undefined {
  if (proof === undefined) return undefined
  const [, header, payload, signature] = PROOF_PATTERN.exec(proof) ?? []
  if (header === undefined || payload === undefined || signature === undefined) throw invalidProof()
  const { jwk } = parse(headerSchema, header)
  const { htm, htu, iat } = parse(claimsSchema, payload)
  const { proofMaxAgeSeconds, clockSkewSeconds } = sessionLimits
  const isForThisCall = htm === call.method && call.urls.includes(htu)
  const isFresh =
    iat > call.nowSeconds - proofMaxAgeSeconds - clockSkewSeconds && iat < call.nowSeconds + clockSkewSeconds
  if (!isForThisCall || !isFresh || !isSignedBy(jwk, `${header}.${payload}`, signature)) throw invalidProof()
  return thumbprintOf(jwk)
}

type Jwk = v.InferOutput<typeof headerSchema>['jwk']

function isSignedBy({ x, y }: Jwk, signed: string, signature: string): boolean {
  const key = publicKeyOf(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))
  return key !== undefined && verifyEs256(key, signed, Buffer.from(signature, 'base64url'))
}

/** The required members in their order: https://www.rfc-editor.org/rfc/rfc7638#section-3.2 */
export const thumbprintOf = ({ crv, kty, x, y }: Pick<Jwk, 'crv' | 'kty' | 'x' | 'y'>) =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

function parse<Schema extends v.GenericSchema>(schema: Schema, segment: string): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(Buffer.from(segment, 'base64url').toString('utf8')))
  } catch {
    throw invalidProof()
  }
}

const invalidProof = () =>
  new LatchkeyError('missing_or_invalid_token', 'The proof of possession is not valid for this call', {
    details: { reason: 'invalid_proof' },
  })
