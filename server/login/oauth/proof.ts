/** The browser's DPoP proof for a provider's token endpoint (RFC 9449). The provider verifies it. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { computeThumbprint, readCompact } from '../../kernel/http/proof/proof-key.ts'

/** Returns the thumbprint of the proof's key, or undefined if the proof is malformed. */
export function getProofKey(proof: string | undefined): string | undefined {
  const read = readCompact(proof ?? '', 'dpop+jwt', v.object({ htm: v.literal('POST') }))
  return read && computeThumbprint(read.jwk)
}

export function requireProof(proof: string): void {
  if (getProofKey(proof) === undefined) throw wrongProof()
}

export const wrongProof = () =>
  new LatchkeyError('invalid_data', 'The proof is not one of the key that the tokens are bound to', {
    details: { path: 'proof' },
  })
