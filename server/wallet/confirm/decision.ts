/** Verifies the device's statement that approves a request (`protocol/capabilities/confirm/wallet.ts`). */
import { LatchkeyError } from '@latchkey/protocol'
import { type Decision, decisionSchema, decisionType } from '@latchkey/protocol/wallet'
import { computeThumbprint, isSignedBy, readCompact } from '../../kernel/http/proof/proof-key.ts'

/** The request that the statement must name. */
type ExpectedDecision = Pick<Decision, 'handle' | 'digest'> & { appId: string }

/** Returns the thumbprint (RFC 7638) of the signing device. Throws for a statement of another app or request. */
export function verifyDecision(
  statement: string | undefined,
  { appId, handle, digest }: ExpectedDecision,
): string {
  if (statement === undefined) throw invalidStatement('missing')
  const read = readCompact(statement, decisionType, decisionSchema)
  if (read === undefined) throw invalidStatement('malformed')
  const { jwk, claims, signed, signature } = read
  if (claims.aud !== appId) throw invalidStatement('of_another_app')
  if (claims.handle !== handle || claims.digest !== digest) throw invalidStatement('of_another_request')
  const device = computeThumbprint(jwk)
  if (!isSignedBy(device, jwk, signed, signature)) throw invalidStatement('not_signed')
  return device
}

const invalidStatement = (
  reason: 'missing' | 'malformed' | 'of_another_app' | 'of_another_request' | 'not_signed',
) =>
  new LatchkeyError('invalid_data', 'Only the device of the session can approve this', {
    details: { path: 'statement', reason },
  })
