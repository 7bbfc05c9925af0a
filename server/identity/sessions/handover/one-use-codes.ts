/**
 * Codes that start a session, once: from another page of the app, or on the page of the wallet. They are made of a seed
 * and a pepper, each time the same, since outcomes of calls are kept without secrets; the table has their hashes, under a
 * tag of each purpose, so that none is taken for one of another. The browser whose key brings a code first gets the same
 * session again, as long as nobody went on with it: an answer may be lost.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'
import type { ServerContext } from '../../../kernel/context.ts'
import { addPepperName, getPepperName } from '../../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { type Grant, livingSession } from '../grant.ts'
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

/** Named as the pepper that its codes are made with. */
type Purpose = 'session-code' | 'session-handover'

export type CodeSeed = { seed: string }

export const codeOf = (
  { keyring }: Pick<ServerContext, 'keyring'>,
  purpose: Purpose,
  { seed }: CodeSeed,
): string =>
  createHmac('sha256', keyring.pepper(purpose, getPepperName(seed)))
    .update(seed)
    .digest('base64url')

const hashOf = (purpose: Purpose, code: string) =>
  createHash('sha256').update(`${product.key}/${purpose}\n${code}`).digest('base64url')

export async function makeCode(
  trx: Trx,
  context: ServerContext,
  purpose: Purpose,
  { maker, seconds }: { maker: Pick<Session, 'id' | 'app_id'>; seconds: number },
): Promise<CodeSeed> {
  const pepper = context.keyring.pepperInUse()
  const seed = { seed: addPepperName(pepper, randomBytes(32).toString('base64url')) }
  await insertSessionCode(trx, {
    code_hash: hashOf(purpose, codeOf(context, purpose, seed)),
    app_id: maker.app_id,
    session_id: maker.id,
    expires_at: nowSeconds(context.clock) + seconds,
    started_session_id: null,
  })
  return seed
}

export type RedeemedCode = { appId: string; code: string; provenKey: string }

type Start = {
  sessionFrom: (maker: SessionInFamily) => Session
  /** What comes with it, in the same transaction. */
  started: (session: Session, maker: SessionInFamily) => Promise<void>
}

export async function redeemCode(
  trx: Trx,
  context: ServerContext,
  purpose: Purpose,
  { appId, code, provenKey }: RedeemedCode,
  { sessionFrom, started }: Start,
): Promise<Grant> {
  const codeHash = hashOf(purpose, code)
  const made = await findSessionCode(trx, appId, codeHash)
  if (made === undefined) throw invalidToken()
  if (made.started_session_id === null) {
    const maker = await livingSession(trx, context, made.session_id)
    const session = sessionFrom(maker)
    // Not where it has expired, or somebody else was faster.
    const use = { codeHash, sessionId: session.id, nowSeconds: nowSeconds(context.clock) }
    if (await useSessionCode(trx, use)) {
      await insertSession(trx, session)
      await started(session, maker)
      return { sessionId: session.id, counter: session.counter }
    }
  }
  const used = await findSessionCode(trx, appId, codeHash)
  if (!used?.started_session_id) throw invalidToken()
  return firstGrantAgain(context, await livingSession(trx, context, used.started_session_id), provenKey)
}

/** The browser that started the session gets its grant again, since the first answer may not have reached it. */
export function firstGrantAgain(
  { clock }: Pick<ServerContext, 'clock'>,
  session: Session,
  provenKey: string,
): Grant {
  const rotation = rotate(session, forkedTokenCounter, clock.nowMs(), forkedTokenCounter)
  if (session.key_thumbprint !== provenKey || rotation.type !== 'repeat') throw tokenAlreadyUsed()
  return { sessionId: session.id, counter: rotation.successor }
}
