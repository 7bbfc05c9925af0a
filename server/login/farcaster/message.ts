/**
 * What FIP-11 adds to a message of EIP-4361.
 * https://github.com/farcasterxyz/protocol/discussions/110
 */
import { LatchkeyError } from '@latchkey/protocol'
import { assertExpected, readMessage, type SiweMessage } from '../siwe/siwe.ts'

/** OP mainnet, where the ID registry is. */
export const farcasterChainId = 10
const statement = 'Farcaster Auth'
const fidResource = /^farcaster:\/\/fid\/([1-9][0-9]*)\/?$/

/** What the message is compared with. All times are epoch seconds. */
export type Expected = {
  /** The origin of the page that asked. */
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
  (message: SiweMessage, expected: Expected) => boolean,
])[] = [
  ['nonce', ({ nonce }, expected) => nonce === expected.nonce],
  ['statement', (message) => message.statement === statement],
  ['fid', ({ resources }, { fid }) => fidsIn(resources).join() === String(fid)],
]

/** All is right with it but for its signature and who owns the account, which are still to be looked at. */
export function readFarcasterMessage(text: string, expected: Expected): SiweMessage {
  const message = readMessage(text)
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
