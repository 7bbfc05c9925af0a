import type { ErrorCode } from '@latchkey/protocol'
import type { VisibilityMethod } from '@latchkey/protocol/browser'

/**
 * The kind decides how reliably the card must be visible. `protection` only adds a second factor or recovery method.
 */
export type ApprovalKind = 'message' | 'typed-data' | 'transaction' | 'protection'

const trustedMethods: { [kind in ApprovalKind]: readonly VisibilityMethod[] } = {
  message: ['composited', 'intersecting'],
  'typed-data': ['composited'],
  transaction: ['composited'],
  protection: ['composited', 'intersecting'],
}

/** Returns the error code for a browser that cannot report visibility well enough for this kind. */
export const gateRefusal = (kind: ApprovalKind, method: VisibilityMethod): ErrorCode | undefined =>
  trustedMethods[kind].includes(method) ? undefined : 'approval_required_elsewhere'
