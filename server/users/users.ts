import type { UserRecord } from '@latchkey/protocol'
import { recordAudit } from '../audit/audit.ts'
import type { ServerContext, VerifiedToken } from '../context.ts'
import { nowSeconds, type Reader } from '../ports.ts'
import { mustBeAuthenticated } from '../sessions/refusals.ts'
import { userRecord } from './record.ts'
import * as store from './store.ts'

/** The user of a session or token. There is one: users are never removed while they have a session. */
export async function requireUser(reader: Reader, appId: string, userId: string): Promise<UserRecord> {
  const user = await userRecord(reader, appId, userId)
  if (user === undefined) throw mustBeAuthenticated()
  return user
}

export async function acceptTerms(context: ServerContext, caller: VerifiedToken): Promise<UserRecord> {
  const { appId, userId, sessionId } = caller
  await context.transaction(async (trx) => {
    if (!(await store.acceptTerms(trx, userId, nowSeconds(context.clock)))) return
    await recordAudit(trx, context.clock, {
      event: 'user.accepted_terms',
      appId,
      userId,
      sessionId,
      details: {},
    })
  })
  return requireUser(context.db, appId, userId)
}
