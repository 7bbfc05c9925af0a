/**
 * Hashes the authorization (EIP-7702) of a delegation with the library that hosts use. The vault does the same with code
 * of its own.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type Delegation, parseDelegation } from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { concatHex, keccak256, numberToHex, toRlp } from 'viem/utils'
import type { Reading } from './reading.ts'

export function readDelegation(text: string, shown: string, wallet: string): Reading {
  const delegation = readFields(text)
  const { digest } = encodeDelegation(delegation, wallet)
  if (digest !== shown.toLowerCase()) {
    throw new LatchkeyError('invalid_data', 'The authorization does not match the displayed hash', {
      details: { path: 'params' },
    })
  }
  const { chainId, delegate, fees } = delegation
  const mostFee = fees === null ? 0n : BigInt(fees.gas) * BigInt(fees.maxFee)
  return { kind: 'delegation', digest, chainId: String(chainId), delegate, mostFee }
}

function readFields(text: string): Delegation {
  try {
    return parseDelegation(text)
  } catch (cause) {
    throw new LatchkeyError('invalid_data', 'The authorization cannot be parsed', {
      details: { path: 'params' },
      cause,
    })
  }
}

export function encodeDelegation({ chainId, delegate, nonce, fees }: Delegation, wallet: string) {
  const authorization = encodeAuthorization(chainId, delegate, nonce)
  const transaction =
    fees === null
      ? []
      : [
          ...[chainId, nonce - 1, fees.priorityFee, fees.maxFee, fees.gas].map(toNumber),
          wallet as Hex,
          toNumber(0),
          '0x' as const,
          [],
        ].map((field) => toRlp(field))
  return {
    /** The hash that the wallet signs. */
    authorizationHash: keccak256(authorization),
    /** Identifies the request: the authorization, and the transaction of the wallet if it sends one. */
    digest: keccak256(concatHex([authorization, ...transaction])),
  }
}

/** https://eips.ethereum.org/EIPS/eip-7702 */
export const encodeAuthorization = (chainId: number, contract: Hex, nonce: number): Hex =>
  concatHex(['0x05', toRlp([toNumber(chainId), contract, toNumber(nonce)])])

/** Encodes a number without leading zeros; zero is the empty byte string. */
const toNumber = (value: number | string): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(BigInt(value)))
