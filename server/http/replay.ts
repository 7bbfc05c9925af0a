/**
 * A changing call that timed out is sent again with the same `latchkey-request-id`, and must not change things
 * twice. Its outcome is kept in the transaction that makes it, so there is never one without the other; a
 * second call with the id waits for the first (the row is locked), then renders the same outcome.
 *
 * The outcome holds no secret. What the id led to is told only for the very same request: method, path, body,
 * browser and session.
 */
import { createHash } from 'node:crypto'
import { apiLimits, LatchkeyError, product } from '@latchkey/protocol'
import type { ServerContext } from '../context.ts'
import { nowSeconds, type Reader, type Trx } from '../ports.ts'
import type { ReplaySteps } from './endpoint.ts'

export type ReplayKey = { readonly appId: string; readonly requestId: string; readonly requestHash: string }

/** `performed`: what could not be rolled back is done too. */
type Kept<Outcome> = { readonly outcome: Outcome; readonly performed: boolean }

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

export function parseRequestId(header: string | undefined): string | undefined {
  if (header === undefined || requestIdPattern.test(header)) return header
  throw new LatchkeyError('invalid_data', 'Not a request id', {
    details: { path: product.headers.requestId },
  })
}

export function hashOfRequest(parts: readonly (string | undefined)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part === undefined ? '-\n' : `${Buffer.byteLength(part)}:${part}\n`)
  return hash.digest('base64url')
}

/** Calls of this process that are being performed: a twin waits, and does not send the mail a second time. */
export type Performing = Map<string, Promise<void>>

export async function answerOnce<Outcome>(
  context: ServerContext,
  performing: Performing,
  key: ReplayKey | undefined,
  { decide, perform, render }: ReplaySteps<Outcome>,
): Promise<unknown> {
  if (!key) {
    const outcome = await context.transaction(decide)
    await perform?.(outcome)
    return render(outcome)
  }
  const now = nowSeconds(context.clock)
  const kept = await context.transaction((trx) => decideOnce(trx, key, now, decide, perform === undefined))
  if (!kept.performed && perform) {
    await once(performing, `${key.appId}/${key.requestId}`, async () => {
      await perform(kept.outcome)
      await keep(context.db, key, { outcome: kept.outcome, performed: true })
    })
  }
  return render(kept.outcome)
}

async function once(running: Performing, name: string, work: () => Promise<void>): Promise<void> {
  const twin = running.get(name)
  if (twin) return twin
  const mine = work().finally(() => running.delete(name))
  running.set(name, mine)
  return mine
}

async function decideOnce<Outcome>(
  trx: Trx,
  key: ReplayKey,
  now: number,
  decide: (trx: Trx) => Promise<Outcome>,
  performed: boolean,
): Promise<Kept<Outcome>> {
  if (await claim(trx, key, now)) {
    const fresh: Kept<Outcome> = { outcome: await decide(trx), performed }
    return fromJson(await keep(trx, key, fresh))
  }
  const row = await trx
    .selectFrom('request_replays')
    .select(['request_hash', 'outcome'])
    .where('app_id', '=', key.appId)
    .where('request_id', '=', key.requestId)
    .executeTakeFirstOrThrow()
  if (row.request_hash !== key.requestHash) {
    throw new LatchkeyError('invalid_data', 'This request id belongs to another request', {
      details: { path: product.headers.requestId },
    })
  }
  if (row.outcome === null) throw new Error('A request was kept without its outcome')
  return fromJson(row.outcome)
}

/** True for whoever comes first, and again when the two minutes are over. */
async function claim(trx: Trx, key: ReplayKey, now: number): Promise<boolean> {
  const expiresAt = now + apiLimits.requestReplaySeconds
  const claimed = await trx
    .insertInto('request_replays')
    .values({
      app_id: key.appId,
      request_id: key.requestId,
      request_hash: key.requestHash,
      outcome: null,
      expires_at: expiresAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'request_id'])
        .doUpdateSet({ request_hash: key.requestHash, outcome: null, expires_at: expiresAt })
        .where('request_replays.expires_at', '<=', now),
    )
    .returning('request_id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function keep<Outcome>(reader: Reader, key: ReplayKey, kept: Kept<Outcome>): Promise<string> {
  const json = JSON.stringify(kept)
  await reader
    .updateTable('request_replays')
    .set({ outcome: json })
    .where('app_id', '=', key.appId)
    .where('request_id', '=', key.requestId)
    .where('request_hash', '=', key.requestHash)
    .execute()
  return json
}

/** Fresh outcomes take this way too, so that the first answer is made of what later ones are made of. */
const fromJson = <Outcome>(json: string): Kept<Outcome> => JSON.parse(json)
