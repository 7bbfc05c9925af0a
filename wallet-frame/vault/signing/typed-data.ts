/**
 * `eth_signTypedData_v4`: EIP-712. https://eips.ethereum.org/EIPS/eip-712
 *
 * The dialog hashes what it showed by a library of its own and says the hash; here it is made from the data again, by
 * this code. Where the two differ, one of them has read something else than the user has seen, and nothing is signed.
 */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import {
  typedDataBytes as bytesOfTypedData,
  parseTypedData,
  signTypedDataParamsSchema,
  type TypedData,
} from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import type { SigningMethod } from './signing-method.ts'

type Params = v.InferOutput<typeof signTypedDataParamsSchema>

export const signTypedData = {
  request: v.strictObject({ method: v.literal('eth_signTypedData_v4'), params: signTypedDataParamsSchema }),
  signer: ([address]) => address,
  message([, text, shownDigest]) {
    const bytes = typedDataBytes(read(text))
    if (`0x${bytesToHex(keccak_256(bytes))}` !== shownDigest.toLowerCase()) {
      throw new LatchkeyError('invalid_request_arguments', 'The typed data is not what was shown')
    }
    return bytes
  },
  digest: (message) => keccak_256(message),
} as const satisfies SigningMethod<'eth_signTypedData_v4', Params>

function read(text: string): TypedData {
  try {
    return parseTypedData(text, { maxBytes: channelLimits.maxSignRequestBytes })
  } catch (cause) {
    throw new LatchkeyError('invalid_request_arguments', 'The typed data can not be signed', { cause })
  }
}

/** What is hashed for the signature. */
export const typedDataBytes = (data: TypedData): Uint8Array => bytesOfTypedData(data, keccak_256)
