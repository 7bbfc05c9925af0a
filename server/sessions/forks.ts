/**
 * Sessions that another session makes: from a forked token, or from a one-use code.
 *
 * They belong to the family of the session that made them and end with it. Making one needs what a refresh
 * needs, the proof of the browser's key included: else a copied access token would be worth a session.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { product, sessionLimits } from '@latchkey/protocol'
import type { ServerContext, VerifiedToken } from '../context.ts'
import { nowSeconds, type Trx } from '../ports.ts'
import { auditSession } from './audit.ts'
import type { Grant } from './grant.ts'
import { newSession } from './new-session.ts'
import {
  advanceOf,
  authenticSession,
  endReusedFamily,
  type Presented,
  parsedToken,
  provesKey,
  useRefreshToken,
} from './presented-token.ts'
import { invalidToken, tokenAlreadyUsed } from './refusals.ts'
import { firstCounter, forkedTokenCounter } from './rotation.ts'
import {
  findSession,
  insertSession,
  insertSessionCode,
  isAlive,
  sessionCodeWasUsed,
  startFork,
  useSessionCode,
} from './store.ts'

/** A refusal is an outcome and no exception, because the end of a family must not be rolled back. */
export type Fork =
  | { readonly type: 'forked'; readonly caller: Grant; readonly fork: Grant }
  | { readonly type: 'refused' }

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
  const fork = newSession(context, caller, { kind: 'forked', familyId: use.session.family_id }, null)
  await insertSession(trx, fork)
  await auditSession(trx, context, fork, 'session.forked', { by: use.session.id })
  return { type: 'forked', caller: use.grant, fork: { sessionId: fork.id, counter: fork.counter } }
}

/** The forked token is used up, and the browser that brought it is the only one that may refresh. */
export async function recoverFork(trx: Trx, context: ServerContext, presented: Presented): Promise<Grant> {
  const token = parsedToken(presented.refreshToken)
  const session = await authenticSession(trx, context, presented.appId, token)
  if (session.kind !== 'fork' || token.counter !== forkedTokenCounter) throw invalidToken()
  const started =
    session.started_at === null &&
    (await startFork(trx, { ...advanceOf(context, token), keyThumbprint: presented.provenKey ?? null }))
  if (!started) throw tokenAlreadyUsed()
  await auditSession(trx, context, session, 'session.fork_started')
  return { sessionId: session.id, counter: firstCounter }
}

/** Outcomes of calls are kept without secrets, so a code is made from a seed and a pepper, each time the same. */
export type SessionCodeSeed = { readonly seed: string }

export const sessionCodeOf = (context: ServerContext, { seed }: SessionCodeSeed) =>
  createHmac('sha256', context.keyring.pepper('session-code')).update(seed).digest('base64url')

const hashOfCode = (code: string) =>
  createHash('sha256').update(`${product.key}/session-code\n${code}`).digest('base64url')

export async function createSessionCode(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  provenKey: string | undefined,
): Promise<SessionCodeSeed> {
  const session = await findSession(trx, caller.sessionId)
  if (session === undefined || !isAlive(session, context.clock) || !provesKey(session, provenKey)) {
    throw invalidToken()
  }
  const seed = { seed: randomBytes(32).toString('base64url') }
  await insertSessionCode(trx, {
    code_hash: hashOfCode(sessionCodeOf(context, seed)),
    app_id: caller.appId,
    session_id: caller.sessionId,
    expires_at: nowSeconds(context.clock) + sessionLimits.oneUseCodeSeconds,
    used_at: null,
  })
  return seed
}

export async function redeemSessionCode(
  trx: Trx,
  context: ServerContext,
  redeemed: { readonly appId: string; readonly code: string; readonly provenKey: string | undefined },
): Promise<Grant> {
  const { appId, provenKey } = redeemed
  const codeHash = hashOfCode(redeemed.code)
  const makerId = await useSessionCode(trx, { appId, codeHash, nowSeconds: nowSeconds(context.clock) })
  if (makerId === undefined) {
    throw (await sessionCodeWasUsed(trx, appId, codeHash)) ? tokenAlreadyUsed() : invalidToken()
  }
  const maker = await findSession(trx, makerId)
  if (maker === undefined || !isAlive(maker, context.clock)) throw invalidToken()
  const owner = { appId, userId: maker.user_id }
  const session = newSession(context, owner, { kind: 'code', familyId: maker.family_id }, provenKey ?? null)
  await insertSession(trx, session)
  await auditSession(trx, context, session, 'session.started_by_code', { by: maker.id })
  return { sessionId: session.id, counter: session.counter }
}
