/** Verifies the device statement (`protocol/vault/device.ts`) in its header. */
import { LatchkeyError, product } from '@latchkey/protocol'
import { type DeviceStatement, deviceStatementSchema, deviceStatementType } from '@latchkey/protocol/wallet'
import type * as v from 'valibot'
import { computeThumbprint, isSignedBy, readCompact } from './proof-key.ts'

export type SignedStatement = DeviceStatement & {
  /** The thumbprint (RFC 7638) of the device's key. */
  device: string
}

/** The app and the dialog key that the statement must be for. */
type Expected = { appId: string; dialogKey: string }

/** Returns undefined without a header. Throws if the statement is invalid, or for another app or browser. */
export function readStatement(
  header: string | undefined,
  { appId, dialogKey }: Expected,
): SignedStatement | undefined {
  if (header === undefined) return undefined
  const read = readCompact(header, deviceStatementType, deviceStatementSchema)
  if (read === undefined) throw refused('malformed')
  const { jwk, claims, signed, signature } = read
  if (claims.aud !== appId) throw refused('of_another_app')
  if (claims.jkt !== dialogKey) throw refused('for_another_browser')
  const device = computeThumbprint(jwk)
  if (!isSignedBy(device, jwk, signed, signature)) throw refused('not_signed')
  return { ...claims, device }
}

type OperationStepKey = {
  publicKey: string
  operation: v.InferOutput<typeof deviceStatementSchema>['op']
}

/** Returns whether the statement is for this operation step with this key. */
export const matchesStep = (
  { vpk, op }: DeviceStatement,
  { publicKey, operation }: OperationStepKey,
): boolean => vpk === publicKey && op.id === operation.id && op.step === operation.step

type Refusal = 'malformed' | 'of_another_app' | 'for_another_browser' | 'not_signed' | 'of_another_step'

export const statementRefused = (reason: Refusal) => refused(reason)

function refused(reason: Refusal) {
  return new LatchkeyError('invalid_data', 'The device statement is not valid for this call', {
    details: { path: product.headers.device, reason },
  })
}
