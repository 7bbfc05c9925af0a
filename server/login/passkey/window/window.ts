/**
 * A passkey that is asked in a window of its own, because the browser lets no frame ask. The server hands on: what is
 * asked to the page of the handle, and what the device answered to the dialog that began, once. It believes none of
 * it; whoever brings the answer to a login, a link or a verification has it verified there.
 *
 *     dialog   POST /passkeys/window              what is to be asked, under a handle
 *     window   /passkey/start/{handle}            proves that this browser made the handle; a cookie, and on to
 *     window   /apps/{app}/passkey/{handle}       the page that asks
 *     window   POST /passkeys/window/read         what is to be asked
 *     window   POST /passkeys/window/answer       kept, sealed
 *     dialog   POST /passkeys/window/answer/take  and gone
 */
import { createHash } from 'node:crypto'
import { LatchkeyError, oauthLimits, passkeyLimits } from '@latchkey/protocol'
import {
  type PasskeyAnswer,
  type PasskeyCeremony,
  passkeyAnswer,
  passkeyCeremony,
  type passkeyPageRoutes,
  type passkeyWindowRoutes,
  type RouteBody,
  type RouteOutput,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { App } from '../../../identity/apps/apps.ts'
import { bindingHash } from '../../../identity/codes/codes.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { gathered } from '../../../kernel/db/gathered.ts'
import type { Wait } from '../../../kernel/http/waits.ts'
import { isSame } from '../../../kernel/keys/keys.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import { beginStart, challengeOf, seal, unseal, wasSentOn } from '../../window/window.ts'
import { requirePasskeyLogin } from '../passkey.ts'
import * as store from './store.ts'

/** Whose browser it is. */
type Asking = { readonly app: App; readonly binding: string | undefined }
type Key = RouteBody<typeof passkeyWindowRoutes.takePasskeyAnswer>

const idOf = (handle: string) => createHash('sha256').update(handle).digest('base64url')
const noSuchWindow = () => new LatchkeyError('not_found', 'There is no such request, or it is over')

export async function beginWindow(
  trx: Trx,
  context: ServerContext,
  { app, binding }: Asking,
  { ceremony, relay }: RouteBody<typeof passkeyWindowRoutes.beginPasskeyWindow>,
): Promise<void> {
  requirePasskeyLogin(app)
  await beginStart(trx, context, app, { purpose: 'passkey', relay, seconds: passkeyLimits.windowSeconds })
  const isNew = await store.insertWindow(trx, {
    id: idOf(relay.handle),
    app_id: app.id,
    binding: bindingHash(binding),
    relay_challenge: relay.challenge,
    ceremony: JSON.stringify(ceremony satisfies PasskeyCeremony),
    origin: relay.origin ?? null,
    answer: null,
    expires_at: nowSeconds(context.clock) + passkeyLimits.windowSeconds,
  })
  if (!isNew) throw new LatchkeyError('invalid_data', 'This handle was used', { details: { path: 'relay' } })
}

/** The browser that the page is in, and what its cookie holds. */
type Page = { readonly handle: string; readonly browser: string | undefined }

/** Gives the ceremony to the page in the browser that was sent on. */
export async function readCeremony(
  { db, clock }: ServerContext,
  { id: app_id }: App,
  page: Page,
): Promise<RouteOutput<typeof passkeyPageRoutes.readPasskeyCeremony>> {
  const row = await windowOf(db, clock, app_id, page)
  if (row.answer !== null) return { status: 'answered' }
  return { status: 'open', ceremony: v.parse(passkeyCeremony, JSON.parse(row.ceremony)), origin: row.origin }
}

async function windowOf(reader: Reader, clock: Clock, app_id: string, { handle, browser }: Page) {
  const row = await store.findWindow(reader, { id: idOf(handle), app_id }, nowSeconds(clock))
  if (!row || !(await wasSentOn(reader, clock, handle, browser))) throw noSuchWindow()
  return row
}

export async function keepAnswer(
  trx: Trx,
  context: ServerContext,
  { id: app_id }: App,
  { handle, answer }: RouteBody<typeof passkeyPageRoutes.answerPasskeyCeremony>,
  browser: string | undefined,
): Promise<void> {
  const now = nowSeconds(context.clock)
  const id = idOf(handle)
  const row = await windowOf(trx, context.clock, app_id, { handle, browser })
  if (row.answer !== null) throw noSuchWindow()
  const asked = v.parse(passkeyCeremony, JSON.parse(row.ceremony))
  if (answer.type !== 'refused' && answer.type !== asked.type) {
    throw new LatchkeyError('invalid_data', 'This was not asked', { details: { path: 'answer.type' } })
  }
  const sealed = seal(context, id, 'passkey', JSON.stringify(answer satisfies PasskeyAnswer))
  if (!(await store.answerWindow(trx, { id, app_id, answer: sealed }, now))) throw noSuchWindow()
}

/** Nobody waits for it any more. */
export async function closeWindow(
  trx: Trx,
  { clock }: ServerContext,
  asking: Asking,
  key: Key,
): Promise<void> {
  if (!(await store.dropWindow(trx, takerOf(asking, key), nowSeconds(clock)))) throw noSuchWindow()
}

/** Wrong digits were typed: the page will not go on, and its dialog is told as of one that its user left. */
export const refuseWindow = ({ db, clock, keyring }: ServerContext, handle: string, app_id: string) => {
  const id = idOf(handle)
  const answer = seal({ keyring }, id, 'passkey', JSON.stringify({ type: 'refused' } satisfies PasskeyAnswer))
  return store.answerWindow(db, { id, app_id, answer }, nowSeconds(clock))
}

const awaitedWindow = gathered(
  ({ db, clock }: ServerContext, ids) => store.findWindows(db, ids, nowSeconds(clock)),
  ({ id }) => id,
)

/** Gives the status to whoever began in this browser and has the secret; waits for an answer a little. */
export async function awaitedStatus(
  context: ServerContext,
  asking: Asking,
  key: Key,
  wait: Wait,
): Promise<RouteOutput<typeof passkeyWindowRoutes.passkeyWindowStatus>> {
  const of = takerOf(asking, key)
  const answered = await wait.until(`passkey|${of.id}`, oauthLimits.resultWaitMs, async () => {
    const row = await awaitedWindow(context, of.id)
    if (row?.app_id !== of.app_id || row.binding !== of.binding) throw noSuchWindow()
    if (!isSame(row.relay_challenge, of.relay_challenge)) throw noSuchWindow()
    return row.answer ?? undefined
  })
  return { status: answered === undefined ? 'pending' : 'answered' }
}

/** Sealed, for the answer of the call. */
export type Taken = { readonly id: string; readonly sealed: string }

export async function takeAnswer(
  trx: Trx,
  { clock }: ServerContext,
  asking: Asking,
  key: Key,
): Promise<Taken> {
  const taker = takerOf(asking, key)
  const sealed = await store.takeAnswer(trx, taker, nowSeconds(clock))
  if (sealed === undefined) throw noSuchWindow()
  return { id: taker.id, sealed }
}

export const answerIn = (context: ServerContext, { id, sealed }: Taken): PasskeyAnswer =>
  v.parse(passkeyAnswer, JSON.parse(unseal(context, id, 'passkey', sealed)))

const takerOf = ({ app, binding }: Asking, { handle, secret }: Key): store.Taker => ({
  id: idOf(handle),
  app_id: app.id,
  binding: bindingHash(binding),
  relay_challenge: challengeOf(secret),
})
