/** Access tokens like the server's, signed with the mock's own key, which Latchkey does not trust. */
import { p256 } from '@noble/curves/nist.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { idFrom, keyFrom } from './keys.ts'
import type { MockKeySet } from './types.ts'

/** As on the server: the token lifetime, and when the dialog renews a token before its end. */
const LIFETIME_SECONDS = 900
const RENEWED_BEFORE_SECONDS = 30

const keyId = 'mock'
const secretKey = keyFrom('tokens')
const encodePart = (value: object) => base64urlnopad.encode(utf8ToBytes(JSON.stringify(value)))

export function mockKeySet(): MockKeySet {
  const point = p256.getPublicKey(secretKey, false)
  const [x, y] = [point.slice(1, 33), point.slice(33)].map((half) => base64urlnopad.encode(half))
  if (x === undefined || y === undefined) throw new Error('Invalid public key')
  return { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: keyId, use: 'sig', alg: 'ES256' }] }
}

type Issuer = { appId: string; issuer: string; now: () => number }
type Granted = { userId: string; expiresAtSeconds: number; token: string }

/** Creates the token source. Like the dialog, it reuses a token until shortly before it expires. */
export function createTokens({ appId, issuer, now }: Issuer) {
  let granted: Granted | undefined

  function getToken(userId: string): string {
    const seconds = Math.floor(now() / 1_000)
    if (granted?.userId === userId && seconds < granted.expiresAtSeconds - RENEWED_BEFORE_SECONDS)
      return granted.token
    const expiresAtSeconds = seconds + LIFETIME_SECONDS
    const signed = [
      encodePart({ alg: 'ES256', typ: 'at+jwt', kid: keyId }),
      encodePart({
        iss: issuer,
        aud: appId,
        client_id: appId,
        sub: userId,
        sid: idFrom(`session of ${userId}`),
        scope: 'host',
        iat: seconds,
        exp: expiresAtSeconds,
        jti: idFrom(`token of ${userId} at ${seconds}`),
      }),
    ].join('.')
    const signature = base64urlnopad.encode(p256.sign(utf8ToBytes(signed), secretKey))
    granted = { userId, expiresAtSeconds, token: `${signed}.${signature}` }
    return granted.token
  }
  return {
    getToken,
    forget() {
      granted = undefined
    },
  }
}
