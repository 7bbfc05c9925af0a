/**
 * The bytes of an authorization (EIP-7702) that a wallet signs, and of the transaction that it may send it in. The
 * confirmation page computes its digest from them, and needs no curves for that.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type Delegation, parseDelegation } from '@latchkey/protocol/wallet'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { writeBytes, writeList, writeNumber } from './rlp.ts'

/** Parses the JSON of a delegation. Throws if the vault would refuse to sign it. */
export function readDelegation(text: string): Delegation {
  try {
    return parseDelegation(text)
  } catch (cause) {
    throw new LatchkeyError('invalid_request_arguments', 'The authorization cannot be signed', { cause })
  }
}

const AUTHORIZATION_MAGIC = 0x05

/** https://eips.ethereum.org/EIPS/eip-7702 */
export function authorizationBytes(chainId: number, contract: string, nonce: number): Uint8Array {
  const fields = [writeNumber(BigInt(chainId)), writeAddress(contract), writeNumber(BigInt(nonce))]
  return concatBytes(Uint8Array.of(AUTHORIZATION_MAGIC), writeList(fields))
}

/**
 * Returns the bytes of the authorization. If the wallet sends it itself, the encoded fields of its transaction follow, up
 * to the access list. The transaction calls the wallet without data.
 */
export function delegationBytes({ chainId, delegate, nonce, fees }: Delegation, wallet: string): Uint8Array {
  const authorization = authorizationBytes(chainId, delegate, nonce)
  if (fees === null) return authorization
  const numbers = [chainId, nonce - 1, fees.priorityFee, fees.maxFee, fees.gas]
  const noValue = writeNumber(0n)
  const noData = writeBytes(new Uint8Array())
  return concatBytes(
    authorization,
    ...numbers.map((number) => writeNumber(BigInt(number))),
    writeAddress(wallet),
    noValue,
    noData,
    writeList([]),
  )
}

const writeAddress = (address: string) => writeBytes(hexToBytes(address.slice(2)))
