/**
 * Performs a passkey ceremony in a separate window, for browsers that do not allow it in a frame. The server only
 * relays: the ceremony to the window, and the response to the dialog, once. It trusts neither; the response is verified
 * by the login, link or verification that uses it.
 *
 *     dialog   POST /passkeys/window              creates a ceremony with a handle
 *     window   /passkey/start/{handle}            proves that this browser created the handle, sets a cookie, redirects
 *     window   /apps/{app}/passkey/{handle}       performs the ceremony
 *     window   POST /passkeys/window/read         reads the ceremony
 *     window   POST /passkeys/window/answer       stores the response, sealed
 *     dialog   POST /passkeys/window/answer/take  takes and deletes the response
 */
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
import { hashBinding } from '../../../identity/codes/codes.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { batchReads } from '../../../kernel/db/batch-reads.ts'
import type { Wait } from '../../../kernel/http/waits.ts'
import { equalsInConstantTime } from '../../../kernel/keys/keys.ts'
import { nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import * as windows from '../../window/window.ts'
import { createChallenge, seal, unseal, windowId } from '../../window/window.ts'
import { requirePasskeyLogin } from '../passkey.ts'

/** The app and the login binding of the browser. */
type Asking = { app: App; binding: string | undefined }
type Key = RouteBody<typeof passkeyWindowRoutes.takePasskeyAnswer>

const purpose = 'passkey'
const toKey = (handle: string) => ({ id: windowId(handle), purpose }) as const
const noSuchWindow = () => new LatchkeyError('not_found', 'There is no such request, or it is over')

export async function beginWindow(
  trx: Trx,
  context: ServerContext,
  { app, binding }: Asking,
  { ceremony, relay }: RouteBody<typeof passkeyWindowRoutes.beginPasskeyWindow>,
): Promise<void> {
  requirePasskeyLogin(app)
  await windows.beginWindow(trx, context, app, {
    purpose,
    relay,
    seconds: passkeyLimits.windowSeconds,
    binding: hashBinding(binding),
    data: ceremony satisfies PasskeyCeremony,
  })
}

/** The window's handle and its cookie. */
type Page = { handle: string; browser: string | undefined }

/** Returns the ceremony to the window in the browser that was sent there. */
export async function readCeremony(
  { db, clock }: ServerContext,
  app: App,
  page: Page,
): Promise<RouteOutput<typeof passkeyPageRoutes.readPasskeyCeremony>> {
  const window = await requireWindow(db, app, page, nowSeconds(clock))
  if (window.answer !== null) return { status: 'answered' }
  return { status: 'open', ceremony: parseCeremony(window), origin: window.origin }
}

async function requireWindow(reader: Reader, app: App, { handle, browser }: Page, nowSeconds: number) {
  const window = await windows.findWindow(reader, toKey(handle), nowSeconds)
  if (window?.app_id !== app.id || !windows.wasSentOn(window, browser)) throw noSuchWindow()
  return window
}

const parseCeremony = ({ data }: windows.LoginWindow) => v.parse(passkeyCeremony, JSON.parse(data))

export async function keepAnswer(
  trx: Trx,
  context: ServerContext,
  app: App,
  { handle, answer }: RouteBody<typeof passkeyPageRoutes.answerPasskeyCeremony>,
  browser: string | undefined,
): Promise<void> {
  const now = nowSeconds(context.clock)
  const window = await requireWindow(trx, app, { handle, browser }, now)
  if (window.answer !== null) throw noSuchWindow()
  const ceremony = parseCeremony(window)
  if (answer.type !== 'refused' && answer.type !== ceremony.type) {
    throw new LatchkeyError('invalid_data', 'This was not asked', { details: { path: 'answer.type' } })
  }
  const sealed = sealedAnswer(context, handle, answer)
  if (!(await windows.answerWindow(trx, toKey(handle), sealed, now))) throw noSuchWindow()
}

const sealedAnswer = (context: Pick<ServerContext, 'keyring'>, handle: string, answer: PasskeyAnswer) => ({
  answer: seal(context, windowId(handle), purpose, JSON.stringify(answer)),
  failure: null,
})

/** Ends the request when the dialog no longer waits. */
export async function closeWindow(
  trx: Trx,
  { clock }: ServerContext,
  asking: Asking,
  key: Key,
): Promise<void> {
  if (!(await windows.takeWindow(trx, toTaker(asking, key), nowSeconds(clock)))) throw noSuchWindow()
}

/** Ends the request after wrong digits. The dialog gets the same result as if the user had cancelled. */
export const refuseWindow = (context: ServerContext, handle: string) =>
  windows.answerWindow(
    context.db,
    toKey(handle),
    sealedAnswer(context, handle, { type: 'refused' }),
    nowSeconds(context.clock),
  )

const awaitedWindow = batchReads(
  ({ db, clock }: ServerContext, ids) => windows.findWindows(db, ids, nowSeconds(clock)),
  ({ id }) => id,
)

/** Waits briefly for an answer, for the browser that started the request and has its secret. */
export async function awaitedStatus(
  context: ServerContext,
  asking: Asking,
  key: Key,
  wait: Wait,
): Promise<RouteOutput<typeof passkeyWindowRoutes.passkeyWindowStatus>> {
  const of = toTaker(asking, key)
  const answered = await wait.until(`passkey|${of.id}`, oauthLimits.resultWaitMs, async () => {
    const window = await awaitedWindow(context, of.id)
    if (window?.purpose !== purpose) throw noSuchWindow()
    if (window.app_id !== of.app_id || window.binding !== of.binding) throw noSuchWindow()
    if (!equalsInConstantTime(window.relay_challenge ?? '', of.relay_challenge)) throw noSuchWindow()
    return window.answer ?? undefined
  })
  return { status: answered === undefined ? 'pending' : 'answered' }
}

/** The answer, still sealed. */
export type CollectedAnswer = { id: string; sealed: string }

export async function takeAnswer(
  trx: Trx,
  { clock }: ServerContext,
  asking: Asking,
  key: Key,
): Promise<CollectedAnswer> {
  const taker = toTaker(asking, key)
  const window = await windows.takeWindow(trx, taker, nowSeconds(clock), { answered: true })
  if (!window || window.answer === null) throw noSuchWindow()
  return { id: taker.id, sealed: window.answer }
}

export const unsealAnswer = (context: ServerContext, { id, sealed }: CollectedAnswer): PasskeyAnswer =>
  v.parse(passkeyAnswer, JSON.parse(unseal(context, id, purpose, sealed)))

const toTaker = ({ app, binding }: Asking, { handle, secret }: Key): windows.Taker => ({
  ...toKey(handle),
  app_id: app.id,
  binding: hashBinding(binding),
  relay_challenge: createChallenge(secret),
})
