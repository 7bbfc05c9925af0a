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
import { challengeOf, seal, unseal, windowId } from '../../window/window.ts'
import { requirePasskeyLogin } from '../passkey.ts'

/** Whose browser it is. */
type Asking = { app: App; binding: string | undefined }
type Key = RouteBody<typeof passkeyWindowRoutes.takePasskeyAnswer>

const purpose = 'passkey'
const keyOf = (handle: string) => ({ id: windowId(handle), purpose }) as const
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

/** The browser that the page is in, and what its cookie holds. */
type Page = { handle: string; browser: string | undefined }

/** Gives the ceremony to the page in the browser that was sent on. */
export async function readCeremony(
  { db, clock }: ServerContext,
  app: App,
  page: Page,
): Promise<RouteOutput<typeof passkeyPageRoutes.readPasskeyCeremony>> {
  const window = await windowOf(db, app, page, nowSeconds(clock))
  if (window.answer !== null) return { status: 'answered' }
  return { status: 'open', ceremony: ceremonyOf(window), origin: window.origin }
}

async function windowOf(reader: Reader, app: App, { handle, browser }: Page, nowSeconds: number) {
  const window = await windows.findWindow(reader, keyOf(handle), nowSeconds)
  if (window?.app_id !== app.id || !windows.wasSentOn(window, browser)) throw noSuchWindow()
  return window
}

const ceremonyOf = ({ data }: windows.LoginWindow) => v.parse(passkeyCeremony, JSON.parse(data))

export async function keepAnswer(
  trx: Trx,
  context: ServerContext,
  app: App,
  { handle, answer }: RouteBody<typeof passkeyPageRoutes.answerPasskeyCeremony>,
  browser: string | undefined,
): Promise<void> {
  const now = nowSeconds(context.clock)
  const window = await windowOf(trx, app, { handle, browser }, now)
  if (window.answer !== null) throw noSuchWindow()
  const asked = ceremonyOf(window)
  if (answer.type !== 'refused' && answer.type !== asked.type) {
    throw new LatchkeyError('invalid_data', 'This was not asked', { details: { path: 'answer.type' } })
  }
  const sealed = sealedAnswer(context, handle, answer)
  if (!(await windows.answerWindow(trx, keyOf(handle), sealed, now))) throw noSuchWindow()
}

const sealedAnswer = (context: Pick<ServerContext, 'keyring'>, handle: string, answer: PasskeyAnswer) => ({
  answer: seal(context, windowId(handle), purpose, JSON.stringify(answer)),
  failure: null,
})

/** Nobody waits for it any more. */
export async function closeWindow(
  trx: Trx,
  { clock }: ServerContext,
  asking: Asking,
  key: Key,
): Promise<void> {
  if (!(await windows.takeWindow(trx, takerOf(asking, key), nowSeconds(clock)))) throw noSuchWindow()
}

/** Wrong digits were typed: the page will not go on, and its dialog is told as of one that its user left. */
export const refuseWindow = (context: ServerContext, handle: string) =>
  windows.answerWindow(
    context.db,
    keyOf(handle),
    sealedAnswer(context, handle, { type: 'refused' }),
    nowSeconds(context.clock),
  )

const awaitedWindow = batchReads(
  ({ db, clock }: ServerContext, ids) => windows.findWindows(db, ids, nowSeconds(clock)),
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
    const window = await awaitedWindow(context, of.id)
    if (window?.purpose !== purpose) throw noSuchWindow()
    if (window.app_id !== of.app_id || window.binding !== of.binding) throw noSuchWindow()
    if (!equalsInConstantTime(window.relay_challenge ?? '', of.relay_challenge)) throw noSuchWindow()
    return window.answer ?? undefined
  })
  return { status: answered === undefined ? 'pending' : 'answered' }
}

/** Sealed, for the answer of the call. */
export type Taken = { id: string; sealed: string }

export async function takeAnswer(
  trx: Trx,
  { clock }: ServerContext,
  asking: Asking,
  key: Key,
): Promise<Taken> {
  const taker = takerOf(asking, key)
  const window = await windows.takeWindow(trx, taker, nowSeconds(clock), { answered: true })
  if (!window || window.answer === null) throw noSuchWindow()
  return { id: taker.id, sealed: window.answer }
}

export const answerIn = (context: ServerContext, { id, sealed }: Taken): PasskeyAnswer =>
  v.parse(passkeyAnswer, JSON.parse(unseal(context, id, purpose, sealed)))

const takerOf = ({ app, binding }: Asking, { handle, secret }: Key): windows.Taker => ({
  ...keyOf(handle),
  app_id: app.id,
  binding: hashBinding(binding),
  relay_challenge: challengeOf(secret),
})
