import { recordAudit } from '../../identity/audit/audit.ts'
import type { Clock, Trx } from '../../kernel/ports.ts'
import { removeDescriptor } from './store.ts'

/** Removes a descriptor with an audit entry. Returns false if the app has no such descriptor. */
export async function removeWithAudit(trx: Trx, clock: Clock, appId: string, hash: string): Promise<boolean> {
  if (!(await removeDescriptor(trx, appId, hash))) return false
  const entry = { event: 'app.descriptor_removed', appId, userId: null, sessionId: null, details: { hash } }
  await recordAudit(trx, clock, entry)
  return true
}
