/**
 * Parses EIP-4361 messages, and verifies that a message is the one that our page requested.
 * https://eips.ethereum.org/EIPS/eip-4361
 */
import { type ChainType, LatchkeyError, siweLimits } from '@latchkey/protocol'
import { ParsedMessage } from '@spruceid/siwe-parser'
import type { Address } from 'viem'
import { getAddress } from 'viem/utils'

export type SignInMessage = {
  text: string
  /** `https`, if the message contains a scheme. */
  scheme: string | undefined
  /** The host, with the port if there is one. */
  domain: string
  address: string
  statement: string | undefined
  uri: string
  /** CAIP-2, or the name of a Solana cluster. */
  chain: string
  nonce: string
  issuedAt: number
  expiresAt: number | undefined
  notBefore: number | undefined
  resources: readonly string[]
}

type EthereumMessage = SignInMessage & { address: Address }

/** The expected values. All times are epoch seconds. */
export type Expected = {
  /** The origin of the page that requested the signature. */
  origin: string
  address: string
  /** CAIP-2, as the caller sent it. */
  chainId: string
  nonceMadeAt: number
  now: number
}

const refusals = {
  format: 'This is not a sign-in message',
  domain: 'The message is for another domain',
  uri: 'The message is for another page',
  address: 'The message is of another address',
  chain: 'The message is for another chain',
  issued_at: 'The message says a wrong time',
  expired: 'The message has expired',
  not_yet_valid: 'The message is not valid yet',
} as const
type Reason = keyof typeof refusals

const refusal = (reason: Reason, cause?: unknown) =>
  new LatchkeyError('invalid_message', refusals[reason], { details: { reason }, cause })

export const readMessage = (chainType: ChainType, text: string): SignInMessage =>
  chainType === 'ethereum' ? readEthereumMessage(text) : readSolanaMessage(text)

export function readEthereumMessage(text: string): EthereumMessage {
  const message = parseMessage(text)
  return {
    text,
    scheme: message.scheme,
    domain: message.domain,
    address: getAddress(message.address),
    statement: message.statement ?? undefined,
    uri: message.uri,
    chain: `eip155:${message.chainId}`,
    nonce: message.nonce,
    issuedAt: toSeconds(message.issuedAt),
    expiresAt: toOptionalSeconds(message.expirationTime),
    notBefore: toOptionalSeconds(message.notBefore),
    resources: message.resources ?? [],
  }
}

/** The grammar validates the version, the address checksum and the format of each field. */
function parseMessage(text: string): ParsedMessage {
  try {
    return new ParsedMessage(text)
  } catch (cause) {
    throw refusal('format', cause)
  }
}

/**
 * The lines of a Solana message, as `solana:signIn` writes them. Only the last two are optional. A message with another
 * line, order or line break is refused.
 * https://github.com/phantom/sign-in-with-solana#abnf-message-format
 */
const solanaLines = [
  /^(?<domain>[^\s/]+) wants you to sign in with your Solana account:$/,
  /^(?<address>[1-9A-HJ-NP-Za-km-z]{32,44})$/,
  /^$/,
  /^(?<statement>[ -~]+)$/,
  /^$/,
  /^URI: (?<uri>\S+)$/,
  /^Version: 1$/,
  /^Chain ID: (?<chain>solana:[a-z]+)$/,
  /^Nonce: (?<nonce>[A-Za-z0-9]+)$/,
  /^Issued At: (?<issuedAt>\S+)$/,
  /^Expiration Time: (?<expiresAt>\S+)$/,
  /^Not Before: (?<notBefore>\S+)$/,
] as const
const requiredSolanaLines = 10
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

function readSolanaMessage(text: string): SignInMessage {
  const lines = text.split('\n')
  const fields: Record<string, string> = {}
  let position = 0
  for (const [index, pattern] of solanaLines.entries()) {
    const match = position < lines.length ? pattern.exec(lines[position] ?? '') : null
    if (!match && index < requiredSolanaLines) throw refusal('format')
    if (!match) continue
    position += 1
    Object.assign(fields, match.groups)
  }
  if (position < lines.length) throw refusal('format')
  const { domain = '', address = '', statement, uri = '', chain = '', nonce = '', issuedAt = '' } = fields
  const { expiresAt, notBefore } = fields
  return {
    text,
    scheme: undefined,
    domain,
    address,
    statement,
    uri,
    chain,
    nonce,
    issuedAt: toSeconds(requireTime(issuedAt)),
    expiresAt: expiresAt === undefined ? undefined : toSeconds(requireTime(expiresAt)),
    notBefore: notBefore === undefined ? undefined : toSeconds(requireTime(notBefore)),
    resources: [],
  }
}

function requireTime(time: string): string {
  if (isoTime.test(time)) return time
  throw refusal('format')
}

export function assertExpected(message: SignInMessage, expected: Expected): void {
  for (const [reason, holds] of checks) if (!holds(message, expected)) throw refusal(reason)
}

type Check = [Reason, (message: SignInMessage, expected: Expected) => boolean]

const { clockSkewSeconds } = siweLimits
const checks: readonly Check[] = [
  ['domain', ({ domain }, { origin }) => domain === new URL(origin).host],
  ['domain', ({ scheme }, { origin }) => scheme === undefined || `${scheme}:` === new URL(origin).protocol],
  ['uri', ({ uri }, { origin }) => uri === origin],
  ['address', ({ address }, expected) => address === expected.address],
  ['chain', ({ chain }, expected) => chain === expected.chainId],
  ['issued_at', ({ issuedAt }, { nonceMadeAt }) => issuedAt >= nonceMadeAt - clockSkewSeconds],
  ['issued_at', ({ issuedAt }, { now }) => issuedAt <= now + clockSkewSeconds],
  ['expired', ({ expiresAt }, { now }) => expiresAt === undefined || expiresAt > now],
  ['not_yet_valid', ({ notBefore }, { now }) => notBefore === undefined || notBefore <= now],
]

const toOptionalSeconds = (time: string | undefined) => (time === undefined ? undefined : toSeconds(time))

/** The parser rejects invalid dates. Only leap seconds remain to be rejected here. */
function toSeconds(time: string): number {
  const milliseconds = Date.parse(time)
  if (Number.isNaN(milliseconds)) throw refusal('format')
  return Math.floor(milliseconds / 1_000)
}
