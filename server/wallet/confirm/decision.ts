/** The statement of a device that approves a request (`protocol/capabilities/confirm/wallet.ts`), as the page sends it. */
import { LatchkeyError } from '@latchkey/protocol'
import { type Decision, decisionSchema, decisionType } from '@latchkey/protocol/wallet'
import { computeThumbprint, isSignedBy, readCompact } from '../../kernel/http/proof/proof-key.ts'

/** What it has to be about. */
type Decided = Pick<Decision, 'handle' | 'digest'> & { appId: string }

/** The thumbprint (RFC 7638) of the device that signed it; throws for what is of another app or request, or no decision. */
export function readDecision(statement: string | undefined, { appId, handle, digest }: Decided): string {
  if (statement === undefined) throw refused('missing')
  const read = readCompact(statement, decisionType, decisionSchema)
  if (read === undefined) throw refused('malformed')
  const { jwk, claims, signed, signature } = read
  if (claims.aud !== appId) throw refused('of_another_app')
  if (claims.handle !== handle || claims.digest !== digest) throw refused('of_another_request')
  const device = computeThumbprint(jwk)
  if (!isSignedBy(device, jwk, signed, signature)) throw refused('not_signed')
  return device
}

const refused = (reason: 'missing' | 'malformed' | 'of_another_app' | 'of_another_request' | 'not_signed') =>
  new LatchkeyError('invalid_data', 'Only the device of the session can approve this', {
    details: { path: 'statement', reason },
  })
