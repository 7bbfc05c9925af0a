/** Whose token it is, and of when. Read without a check of its signature: the server checks it. */
import { LatchkeyError } from '@latchkey/protocol'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'

const claimsSchema = v.object({ sub: v.string(), iat: v.number() })
type Claims = v.InferOutput<typeof claimsSchema>

export function claimsOf(token: string): Claims {
  try {
    const payload = base64urlnopad.decode(token.split('.')[1] ?? '')
    return v.parse(claimsSchema, JSON.parse(new TextDecoder().decode(payload)))
  } catch (cause) {
    throw new LatchkeyError('missing_or_invalid_token', 'The token can not be read', { cause })
  }
}

export function subjectOf(token: string): string | undefined {
  try {
    return claimsOf(token).sub
  } catch {
    return undefined
  }
}
