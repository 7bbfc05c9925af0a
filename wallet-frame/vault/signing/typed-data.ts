/**
 * `eth_signTypedData_v4`: EIP-712. https://eips.ethereum.org/EIPS/eip-712
 *
 * The dialog sends the digest of the data it showed, computed by another library. The vault computes the
 * digest again from the data. If the two differ, one side parsed something that the user has not seen, and
 * the vault refuses to sign.
 */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import {
  encodeTypedData,
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
    const bytes = typedDataBytes(parseText(text))
    if (`0x${bytesToHex(keccak_256(bytes))}` !== shownDigest.toLowerCase()) {
      throw new LatchkeyError(
        'invalid_request_arguments',
        'The typed data does not match the digest that was shown',
      )
    }
    return bytes
  },
  digest: (message) => keccak_256(message),
} as const satisfies SigningMethod<'eth_signTypedData_v4', Params>

function parseText(text: string): TypedData {
  try {
    return parseTypedData(text, { maxBytes: channelLimits.maxSignRequestBytes })
  } catch (cause) {
    throw new LatchkeyError('invalid_request_arguments', 'The typed data cannot be signed', { cause })
  }
}

/** Returns the bytes that are hashed and signed. */
export const typedDataBytes = (data: TypedData): Uint8Array => encodeTypedData(data, keccak_256)
