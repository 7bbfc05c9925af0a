/**
 * Sessions that another session makes: from a forked token, or from a one-use code.
 *
 * They belong to the family of the session that made them and end with it. Token and code wait 60 s. The first
 * browser that brings one starts the session and is the only one that may go on with it: for its key the token is
 * a parent like any other, which gives the identical successor again while that is unused.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { product, serverLimits } from '@latchkey/protocol'
import type { ServerContext, VerifiedToken } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { namingPepper, pepperNamedBy } from '../keys/keys.ts'
import { nowSeconds, type Trx } from '../ports.ts'
import { auditSession } from './audit.ts'
import { type Grant, livingSession } from './grant.ts'
import { newSession } from './new-session.ts'
import {
  advanceOf,
  authenticSession,
  endReusedFamily,
  type Presented,
  parsedToken,
  useRefreshToken,
} from './presented-token.ts'
import { invalidToken, tokenAlreadyUsed } from './refusals.ts'
import { firstCounter, forkedTokenCounter, rotate } from './rotation.ts'
import {
  findSessionCode,
  insertSession,
  insertSessionCode,
  type Session,
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

/** For the browser that started the session and heard nothing of it. */
export function firstGrantAgain({ clock }: ServerContext, session: Session, provenKey: string): Grant {
  const rotation = rotate(session, forkedTokenCounter, clock.nowMs(), forkedTokenCounter)
  if (session.key_thumbprint !== provenKey || rotation.type !== 'repeat') throw tokenAlreadyUsed()
  return { sessionId: session.id, counter: rotation.successor }
}

/** Outcomes of calls are kept without secrets, so a code is made from a seed and a pepper, each time the same. */
export type SessionCodeSeed = { readonly seed: string }

export const sessionCodeOf = (context: ServerContext, { seed }: SessionCodeSeed) =>
  createHmac('sha256', context.keyring.pepper('session-code', pepperNamedBy(seed)))
    .update(seed)
    .digest('base64url')

const hashOfCode = (code: string) =>
  createHash('sha256').update(`${product.key}/session-code\n${code}`).digest('base64url')

export async function createSessionCode(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
): Promise<SessionCodeSeed> {
  await livingSession(trx, context, caller.sessionId)
  const pepper = context.keyring.pepperInUse()
  const seed = { seed: namingPepper(pepper, randomBytes(32).toString('base64url')) }
  await insertSessionCode(trx, {
    code_hash: hashOfCode(sessionCodeOf(context, seed)),
    app_id: caller.appId,
    session_id: caller.sessionId,
    expires_at: nowSeconds(context.clock) + serverLimits.oneUseCodeSeconds,
    started_session_id: null,
  })
  return seed
}

type RedeemedCode = { readonly appId: string; readonly code: string; readonly provenKey: string }

export async function redeemSessionCode(
  trx: Trx,
  context: ServerContext,
  { appId, code, provenKey }: RedeemedCode,
): Promise<Grant> {
  const codeHash = hashOfCode(code)
  const made = await findSessionCode(trx, appId, codeHash)
  if (made === undefined) throw invalidToken()
  const started = made.started_session_id === null && (await startByCode(trx, context, made, provenKey))
  if (started) return started
  const used = await findSessionCode(trx, appId, codeHash)
  if (!used?.started_session_id) throw invalidToken()
  return firstGrantAgain(context, await livingSession(trx, context, used.started_session_id), provenKey)
}

/** Undefined where the code has expired, or somebody else was faster. */
async function startByCode(
  trx: Trx,
  context: ServerContext,
  code: Row<'session_codes'>,
  provenKey: string,
): Promise<Grant | undefined> {
  const maker = await livingSession(trx, context, code.session_id)
  const owner = { appId: maker.app_id, userId: maker.user_id }
  const session = newSession(context, owner, { kind: 'fork', familyId: maker.family_id, provenKey })
  const use = { codeHash: code.code_hash, sessionId: session.id, nowSeconds: nowSeconds(context.clock) }
  if (!(await useSessionCode(trx, use))) return undefined
  await insertSession(trx, session)
  await auditSession(trx, context, session, 'session.started_by_code', { by: maker.id })
  return { sessionId: session.id, counter: session.counter }
}
