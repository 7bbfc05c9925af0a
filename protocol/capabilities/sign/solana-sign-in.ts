/**
 * Sign-in with Solana: the fields of `solana:signIn`, and the text that the wallet signs for them.
 * https://github.com/phantom/sign-in-with-solana
 */
import * as v from 'valibot'

/** A field is one line of printable ASCII, so that its text cannot pass for another field. */
const line = v.pipe(v.string(), v.maxLength(1_024), v.regex(/^[!-~](?:[ -~]*[!-~])?$/))
/** A field without spaces. */
const word = v.pipe(v.string(), v.maxLength(1_024), v.regex(/^[!-~]+$/))

/** The order of the optional fields in the text. */
const labels = {
  uri: 'URI',
  version: 'Version',
  chainId: 'Chain ID',
  nonce: 'Nonce',
  issuedAt: 'Issued At',
  expirationTime: 'Expiration Time',
  notBefore: 'Not Before',
  requestId: 'Request ID',
} as const

const optional = {
  statement: v.exactOptional(line),
  uri: v.exactOptional(word),
  version: v.exactOptional(v.literal('1')),
  chainId: v.exactOptional(word),
  nonce: v.exactOptional(v.pipe(v.string(), v.maxLength(1_024), v.regex(/^[A-Za-z0-9]{8,}$/))),
  issuedAt: v.exactOptional(word),
  expirationTime: v.exactOptional(word),
  notBefore: v.exactOptional(word),
  requestId: v.exactOptional(word),
  resources: v.exactOptional(v.pipe(v.array(word), v.minLength(1), v.maxLength(20))),
}

/** The host and port of the site that the user signs in at. */
const domain = v.pipe(
  v.string(),
  v.maxLength(300),
  v.regex(/^[a-z0-9.-]+(?::[0-9]{1,5})?$|^\[[0-9a-f:]+\](?::[0-9]{1,5})?$/),
)

export const solanaSignInFields = v.object({ domain, ...optional })
export type SolanaSignInFields = v.InferOutput<typeof solanaSignInFields>

/** The fields of a page. Its own site is the domain by default. */
export const solanaSignInInput = v.object({
  domain: v.exactOptional(domain),
  address: v.exactOptional(v.string()),
  ...optional,
})

export function writeSolanaSignIn(fields: SolanaSignInFields, address: string): string {
  const { domain: site, statement, resources } = fields
  const lines = (Object.keys(labels) as (keyof typeof labels)[]).flatMap((name) =>
    fields[name] === undefined ? [] : [`${labels[name]}: ${fields[name]}`],
  )
  const listed = resources ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : []
  return [
    `${site} wants you to sign in with your Solana account:\n${address}`,
    ...(statement === undefined ? [] : [statement]),
    ...(lines.length + listed.length === 0 ? [] : [[...lines, ...listed].join('\n')]),
  ].join('\n\n')
}
