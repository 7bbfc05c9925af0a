/**
 * Parses EIP-4361 messages, and verifies that a message is the one that our page requested.
 * https://eips.ethereum.org/EIPS/eip-4361
 */
import { LatchkeyError, siweLimits } from '@latchkey/protocol'
import { ParsedMessage } from '@spruceid/siwe-parser'
import type { Address } from 'viem'
import { getAddress } from 'viem/utils'

export type SiweMessage = {
  text: string
  /** `https`, if the message contains a scheme. */
  scheme: string | undefined
  /** The host, with the port if there is one. */
  domain: string
  address: Address
  statement: string | undefined
  uri: string
  chainId: number
  nonce: string
  issuedAt: number
  expiresAt: number | undefined
  notBefore: number | undefined
  resources: readonly string[]
}

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
  format: 'This is not a Sign-In with Ethereum message',
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

export function readMessage(text: string): SiweMessage {
  const message = parseMessage(text)
  return {
    text,
    scheme: message.scheme,
    domain: message.domain,
    address: getAddress(message.address),
    statement: message.statement ?? undefined,
    uri: message.uri,
    chainId: message.chainId,
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

export function assertExpected(message: SiweMessage, expected: Expected): void {
  for (const [reason, holds] of checks) if (!holds(message, expected)) throw refusal(reason)
}

type Check = readonly [Reason, (message: SiweMessage, expected: Expected) => boolean]

const { clockSkewSeconds } = siweLimits
const checks: readonly Check[] = [
  ['domain', ({ domain }, { origin }) => domain === new URL(origin).host],
  ['domain', ({ scheme }, { origin }) => scheme === undefined || `${scheme}:` === new URL(origin).protocol],
  ['uri', ({ uri }, { origin }) => uri === origin],
  ['address', ({ address }, expected) => address === expected.address],
  ['chain', ({ chainId }, expected) => `eip155:${chainId}` === expected.chainId],
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
