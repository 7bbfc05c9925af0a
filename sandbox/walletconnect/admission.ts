/**
 * Admission to the relay: a valid project id, and a token that names the client.
 * https://specs.walletconnect.com/2.0/specs/clients/core/relay/relay-client-auth
 */

/** The provider's format of project ids. */
const projectId = /^[0-9a-f]{32}$/
/** `did:key` of an Ed25519 key: multicodec 0xed01 and 32 bytes, in base58. */
const clientId = /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

export type Admission =
  | { type: 'admitted'; clientId: string; projectId: string }
  | { type: 'refused'; why: string }

const refused = (why: string): Admission => ({ type: 'refused', why })

const parsePart = (text = ''): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    return {}
  }
}

/** Checks the form of the token but not its signature, because the sandbox protects nothing. */
export function admit(query: URLSearchParams, nowSeconds: number): Admission {
  const project = query.get('projectId') ?? ''
  if (project === '') return refused('Unauthorized: Project id is missing')
  if (!projectId.test(project)) return refused('Unauthorized: invalid key')
  const parts = (query.get('auth') ?? '').split('.')
  const [header, claims, signature] = parts
  const { alg, typ } = parsePart(header)
  if (parts.length !== 3 || !signature || alg !== 'EdDSA' || typ !== 'JWT') {
    return refused('JWT error: not a token signed with EdDSA')
  }
  const { iss, sub, aud, exp } = parsePart(claims)
  if (typeof iss !== 'string' || !clientId.test(iss)) return refused('JWT error: iss is not a did:key')
  if (typeof sub !== 'string' || sub === '') return refused('JWT error: sub is missing')
  if (typeof aud !== 'string' || !/^wss?:\/\//.test(aud)) return refused('JWT error: aud is not a relay')
  if (typeof exp !== 'number' || exp <= nowSeconds) return refused('JWT error: token has expired')
  return { type: 'admitted', clientId: iss, projectId: project }
}
