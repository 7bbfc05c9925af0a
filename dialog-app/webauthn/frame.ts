/**
 * Whether a browser lets this frame ask for passkeys. Chromium says so of its policy. Safari makes no passkey in a
 * frame of another site, older Firefox neither makes nor asks one, and both only refuse: before anything is drawn,
 * which is sooner than anybody could have.
 * https://www.w3.org/TR/webauthn-3/#sctn-permissions-policy
 */
import { passkeyLimits } from '@latchkey/protocol'

export type Ceremony = 'get' | 'create'

export type Frame = {
  isFramed: boolean
  /** What its policy says; undefined where the browser does not tell. */
  allows: (ceremony: Ceremony) => boolean | undefined
  nowMs: () => number
}

export const frameOf = (own: Pick<Window, 'self' | 'top' | 'performance'> & { document: object }): Frame => ({
  isFramed: own.self !== own.top,
  allows: (ceremony) => allowedBy(policyOf(own.document), `publickey-credentials-${ceremony}`),
  nowMs: () => own.performance.now(),
})

/** Its name has changed; no browser has both in its types. */
function policyOf(page: object): unknown {
  if ('permissionsPolicy' in page) return page.permissionsPolicy
  return 'featurePolicy' in page ? page.featurePolicy : undefined
}

function allowedBy(policy: unknown, feature: string): boolean | undefined {
  if (typeof policy !== 'object' || policy === null || !('allowsFeature' in policy)) return undefined
  const { allowsFeature } = policy
  if (typeof allowsFeature !== 'function') return undefined
  const said: unknown = allowsFeature.call(policy, feature)
  return typeof said === 'boolean' ? said : undefined
}

/** Known before anything is asked. */
export const isForbidden = ({ isFramed, allows }: Frame, ceremony: Ceremony): boolean =>
  isFramed && allows(ceremony) === false

const refusals: readonly string[] = ['NotAllowedError', 'SecurityError', 'NotSupportedError']

/** Where the browser says that it allows it, a refusal is the device's or the user's, however fast. */
export const wasRefused = (
  { isFramed, allows, nowMs }: Frame,
  { ceremony, sinceMs, cause }: { ceremony: Ceremony; sinceMs: number; cause: unknown },
): boolean =>
  isFramed &&
  allows(ceremony) === undefined &&
  nowMs() - sinceMs < passkeyLimits.refusedAtOnceMs &&
  cause instanceof Error &&
  refusals.includes(cause.name)
