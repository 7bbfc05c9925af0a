/** An OpenID provider with responses that a test can override. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export type Asked = {
  path: string
  form: URLSearchParams
  headers: IncomingMessage['headers']
}
type Answer = (response: ServerResponse, asked: Asked) => unknown

export const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const redirect =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end()

export const newAppId = () => randomBytes(32).toString('hex').slice(0, 25)

export async function startScriptedProvider(hostname = 'localhost') {
  const keys = await generateKeyPair('ES256', { extractable: true })
  const otherKeys = await generateKeyPair('ES256', { extractable: true })
  const publicJwk = { ...(await exportJWK(keys.publicKey)), kid: 'key', alg: 'ES256', use: 'sig' }
  const asked: Asked[] = []
  const answers = new Map<string, Answer>()

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
  const origin = `http://${hostname}:${typeof bound === 'object' && bound !== null ? bound.port : 0}`

  const appId = newAppId()
  const path = `/apps/${appId}/openid`
  const issuer = origin + path
  const tokenEndpoint = `${issuer}/token`
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: tokenEndpoint,
    jwks_uri: `${issuer}/jwks`,
    revocation_endpoint: `${issuer}/revocation`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    dpop_signing_alg_values_supported: ['ES256'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
    latchkey_app_id: appId,
    latchkey_app_name: 'Harbour',
    latchkey_icon_url: 'https://cdn.harbour.example/icon.png',
    latchkey_custom_api_url: null,
  }
  const on = (name: string, answer: Answer) => answers.set(path + name, answer)

  const idToken = (claims: object, header: object = {}, key: CryptoKey | Uint8Array = keys.privateKey) =>
    new SignJWT({ iss: issuer, sub: 'usr_ada', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'key', ...header })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)
  const tokens = (more: object) => ({
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    token_type: 'DPoP',
    expires_in: 900,
    scope: 'openid wallet.read wallet.sign wallet.send',
    ...more,
  })

  function reset() {
    asked.length = 0
    answers.clear()
    on('/.well-known/openid-configuration', json(metadata))
    on('/jwks', json({ keys: [publicJwk] }))
    on('/revocation', json({}))
  }
  reset()

  return {
    appId,
    provider: `latchkey:${appId}`,
    origin,
    issuer,
    tokenEndpoint,
    metadata,
    publicJwk,
    otherKey: otherKeys.privateKey,
    asked,
    askedAt: (name: string) => asked.filter((call) => call.path === path + name),
    on,
    idToken,
    tokens,
    reset,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
