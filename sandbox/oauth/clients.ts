/**
 * The client that every provider knows, for example `client-of-google` with `secret-of-google`, and a key for
 * Apple.
 */
import { createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Provider } from './provider.ts'
import type { ProviderName } from './providers.ts'

export const getClientId = (provider: ProviderName) => `client-of-${provider}`
const getClientSecret = (provider: ProviderName) => `secret-of-${provider}`

const appleTeam = { teamId: 'SANDBOXTEA', keyId: 'SANDBOXKEY' } as const
/** The public key of `MIGHAgEA…` in the settings of the local product. */
const appleKey = createPublicKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'mw6jj6-WeyQbL4BRnqF-U_BygO6-HWKthEfpAipHTrU',
    y: 'TLLyY2GFyARS-wVPqwJLNMsrYEslW1c1FzIvCqgpA0k',
  },
})
const halfAYearSeconds = 15_777_000

const isEqual = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export const isClient = (
  name: ProviderName,
  provider: Provider,
  request: IncomingMessage,
  form: URLSearchParams,
  issuer: string,
): boolean => {
  const id = form.get(provider.clientIdParameter) ?? ''
  const secret = form.get('client_secret') ?? ''
  switch (provider.clientAuthentication) {
    case 'basic': {
      const expected = Buffer.from(`${getClientId(name)}:${getClientSecret(name)}`).toString('base64')
      return isEqual(request.headers.authorization ?? '', `Basic ${expected}`)
    }
    case 'post':
      return isEqual(id, getClientId(name)) && isEqual(secret, getClientSecret(name))
    case 'signed':
      return isEqual(id, getClientId(name)) && isSigned(secret, getClientId(name), issuer)
    default:
      return provider.clientAuthentication satisfies never
  }
}

/** https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
const isSigned = (jwt: string, clientId: string, audience: string): boolean => {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const key = { key: appleKey, dsaEncoding: 'ieee-p1363' } as const
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return false
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { alg, kid } = read(header)
  const { iss, sub, aud, iat, exp } = read(payload)
  const now = Date.now() / 1_000
  return (
    alg === 'ES256' &&
    kid === appleTeam.keyId &&
    iss === appleTeam.teamId &&
    sub === clientId &&
    aud === audience &&
    iat <= now + 60 &&
    exp > now &&
    exp - iat <= halfAYearSeconds
  )
}
