/** Reads the subject and the issue time of a token. The server verifies the signature, not this page. */
import { LatchkeyError } from '@latchkey/protocol'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'

const claimsSchema = v.object({ sub: v.string(), iat: v.number() })
type Claims = v.InferOutput<typeof claimsSchema>

export function parseClaims(token: string): Claims {
  try {
    const payload = base64urlnopad.decode(token.split('.')[1] ?? '')
    return v.parse(claimsSchema, JSON.parse(new TextDecoder().decode(payload)))
  } catch (cause) {
    throw new LatchkeyError('missing_or_invalid_token', 'The token is malformed', { cause })
  }
}

export function findSubject(token: string): string | undefined {
  try {
    return parseClaims(token).sub
  } catch {
    return undefined
  }
}
