/**
 * Login by Telegram. Data that Telegram signed for the app's bot proves the user it names, for five minutes and once.
 *
 *     dialog   POST /telegram/init            creates a window with a handle
 *     window   /telegram/start/{handle}       proves that this browser created the handle, sets a cookie, redirects
 *     window   /telegram/return/{handle}      stores the data from Telegram's URL fragment, sealed
 *     dialog   POST /telegram/result          returns that data, unless Telegram messaged the window's opener
 *     dialog   POST /telegram/authenticate
 */

import { fromWire, LatchkeyError, oauthLimits } from '@latchkey/protocol'
import { type Relay, type TelegramResult, telegramAuthResult, telegramResult } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { App } from '../../identity/apps/apps.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { batchReads } from '../../kernel/db/batch-reads.ts'
import type { Wait } from '../../kernel/http/waits.ts'
import { equalsInConstantTime } from '../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { requireLoginMethod } from '../allowed.ts'
import type { ProvenLogin } from '../proven.ts'
import * as windows from '../window/window.ts'
import { createChallenge, seal, unseal, windowId } from '../window/window.ts'
import { getBotToken } from './environment.ts'
import { getExpiry, readProof, type TelegramPerson, type TelegramProof, wrongProof } from './proof.ts'
import { telegramTables } from './tables.ts'

/** Records the use of a proof. Returns true on the first use only. */
async function useUp(trx: Trx, hash: string, expiresAt: number): Promise<boolean> {
  const used = await telegramTables(trx)
    .insertInto('telegram_used')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return used !== undefined
}

export type Bot = {
  id: string
  name: string
  token: string
  settings: NonNullable<App['config']['telegramAuthConfig']>
}

export function requireTelegramLogin(context: ServerContext, app: App): Bot {
  requireLoginMethod(app, 'telegramAuth', 'Telegram')
  const settings = app.config.telegramAuthConfig
  if (!settings) throw notAllowed('This app has no bot', 'telegram_auth_config')
  const token = getBotToken(context, settings.botId)
  if (token === undefined) throw notAllowed('This server does not have the token of the bot', 'TELEGRAM_BOTS')
  return { id: settings.botId, name: settings.botName, token, settings }
}

export function requireTelegramLinking(context: ServerContext, app: App): Bot {
  const bot = requireTelegramLogin(context, app)
  if (bot.settings.linkEnabled) return bot
  throw notAllowed('Telegram accounts can not be linked in this app', 'telegram_auth_config.link_enabled')
}

const notAllowed = (message: string, setting: string) =>
  new LatchkeyError('disallowed_login_method', message, { details: { setting } })

/** Requires the seamless login setting for data of a Mini App launch. */
export function requireSeamless({ settings }: Bot, { type }: TelegramProof): void {
  if (type === 'login' || settings.seamlessAuthEnabled) return
  throw notAllowed(
    'Opening a page from Telegram is no login in this app',
    'telegram_auth_config.seamless_auth_enabled',
  )
}

/** Consumes the proof, across all apps of the bot. Only the first call succeeds. */
export async function useProof(
  trx: Trx,
  context: ServerContext,
  bot: Bot,
  proof: TelegramProof,
): Promise<ProvenLogin> {
  const person = readProof(proof, bot.token, nowSeconds(context.clock))
  if (!(await useUp(trx, proof.data.hash, getExpiry(proof) + 1))) throw wrongProof('used')
  return toProvenLogin(person)
}

const toProvenLogin = ({ id, ...profile }: TelegramPerson): ProvenLogin => ({
  method: 'telegram',
  account: { type: 'telegram', identifier: id, profile: { telegramUserId: id, ...profile } },
})

const purpose = 'telegram'
const toWindowKey = (handle: string) => ({ id: windowId(handle), purpose }) as const

export async function beginWindow(
  trx: Trx,
  context: ServerContext,
  app: App,
  binding: string,
  relay: Relay,
): Promise<void> {
  requireTelegramLogin(context, app)
  await windows.beginWindow(trx, context, app, { purpose, relay, binding })
}

/** Returns the window's destination, or undefined if the app no longer exists. */
export async function findBot(context: ServerContext, appId: string): Promise<Bot | undefined> {
  const app = await context.apps.find(appId)
  return app && requireTelegramLogin(context, app)
}

/** Ends the login, and reports the failure to its dialog. */
export const failWindow = (context: ServerContext, handle: string) =>
  answerWindow(context, handle, { status: 'denied' })

const answerWindow = (context: ServerContext, handle: string, result: TelegramResult) =>
  windows.answerWindow(
    context.db,
    toWindowKey(handle),
    { answer: seal(context, handle, purpose, JSON.stringify(result)), failure: null },
    nowSeconds(context.clock),
  )

export type Answered = 'answered' | 'denied' | 'foreign' | 'other browser' | 'over'

/** Stores the window's result, if it comes from the browser that was sent on. */
export async function takeAnswer(
  context: ServerContext,
  handle: string,
  text: string,
  browser: string | undefined,
): Promise<Answered> {
  const window = await windows.findWindow(context.db, toWindowKey(handle), nowSeconds(context.clock))
  if (!window) return 'over'
  if (!windows.wasSentOn(window, browser)) return 'other browser'
  const result = resultIn(text)
  if (!result) return 'foreign'
  if (!(await answerWindow(context, handle, result))) return 'over'
  return result.status === 'completed' ? 'answered' : 'denied'
}

/** Returns undefined for malformed data. Telegram sends `false` if the user declined. */
function resultIn(text: string): Exclude<TelegramResult, { status: 'pending' }> | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson()), text)
  if (parsed.success && parsed.output === false) return { status: 'denied' }
  const result = v.safeParse(telegramAuthResult, fromWire(telegramAuthResult, parsed.output))
  return result.success ? { status: 'completed', telegramAuthResult: result.output } : undefined
}

const awaitedWindow = batchReads(
  ({ db, clock }: ServerContext, ids) => windows.findWindows(db, ids, nowSeconds(clock)),
  ({ id }) => id,
)

/** Waits for the result, for the browser that started the login and has its secret. */
export async function awaitedResult(
  context: ServerContext,
  app: App,
  binding: string,
  { handle, secret }: { handle: string; secret: string },
  wait: Wait,
): Promise<TelegramResult> {
  const settled = await wait.until(`telegram|${handle}`, oauthLimits.resultWaitMs, async () => {
    const window = await awaitedWindow(context, windowId(handle))
    if (window?.purpose !== purpose) throw noSuchWindow()
    if (window.app_id !== app.id || window.binding !== binding) throw noSuchWindow()
    if (!equalsInConstantTime(window.relay_challenge ?? '', createChallenge(secret))) throw noSuchWindow()
    return window.answer ?? undefined
  })
  if (settled === undefined) return { status: 'pending' }
  return v.parse(telegramResult, JSON.parse(unseal(context, handle, purpose, settled)))
}

const noSuchWindow = () => new LatchkeyError('not_found', 'There is no such login, or it is over')
