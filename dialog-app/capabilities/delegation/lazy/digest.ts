/** Hashes a delegation with the library that hosts use. The vault and the server do the same with code of their own. */
import type { Delegation } from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { concatHex, keccak256, numberToHex, toRlp } from 'viem/utils'

/** Returns the digest of an authorization, and of the transaction if the wallet sends it itself. */
export function digestDelegation({ chainId, delegate, nonce, fees }: Delegation, wallet: string): Hex {
  const authorization = ['0x05' as const, toRlp([toNumber(chainId), delegate, toNumber(nonce)])]
  if (fees === null) return keccak256(concatHex(authorization))
  const numbers = [chainId, nonce - 1, fees.priorityFee, fees.maxFee, fees.gas].map(toNumber)
  const transaction = [...numbers, wallet as Hex, toNumber(0), '0x' as const, []]
  return keccak256(concatHex([...authorization, ...transaction.map((field) => toRlp(field))]))
}

/** https://ethereum.org/en/developers/docs/data-structures-and-encoding/rlp/ */
const toNumber = (value: number | string): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(BigInt(value)))
