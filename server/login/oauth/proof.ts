/** The proof of a browser's key that is passed on to the token endpoint of a provider (RFC 9449), which checks it. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { computeThumbprint, readCompact } from '../../kernel/http/proof/proof-key.ts'

/** Thumbprint of its key; undefined where it is none, and where nobody could send it in a header. */
export function keyOfProof(proof: string | undefined): string | undefined {
  const read = readCompact(proof ?? '', 'dpop+jwt', v.object({ htm: v.literal('POST') }))
  return read && computeThumbprint(read.jwk)
}

export function requireProof(proof: string): void {
  if (keyOfProof(proof) === undefined) throw wrongProof()
}

export const wrongProof = () =>
  new LatchkeyError('invalid_data', 'The proof is not one of the key that the tokens are bound to', {
    details: { path: 'proof' },
  })
