/**
 * Decides which browser may continue in a login window. Only the browser that created the handle may, regardless of who
 * knows it or opened its page:
 *
 *     dialog   creates a handle and a key, opens the start page, and sends both to the server
 *     window   GET  …/start/{handle}   returns a document with a nonce, which is also in a cookie of this browser
 *     window   requests from its opener, the dialog, a signature by that key over purpose, handle and nonce
 *     window   POST …/start/{handle}   sends the signature; another cookie identifies the browser from here on
 *
 * If the host page's opener policy cuts the window off from its opener, and the operator allows it, the user types the
 * two digits from the card. There is one try; then the handle is used up.
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

/** The data that a purpose stores with its window. */
type Contents = { binding?: string; data?: unknown }
type WindowStart = Contents & {
  purpose: WindowPurpose
  relay: Relay
  seconds?: number
}

export async function beginWindow(
  trx: Trx,
  context: ServerContext,
  app: App,
  { purpose, relay, seconds, ...contents }: WindowStart,
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

/** Used for a full-page redirect by the dialog, which has no opener. */
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

/** Whether windows opened by this app's dialog can reach their opener. */
const canBeAsked = ({ config }: App) => config.crossOriginOpenerPolicy !== 'same-origin'

/** A window with a dialog that waits for it. */
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
 * Returns whether the user must type digits on a page that can not reach the dialog. Waits briefly, because the window
 * opens before the dialog's call arrives.
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

/** Returns the app and origin of a full-page redirect with this handle. */
export async function findDeparture(context: ServerContext, handle: string): Promise<Waiting | undefined> {
  const key = { id: windowId(handle), purpose: 'oauth' } as const
  const start = await store.findWindow(context.db, key, nowSeconds(context.clock))
  return start?.start_key === null ? waitingFor(context, start) : undefined
}

/** The proof that the page sends for its handle. */
export type Proof =
  | { nonce: string; signature: string }
  | { digits: string }
  /** The dialog's own code navigated here. */
  | { departure: true }

export type Proved =
  | { type: 'proved'; appId: string; browser: string }
  /** The window may continue, once and for ten minutes. */
  | { type: 'over' }
  /** The proof is invalid. */
  | { type: 'foreign' }
  /** The digits were wrong, and there is only one try. */
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

/** Returns whether this is the browser that was sent on. `browser` is its cookie's value. */
export const wasSentOn = (
  { browser_hash: sentOn }: Pick<store.LoginWindow, 'browser_hash'>,
  browser: string | undefined,
): boolean => browser !== undefined && equalsInConstantTime(sentOn ?? '', browserHash(browser))
