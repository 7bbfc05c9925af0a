import type { Reader } from '../../kernel/ports.ts'
import { findAdminKey } from './keys.ts'
import { findOperator } from './operators/operators.ts'

/** Returns whether an admin key, or an operator of the dashboard, was revoked. `caller` is the id of `AdminCaller`. */
export async function isCallerRevoked(reader: Reader, caller: string): Promise<boolean> {
  const [, operatorId] = /^operator:(.+)$/.exec(caller) ?? []
  if (operatorId === undefined) return ((await findAdminKey(reader, caller))?.revokedAt ?? null) !== null
  return ((await findOperator(reader, operatorId))?.revoked_at ?? null) !== null
}
