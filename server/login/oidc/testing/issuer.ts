/** An OpenID provider whose responses a test can override. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type Asked, json } from '../../cross-app/testing/scripted-provider.ts'

export const clientId = 'fieldnotes'

/** Starts a provider on this machine. `algorithm` is the one of its signatures. */
export async function startIssuer(
  hostname: string,
  algorithm: 'RS256' | 'ES256' | 'PS256' | 'EdDSA' = 'ES256',
) {
  const keys = await generateKeyPair(algorithm, { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'key', alg: algorithm, use: 'sig' }
  const asked: Asked[] = []
  const answers = new Map<string, ReturnType<typeof json>>()

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    const call = { path: pathname, form: new URLSearchParams(body), headers: request.headers }
    asked.push(call)
    const answer = answers.get(pathname)
    if (answer) return void (await answer(response, call))
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const issuer = `http://${hostname}:${typeof bound === 'object' && bound !== null ? bound.port : 0}`

  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    id_token_signing_alg_values_supported: [algorithm, 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
  }
  const on = (path: string, answer: ReturnType<typeof json>) => answers.set(path, answer)

  /** Signs a token like the provider, at this time. */
  const sign = (
    claims: JWTPayload,
    nowMs: number,
    key: CryptoKey | Uint8Array = keys.privateKey,
    header = {},
  ) =>
    new SignJWT({ iss: issuer, sub: 'ada', aud: clientId, ...claims })
      .setProtectedHeader({ alg: algorithm, kid: 'key', ...header })
      .setIssuedAt(Math.floor(nowMs / 1_000))
      .setExpirationTime(Math.floor(nowMs / 1_000) + 300)
      .sign(key)

  function reset() {
    asked.length = 0
    answers.clear()
    on('/.well-known/openid-configuration', json(metadata))
    on('/jwks', json({ keys: [jwk] }))
  }
  reset()

  return {
    issuer,
    metadata,
    jwk,
    asked,
    on,
    sign,
    reset,
    /** The left half of the access token's hash, for the digest of the algorithm. */
    accessTokenHash(accessToken: string) {
      const digest = createHash(algorithm === 'EdDSA' ? 'sha512' : 'sha256')
        .update(accessToken)
        .digest()
      return digest.subarray(0, digest.length / 2).toString('base64url')
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
export type Issuer = Awaited<ReturnType<typeof startIssuer>>
