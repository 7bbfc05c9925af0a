/**
 * Sessions that another session makes: from a forked token, or from a one-use code.
 *
 * They belong to the family of the session that made them and end with it. Token and code wait 60 s. The first
 * browser that brings one starts the session and is the only one that may go on with it: for its key the token is
 * a parent like any other, which gives the identical successor again while that is unused.
 */
import { serverLimits } from '@latchkey/protocol'
import type { ServerContext, VerifiedToken } from '../../../kernel/context.ts'
import type { Trx } from '../../../kernel/ports.ts'
import { auditSession } from '../audit.ts'
import { type Grant, livingSession } from '../grant.ts'
import { newSession } from '../new-session.ts'
import {
  advanceOf,
  authenticSession,
  endReusedFamily,
  type Presented,
  parsedToken,
  useRefreshToken,
} from '../presented-token.ts'
import { invalidToken } from '../refusals.ts'
import { insertSession, startFork } from '../store.ts'
import { firstCounter, forkedTokenCounter } from '../tokens/rotation.ts'
import {
  type CodeSeed,
  codeOf,
  firstGrantAgain,
  makeCode,
  type RedeemedCode,
  redeemCode,
} from './one-use-codes.ts'

/** A refusal is an outcome and no exception, because the end of a family must not be rolled back. */
export type Fork = { type: 'forked'; caller: Grant; fork: Grant } | { type: 'refused' }

export async function forkSession(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  presented: Presented,
): Promise<Fork> {
  if (parsedToken(presented.refreshToken).sessionId !== caller.sessionId) return { type: 'refused' }
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
  const token = parsedToken(presented.refreshToken)
  if (token.counter !== forkedTokenCounter) throw invalidToken()
  const fork = await authenticSession(trx, context, appId, token)
  if (fork.kind !== 'fork') throw invalidToken()
  if (await startFork(trx, { ...advanceOf(context, token), keyThumbprint: provenKey })) {
    await auditSession(trx, context, fork, 'session.fork_started')
    return { sessionId: fork.id, counter: firstCounter }
  }
  return firstGrantAgain(context, await livingSession(trx, context, fork.id), provenKey)
}

export const sessionCodeOf = (context: ServerContext, seed: CodeSeed) => codeOf(context, 'session-code', seed)

export async function createSessionCode(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
): Promise<CodeSeed> {
  const maker = await livingSession(trx, context, caller.sessionId)
  return makeCode(trx, context, 'session-code', { maker, seconds: serverLimits.oneUseCodeSeconds })
}

export const redeemSessionCode = (trx: Trx, context: ServerContext, redeemed: RedeemedCode): Promise<Grant> =>
  redeemCode(trx, context, 'session-code', redeemed, {
    sessionFrom({ app_id: appId, user_id: userId, family_id: familyId }) {
      const { provenKey } = redeemed
      return newSession(context, { appId, userId }, { kind: 'fork', familyId, provenKey })
    },
    started: (session, maker) =>
      auditSession(trx, context, session, 'session.started_by_code', { by: maker.id }),
  })
