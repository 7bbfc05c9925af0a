/**
 * Sessions that another session creates, from a forked token or a one-use code.
 *
 * They belong to the family of the creating session and end with it. Tokens and codes are valid for 60 s. The first
 * browser that redeems one starts the session, which is bound to its key. For that key the token remains repeatable: it
 * returns the identical successor until the successor is used.
 */
import { serverLimits } from '@latchkey/protocol'
import type { ServerContext, VerifiedToken } from '../../../kernel/context.ts'
import type { Trx } from '../../../kernel/ports.ts'
import { auditSession } from '../audit.ts'
import { type Grant, requireLivingSession } from '../grant.ts'
import { newSession } from '../new-session.ts'
import {
  authenticateSession,
  endReusedFamily,
  type Presented,
  parsePresentedToken,
  toAdvance,
  useRefreshToken,
} from '../presented-token.ts'
import { invalidToken } from '../refusals.ts'
import { insertSession, startFork } from '../store.ts'
import { firstCounter, forkedTokenCounter } from '../tokens/rotation.ts'
import {
  type CodeSeed,
  createCode,
  deriveCode,
  type RedeemedCode,
  redeemCode,
  repeatFirstGrant,
} from './one-use-codes.ts'

/** A refusal is a result instead of an exception, so that revoking a family is not rolled back. */
export type Fork = { type: 'forked'; caller: Grant; fork: Grant } | { type: 'refused' }

export async function forkSession(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  presented: Presented,
): Promise<Fork> {
  if (parsePresentedToken(presented.refreshToken).sessionId !== caller.sessionId) return { type: 'refused' }
  const use = await useRefreshToken(trx, context, presented)
  if (use.type === 'reused') await endReusedFamily(trx, context, use.session)
  if (use.type !== 'granted') return { type: 'refused' }
  const fork = newSession(context, caller, { kind: 'waiting-fork', familyId: use.session.family_id })
  await insertSession(trx, fork)
  await auditSession(trx, context, fork, 'session.forked', { by: use.session.id })
  return { type: 'forked', caller: use.grant, fork: { sessionId: fork.id, counter: fork.counter } }
}

export async function recoverFork(trx: Trx, context: ServerContext, presented: Presented): Promise<Grant> {
  const { appId, provenKey } = presented
  const token = parsePresentedToken(presented.refreshToken)
  if (token.counter !== forkedTokenCounter) throw invalidToken()
  const fork = await authenticateSession(trx, context, appId, token)
  if (fork.kind !== 'fork') throw invalidToken()
  if (await startFork(trx, { ...toAdvance(context, token), keyThumbprint: provenKey })) {
    await auditSession(trx, context, fork, 'session.fork_started')
    return { sessionId: fork.id, counter: firstCounter }
  }
  return repeatFirstGrant(context, await requireLivingSession(trx, context, fork.id), provenKey)
}

export const deriveSessionCode = (context: ServerContext, seed: CodeSeed) =>
  deriveCode(context, 'session-code', seed)

export async function createSessionCode(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
): Promise<CodeSeed> {
  const maker = await requireLivingSession(trx, context, caller.sessionId)
  return createCode(trx, context, 'session-code', { maker, seconds: serverLimits.oneUseCodeSeconds })
}

export const redeemSessionCode = (trx: Trx, context: ServerContext, redeemed: RedeemedCode): Promise<Grant> =>
  redeemCode(trx, context, 'session-code', redeemed, {
    createSession({ app_id: appId, user_id: userId, family_id: familyId }) {
      const { provenKey } = redeemed
      return newSession(context, { appId, userId }, { kind: 'fork', familyId, provenKey })
    },
    onStarted: (session, maker) =>
      auditSession(trx, context, session, 'session.started_by_code', { by: maker.id }),
  })
