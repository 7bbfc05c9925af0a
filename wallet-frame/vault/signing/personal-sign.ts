/** `personal_sign`: EIP-191, version 0x45. https://eips.ethereum.org/EIPS/eip-191 */
import { LatchkeyError, walletSizes } from '@latchkey/protocol'
import { encodeMessage, personalSignParamsSchema } from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import type { SigningMethod } from './signing-method.ts'

type Params = v.InferOutput<typeof personalSignParamsSchema>

export const personalSign = {
  request: v.strictObject({ method: v.literal('personal_sign'), params: personalSignParamsSchema }),
  signer: ([, address]) => address,
  message: ([message]) => personalMessageBytes(message),
  digest: (message) => {
    const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
    return keccak_256(concatBytes(prefix, message))
  },
} as const satisfies SigningMethod<'personal_sign', Params>

/**
 * Returns the bytes that `personal_sign` signs. Wallets read a text that starts with 0x as hex. They disagree
 * on a text that only looks like hex, so it is refused.
 */
export function personalMessageBytes(message: string): Uint8Array {
  if (message === '' || message === '0x') {
    throw new LatchkeyError('invalid_request_arguments', 'Message must be a non-empty string')
  }
  const bytes = encodeMessage(message)
  if (bytes === undefined) {
    throw new LatchkeyError(
      'invalid_request_arguments',
      message.startsWith('0x')
        ? 'A message that starts with 0x must be hex'
        : 'Message is not well-formed text',
    )
  }
  if (bytes.length > walletSizes.maxMessageBytes) {
    throw new LatchkeyError('invalid_request_arguments', 'Message is too long to sign')
  }
  return bytes
}
