/**
 * One-use codes that start a session, on another page of the app or on the wallet page. A code is derived from a seed
 * and a pepper, because stored call results must not contain secrets. The table contains hashes with a tag per purpose,
 * so a code is valid for one purpose only. Until the new session is used, the same key can redeem the code again,
 * because a response may be lost.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import type { ServerContext } from '../../../kernel/context.ts'
import { addPepperName, getPepperName } from '../../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { type Grant, requireLivingSession } from '../grant.ts'
import { invalidToken, tokenAlreadyUsed } from '../refusals.ts'
import {
  findSessionCode,
  insertSession,
  insertSessionCode,
  type Session,
  type SessionInFamily,
  useSessionCode,
} from '../store.ts'
import { forkedTokenCounter, rotate } from '../tokens/rotation.ts'

/** Also the name of the pepper from which its codes are derived. */
type Purpose = 'session-code' | 'session-handover'

export type CodeSeed = { seed: string }

export const deriveCode = (
  { keyring }: Pick<ServerContext, 'keyring'>,
  purpose: Purpose,
  { seed }: CodeSeed,
): string =>
  createHmac('sha256', keyring.pepper(purpose, getPepperName(seed)))
    .update(seed)
    .digest('base64url')

const hashCode = (purpose: Purpose, code: string) =>
  createHash('sha256').update(`${product.key}/${purpose}\n${code}`).digest('base64url')

export async function createCode(
  trx: Trx,
  context: ServerContext,
  purpose: Purpose,
  { maker, seconds }: { maker: Pick<Session, 'id' | 'app_id'>; seconds: number },
): Promise<CodeSeed> {
  const pepper = context.keyring.pepperInUse()
  const seed = { seed: addPepperName(pepper, randomBytes(32).toString('base64url')) }
  await insertSessionCode(trx, {
    code_hash: hashCode(purpose, deriveCode(context, purpose, seed)),
    app_id: maker.app_id,
    session_id: maker.id,
    expires_at: nowSeconds(context.clock) + seconds,
    started_session_id: null,
  })
  return seed
}

export type RedeemedCode = { appId: string; code: string; provenKey: string }

type StartHooks = {
  createSession: (maker: SessionInFamily) => Session
  /** Runs in the transaction that starts the session. */
  onStarted: (session: Session, maker: SessionInFamily) => Promise<void>
}

export async function redeemCode(
  trx: Trx,
  context: ServerContext,
  purpose: Purpose,
  { appId, code, provenKey }: RedeemedCode,
  { createSession: sessionFrom, onStarted: started }: StartHooks,
): Promise<Grant> {
  const codeHash = hashCode(purpose, code)
  const storedCode = await findSessionCode(trx, appId, codeHash)
  if (storedCode === undefined) throw invalidToken()
  if (storedCode.started_session_id === null) {
    const maker = await requireLivingSession(trx, context, storedCode.session_id)
    const session = sessionFrom(maker)
    // Fails if the code has expired or a concurrent call used it.
    const use = { codeHash, sessionId: session.id, nowSeconds: nowSeconds(context.clock) }
    if (await useSessionCode(trx, use)) {
      await insertSession(trx, session)
      await started(session, maker)
      return { sessionId: session.id, counter: session.counter }
    }
  }
  const used = await findSessionCode(trx, appId, codeHash)
  if (!used?.started_session_id) throw invalidToken()
  return repeatFirstGrant(
    context,
    await requireLivingSession(trx, context, used.started_session_id),
    provenKey,
  )
}

/** Repeats the grant for the browser that started the session, because the first response may be lost. */
export function repeatFirstGrant(
  { clock }: Pick<ServerContext, 'clock'>,
  session: Session,
  provenKey: string,
): Grant {
  const rotation = rotate(session, forkedTokenCounter, clock.nowMs(), forkedTokenCounter)
  if (session.key_thumbprint !== provenKey || rotation.type !== 'repeat') throw tokenAlreadyUsed()
  return { sessionId: session.id, counter: rotation.successor }
}
