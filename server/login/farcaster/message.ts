/**
 * The FIP-11 rules for EIP-4361 messages.
 * https://github.com/farcasterxyz/protocol/discussions/110
 */
import { LatchkeyError } from '@latchkey/protocol'
import { assertExpected, readEthereumMessage, type SignInMessage } from '../siwe/siwe.ts'

/** OP mainnet, with the id registry. */
export const farcasterChainId = 10
const statement = 'Farcaster Auth'
const fidResource = /^farcaster:\/\/fid\/([1-9][0-9]*)\/?$/

/** The expected values. All times are epoch seconds. */
export type Expected = {
  /** The origin of the requesting page. */
  origin: string
  nonce: string
  fid: number
  nonceMadeAt: number
  now: number
}

const refusals = {
  nonce: 'The message is not the one that was asked for',
  statement: 'This is not a message of Sign In With Farcaster',
  fid: 'The message is of another account',
} as const

const checks: readonly (readonly [
  keyof typeof refusals,
  (message: SignInMessage, expected: Expected) => boolean,
])[] = [
  ['nonce', ({ nonce }, expected) => nonce === expected.nonce],
  ['statement', (message) => message.statement === statement],
  ['fid', ({ resources }, { fid }) => fidsIn(resources).join() === String(fid)],
]

/** Verifies everything except the signature and the account's owner. */
export function readFarcasterMessage(text: string, expected: Expected) {
  const message = readEthereumMessage(text)
  assertExpected(message, {
    ...expected,
    address: message.address,
    chainId: `eip155:${farcasterChainId}`,
  })
  for (const [reason, holds] of checks) {
    if (holds(message, expected)) continue
    throw new LatchkeyError('invalid_message', refusals[reason], { details: { reason } })
  }
  return message
}

const fidsIn = (resources: readonly string[]) =>
  resources.flatMap((resource) => fidResource.exec(resource)?.[1] ?? [])
