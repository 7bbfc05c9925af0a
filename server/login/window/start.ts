/**
 * Which browser a window of ours may go on in. A handle counts only in the browser that made it, whoever else knows
 * it or made somebody open its page:
 *
 *     dialog   makes a handle and a key, opens the start page, and tells the server both
 *     window   GET  …/start/{handle}   a document with a nonce, which is in a cookie of this browser too
 *     window   asks its opener, the dialog, for a signature by that key over purpose, handle and nonce
 *     window   POST …/start/{handle}   the signature; from here on the browser is known by another cookie
 *
 * Where the opener policy of the host's page keeps the window from its opener, and the app's operator said so, the
 * person types the two digits that the card shows: one try, and then the handle is used up.
 */
import { LatchkeyError, oauthLimits } from '@latchkey/protocol'
import { type Relay, startStatement, type WindowPurpose } from '@latchkey/protocol/api'
import { type App, mayEmbed } from '../../identity/apps/apps.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { batchReads } from '../../kernel/db/batch-reads.ts'
import type { Wait } from '../../kernel/http/waits.ts'
import { equalsInConstantTime, importPoint, isCurvePoint, verifyEs256 } from '../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { browserHash, randomSecret } from './secrets.ts'
import * as store from './store.ts'

const { windowId } = store

/** What a purpose stores with its window. */
type Contents = { binding?: string; data?: unknown }
type Begun = Contents & {
  purpose: WindowPurpose
  relay: Relay
  seconds?: number
}

export async function beginWindow(
  trx: Trx,
  context: ServerContext,
  app: App,
  { purpose, relay, seconds, ...contents }: Begun,
): Promise<void> {
  if (relay.origin !== undefined && !mayEmbed(app, relay.origin)) {
    throw new LatchkeyError('invalid_origin', 'The app does not list this origin', {
      details: { path: 'relay.origin' },
    })
  }
  if (!isCurvePoint(relay.key)) {
    throw new LatchkeyError('invalid_data', 'No key', { details: { path: 'relay.key' } })
  }
  await insert(trx, {
    id: windowId(relay.handle),
    app_id: app.id,
    purpose,
    relay_challenge: relay.challenge,
    start_key: relay.key,
    digits: canBeAsked(app) ? null : (relay.digits ?? null),
    origin: relay.origin ?? null,
    ...newWindow(context, contents, seconds),
  })
}

/** The dialog takes the whole page away itself, so there is nobody whom the page could ask. */
export const beginDeparture = (
  trx: Trx,
  context: ServerContext,
  app: App,
  { handle, origin, ...contents }: Contents & { handle: string; origin: string | null },
): Promise<void> =>
  insert(trx, {
    id: windowId(handle),
    app_id: app.id,
    purpose: 'oauth',
    relay_challenge: null,
    start_key: null,
    digits: null,
    origin,
    ...newWindow(context, contents),
  })

function newWindow(
  { clock }: ServerContext,
  { binding = '', data = null }: Contents,
  seconds: number = oauthLimits.flowSeconds,
) {
  const now = nowSeconds(clock)
  return {
    binding,
    data: JSON.stringify(data),
    browser_hash: null,
    answer: null,
    failure: null,
    used_at: null,
    created_at: now,
    expires_at: now + seconds,
  }
}

async function insert(trx: Trx, window: store.LoginWindow): Promise<void> {
  if (await store.insertWindow(trx, window)) return
  throw new LatchkeyError('invalid_data', 'This handle was used', { details: { path: 'relay' } })
}

/** Whether the browser lets a window that a dialog of this app opened ask it. */
const canBeAsked = ({ config }: App) => config.crossOriginOpenerPolicy !== 'same-origin'

/** A window of which the page knows that somebody waits for it. */
export type Waiting = { app: App; origin: string | null }

const waitingFor = async (
  context: ServerContext,
  start: store.LoginWindow | undefined,
): Promise<Waiting | undefined> => {
  const app = start && (await context.apps.find(start.app_id))
  return app && { app, origin: start.origin }
}

const awaitedStart = batchReads(
  ({ db, clock }: ServerContext, ids) => store.findWindows(db, ids, nowSeconds(clock)),
  ({ id }) => id,
)

/**
 * Tells a page that cannot ask the dialog who waits for digits. It waits a little, since the window opens before the
 * call is sent.
 */
export async function awaitedDigits(
  context: ServerContext,
  purpose: WindowPurpose,
  handle: string,
  wait: Wait,
  waitMs: number = oauthLimits.startWaitMs,
): Promise<Waiting | 'no digits' | undefined> {
  const id = windowId(handle)
  const start = await wait.until(`start|${id}`, waitMs, () => awaitedStart(context, id))
  if (start?.purpose !== purpose || start.browser_hash !== null) return undefined
  return start.digits === null ? 'no digits' : waitingFor(context, start)
}

/** Who takes a whole page away under this handle. */
export async function departureOf(context: ServerContext, handle: string): Promise<Waiting | undefined> {
  const key = { id: windowId(handle), purpose: 'oauth' } as const
  const start = await store.findWindow(context.db, key, nowSeconds(context.clock))
  return start?.start_key === null ? waitingFor(context, start) : undefined
}

/** What the page brings for its handle. */
export type Proof =
  | { nonce: string; signature: string }
  | { digits: string }
  /** The dialog's own code brought the page here. */
  | { departure: true }

export type Proved =
  | { type: 'proved'; appId: string; browser: string }
  /** It is proved once, and for ten minutes. */
  | { type: 'over' }
  /** What was brought proves nothing of it. */
  | { type: 'foreign' }
  /** They were the only try. */
  | { type: 'wrong digits'; appId: string }

export async function prove(
  context: ServerContext,
  purpose: WindowPurpose,
  handle: string,
  proof: Proof,
): Promise<Proved> {
  const id = windowId(handle)
  const now = nowSeconds(context.clock)
  const start = await store.findWindow(context.db, { id, purpose }, now)
  if (!start || start.browser_hash !== null) return { type: 'over' }
  const { start_key: key, digits } = start
  if ('signature' in proof) {
    if (key === null || !isSigned(key, { purpose, handle, ...proof })) return { type: 'foreign' }
  } else if ('digits' in proof ? digits === null : key !== null) return { type: 'foreign' }
  const browser = randomSecret()
  const sent = await store.sendOn(context.db, { id, purpose }, browserHash(browser), now)
  if (!sent) return { type: 'over' }
  if ('digits' in proof && !equalsInConstantTime(digits ?? '', proof.digits)) {
    return { type: 'wrong digits', appId: sent.app_id }
  }
  return { type: 'proved', appId: sent.app_id, browser }
}

type Signed = { purpose: WindowPurpose; handle: string } & Extract<Proof, { signature: string }>

function isSigned(key: string, { signature, ...statement }: Signed): boolean {
  const point = importPoint(key)
  return (
    point !== undefined && verifyEs256(point, startStatement(statement), Buffer.from(signature, 'base64url'))
  )
}

/** Whether this is the browser that was sent on; `browser` is what its cookie holds. */
export const wasSentOn = (
  { browser_hash: sentOn }: Pick<store.LoginWindow, 'browser_hash'>,
  browser: string | undefined,
): boolean => browser !== undefined && equalsInConstantTime(sentOn ?? '', browserHash(browser))
