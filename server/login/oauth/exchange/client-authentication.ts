/** Client authentication at a provider's token endpoint. */
import { product } from '@latchkey/protocol'
import * as oauth from 'oauth4webapi'
import { signEs256 } from '../../../kernel/keys/keys.ts'
import type { OAuthClient } from '../environment.ts'
import { oauthClientLimits } from '../limits.ts'
import type { OAuthProvider } from '../provider.ts'

export function createClientAuthentication(provider: OAuthProvider, client: OAuthClient): oauth.ClientAuth {
  if (client.type === 'signed') {
    return (as, _, body) => {
      body.set('client_id', client.id)
      body.set('client_secret', signedSecret(client, as.issuer))
    }
  }
  return async (as, registration, body, headers) => {
    const secret = typeof client.secret === 'string' ? client.secret : await client.secret()
    switch (provider.authentication) {
      case 'encoded basic':
        return oauth.ClientSecretBasic(secret)(as, registration, body, headers)
      case 'basic':
        headers.set('authorization', `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`)
        return
      default:
        body.set(provider.clientIdParameter, registration.client_id)
        body.set('client_secret', secret)
    }
  }
}

/** https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
function signedSecret(
  { id, teamId, keyId, key }: Extract<OAuthClient, { type: 'signed' }>,
  audience: string,
): string {
  const now = Math.floor(Date.now() / 1_000)
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: teamId, sub: id, aud: audience, iat: now, exp: now + oauthClientLimits.secretSeconds }
  const content = `${encoded({ alg: 'ES256', kid: keyId })}.${encoded(claims)}`
  return `${content}.${signEs256(key, content).toString('base64url')}`
}

/** Some providers reject requests without a user agent. */
export const userAgent = product.name
