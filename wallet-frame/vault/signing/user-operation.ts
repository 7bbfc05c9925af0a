/**
 * `eth_signUserOperation`: a user operation of EntryPoint 0.8, and the authorization (EIP-7702) that its first use
 * needs. https://eips.ethereum.org/EIPS/eip-4337, https://eips.ethereum.org/EIPS/eip-7702
 *
 * The dialog sends the fields and the digest that another library computed from them. The vault encodes the calls and
 * hashes both itself. Account contract, fees and paymaster are constants, so no request can name others.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { signUserOperationParamsSchema } from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { readUserOperation, TYPED_DATA_BYTES, userOperationBytes } from './operation-bytes.ts'
import { signDigest } from './signature.ts'
import type { SigningMethod } from './signing-method.ts'

type Params = v.InferOutput<typeof signUserOperationParamsSchema>

export const signUserOperation = {
  request: v.strictObject({
    method: v.literal('eth_signUserOperation'),
    params: signUserOperationParamsSchema,
  }),
  signer: ([address]) => address,
  message([address, text, shownDigest]) {
    const bytes = userOperationBytes(readUserOperation(text), address)
    if (`0x${bytesToHex(keccak_256(bytes))}` !== shownDigest.toLowerCase()) {
      throw new LatchkeyError(
        'invalid_request_arguments',
        'The operation does not match the digest that was shown',
      )
    }
    return bytes
  },
  digest: (message) => keccak_256(message),
  /** Returns the signature of the operation, followed by that of the authorization if there is one. */
  signature(message, privateKey) {
    const authorization = message.subarray(TYPED_DATA_BYTES)
    const parts = [
      message.subarray(0, TYPED_DATA_BYTES),
      ...(authorization.length > 0 ? [authorization] : []),
    ]
    return `0x${parts.map((part) => signDigest(keccak_256(part), privateKey).slice(2)).join('')}`
  },
} as const satisfies SigningMethod<'eth_signUserOperation', Params>
