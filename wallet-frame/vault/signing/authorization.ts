/**
 * `eth_signAuthorization`: removes the delegate of a wallet, or replaces it by the account contract.
 * https://eips.ethereum.org/EIPS/eip-7702
 *
 * The dialog sends the fields and the digest that another library computed from them. The vault encodes and hashes them
 * itself.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { signAuthorizationParamsSchema } from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { delegationBytes, readDelegation } from './delegation-bytes.ts'
import { writeList, writeNumber } from './rlp.ts'
import { type HexText, signDigest } from './signature.ts'
import type { SigningMethod } from './signing-method.ts'

type Params = v.InferOutput<typeof signAuthorizationParamsSchema>

const SET_CODE_TYPE = 0x04
const SMALLEST_LIST = 0xc0

export const signAuthorization = {
  request: v.strictObject({
    method: v.literal('eth_signAuthorization'),
    params: signAuthorizationParamsSchema,
  }),
  signer: ([address]) => address,
  message([address, text, shownDigest]) {
    const bytes = delegationBytes(readDelegation(text), address)
    if (`0x${bytesToHex(keccak_256(bytes))}` !== shownDigest.toLowerCase()) {
      throw new LatchkeyError(
        'invalid_request_arguments',
        'The authorization does not match the digest that was shown',
      )
    }
    return bytes
  },
  digest: (message) => keccak_256(message),
  /** Returns the signature of the authorization, or the signed transaction that contains it. */
  signature(message, privateKey) {
    // The three fields of an authorization fit into a short list, so its header is one byte.
    const end = 2 + (message[1] ?? SMALLEST_LIST) - SMALLEST_LIST
    const signature = signDigest(keccak_256(message.subarray(0, end)), privateKey)
    const transaction = message.subarray(end)
    if (transaction.length === 0) return signature
    const authorization = writeList([message.subarray(2, end), ...writeSignature(signature)])
    const fields = [transaction, writeList([authorization])]
    const unsigned = concatBytes(Uint8Array.of(SET_CODE_TYPE), writeList(fields))
    const sender = writeSignature(signDigest(keccak_256(unsigned), privateKey))
    const signed = concatBytes(Uint8Array.of(SET_CODE_TYPE), writeList([...fields, ...sender]))
    return `0x${bytesToHex(signed)}`
  },
} as const satisfies SigningMethod<'eth_signAuthorization', Params>

const HEX_OF_WORD = 64
const RECOVERY_OFFSET = 27n

/** Encodes the parity, r and s. */
function writeSignature(signature: HexText): Uint8Array[] {
  const digits = signature.slice(2)
  const numberAt = (start: number, end?: number) => BigInt(`0x${digits.slice(start, end)}`)
  return [
    writeNumber(numberAt(2 * HEX_OF_WORD) - RECOVERY_OFFSET),
    writeNumber(numberAt(0, HEX_OF_WORD)),
    writeNumber(numberAt(HEX_OF_WORD, 2 * HEX_OF_WORD)),
  ]
}
