/**
 * Detects whether the browser forbids passkeys in this frame. Chromium exposes its permissions policy. Safari creates
 * no passkeys in cross-site frames, and older Firefox neither creates nor uses them. Both refuse at once, faster than
 * any user.
 * https://www.w3.org/TR/webauthn-3/#sctn-permissions-policy
 */
import { passkeyLimits } from '@latchkey/protocol'

export type Ceremony = 'get' | 'create'

export type Frame = {
  isFramed: boolean
  /** Returns the policy for a ceremony, or undefined if the browser does not expose it. */
  allows: (ceremony: Ceremony) => boolean | undefined
  nowMs: () => number
}

export const createFrame = (
  own: Pick<Window, 'self' | 'top' | 'performance'> & { document: object },
): Frame => ({
  isFramed: own.self !== own.top,
  allows: (ceremony) => allowedBy(readPolicy(own.document), `publickey-credentials-${ceremony}`),
  nowMs: () => own.performance.now(),
})

/** Reads the policy under its current or former name. */
function readPolicy(page: object): unknown {
  if ('permissionsPolicy' in page) return page.permissionsPolicy
  return 'featurePolicy' in page ? page.featurePolicy : undefined
}

function allowedBy(policy: unknown, feature: string): boolean | undefined {
  if (typeof policy !== 'object' || policy === null || !('allowsFeature' in policy)) return undefined
  const { allowsFeature } = policy
  if (typeof allowsFeature !== 'function') return undefined
  const isAllowed: unknown = allowsFeature.call(policy, feature)
  return typeof isAllowed === 'boolean' ? isAllowed : undefined
}

/** Returns whether the policy forbids the ceremony. */
export const isForbidden = ({ isFramed, allows }: Frame, ceremony: Ceremony): boolean =>
  isFramed && allows(ceremony) === false

const refusals: readonly string[] = ['NotAllowedError', 'SecurityError', 'NotSupportedError']

/** Returns whether the frame was refused. If the policy allows the ceremony, the device or user refused it. */
export const wasRefused = (
  { isFramed, allows, nowMs }: Frame,
  { ceremony, sinceMs, cause }: { ceremony: Ceremony; sinceMs: number; cause: unknown },
): boolean =>
  isFramed &&
  allows(ceremony) === undefined &&
  nowMs() - sinceMs < passkeyLimits.refusedAtOnceMs &&
  cause instanceof Error &&
  refusals.includes(cause.name)
