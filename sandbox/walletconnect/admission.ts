/**
 * Who may connect to the relay: a project that is known, and a client that names itself in a token.
 * https://specs.walletconnect.com/2.0/specs/clients/core/relay/relay-client-auth
 */

/** Project ids as the provider writes them; any other one is refused. */
const projectId = /^[0-9a-f]{32}$/
/** `did:key` of an Ed25519 key: multicodec 0xed01 and 32 bytes, in base58. */
const clientId = /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

export type Admission =
  | { type: 'admitted'; clientId: string; projectId: string }
  | { type: 'refused'; why: string }

const refused = (why: string): Admission => ({ type: 'refused', why })

const partOf = (text = ''): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    return {}
  }
}

/** The form of the token is looked at and not its signature: nobody here has anything to steal. */
export function admit(query: URLSearchParams, nowSeconds: number): Admission {
  const project = query.get('projectId') ?? ''
  if (project === '') return refused('Unauthorized: Project id is missing')
  if (!projectId.test(project)) return refused('Unauthorized: invalid key')
  const parts = (query.get('auth') ?? '').split('.')
  const [header, claims, signature] = parts
  const { alg, typ } = partOf(header)
  if (parts.length !== 3 || !signature || alg !== 'EdDSA' || typ !== 'JWT') {
    return refused('JWT error: it is no token signed by EdDSA')
  }
  const { iss, sub, aud, exp } = partOf(claims)
  if (typeof iss !== 'string' || !clientId.test(iss)) return refused('JWT error: iss is no did:key')
  if (typeof sub !== 'string' || sub === '') return refused('JWT error: sub is missing')
  if (typeof aud !== 'string' || !/^wss?:\/\//.test(aud)) return refused('JWT error: aud is no relay')
  if (typeof exp !== 'number' || exp <= nowSeconds) return refused('JWT error: it has expired')
  return { type: 'admitted', clientId: iss, projectId: project }
}
