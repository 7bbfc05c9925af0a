/** Signatures of browser keys: compact JWS (RFC 7515) with ES256 and an embedded public key. */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import { importCachedKey, verifyEs256 } from '../../keys/keys.ts'

const COORDINATE_BYTES = 32
/** Requires canonical base64url: the last character has two unused bits, so a key would have four thumbprints. */
export const coordinate = v.pipe(
  v.string(),
  v.check((text) => {
    const bytes = Buffer.from(text, 'base64url')
    return bytes.length === COORDINATE_BYTES && bytes.toString('base64url') === text
  }),
)
/** Strict, to reject a key with a private part, as RFC 9449 requires. */
const jwkSchema = v.strictObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: coordinate,
  y: coordinate,
  ext: v.optional(v.boolean()),
  key_ops: v.optional(v.array(v.string())),
  alg: v.optional(v.literal('ES256')),
  use: v.optional(v.literal('sig')),
})
export type PublicJwk = v.InferOutput<typeof jwkSchema>

const PATTERN = /^([A-Za-z0-9_-]{1,1024})\.([A-Za-z0-9_-]{1,2048})\.([A-Za-z0-9_-]{86})$/

export type Compact<Claims> = {
  jwk: PublicJwk
  claims: Claims
  signed: string
  signature: Uint8Array
}

/** Parses a JWS of this type, or returns undefined. Does not verify the signature. */
export function readCompact<Schema extends v.GenericSchema>(
  text: string,
  type: string,
  claimsSchema: Schema,
): Compact<v.InferOutput<Schema>> | undefined {
  const [, header = '', payload = '', signature = ''] = PATTERN.exec(text) ?? []
  const headerSchema = v.strictObject({ typ: v.literal(type), alg: v.literal('ES256'), jwk: jwkSchema })
  const head = v.safeParse(headerSchema, parseJsonSegment(header))
  const claims = v.safeParse(claimsSchema, parseJsonSegment(payload))
  if (!head.success || !claims.success) return undefined
  return {
    jwk: head.output.jwk,
    claims: claims.output,
    signed: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

export function isSignedBy(
  thumbprint: string,
  jwk: PublicJwk,
  signed: string,
  signature: Uint8Array,
): boolean {
  const key = importCachedKey(thumbprint, jwk)
  return key !== undefined && verifyEs256(key, signed, signature)
}

/** RFC 7638 thumbprint of the required members in order: https://www.rfc-editor.org/rfc/rfc7638#section-3.2 */
export const computeThumbprint = ({ crv, kty, x, y }: PublicJwk) =>
  hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')

function parseJsonSegment(segment: string): unknown {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
