/**
 * A login attempt at Telegram. Its page posts the signed data to the window's opener, like to its login widget.
 * Without an opener, it redirects to our return page with the data. Only the server can verify the signature.
 */
import { fromWire, LatchkeyError } from '@latchkey/protocol'
import {
  type TelegramAuthResult,
  type TelegramResult,
  type TelegramWebAppData,
  telegramAuthResult,
  telegramRoutes,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { DialogServices } from '../../app/services.ts'
import type { CaptchaPass } from '../../contract/login.ts'
import { type Attempt, beginAttempt, starting } from '../../window-login/attempt.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import { requireBotOfApp } from './bot.ts'

/** Data signed by Telegram, from its login widget or from a Mini App. */
export type Signed = { telegramAuthResult: TelegramAuthResult } | { telegramWebAppData: TelegramWebAppData }
export type Grant = Signed & {
  /** The login's captcha token. */
  captchaToken?: string
}

export const grantOf = (signed: Signed, pass: CaptchaPass | undefined): Grant => ({
  ...signed,
  ...(pass?.token !== undefined && { captchaToken: pass.token }),
})

type Settled = Exclude<TelegramResult, { status: 'pending' }>

export function beginTelegram(
  { api, clock, settings }: Pick<DialogServices, 'api' | 'clock' | 'settings'>,
  browser: WindowBrowser,
  pass: CaptchaPass | undefined,
  signal: AbortSignal,
): Attempt<Grant> {
  const opening = { clock, settings, browser, purpose: 'telegram', signal } as const
  return beginAttempt(opening, async ({ begin, hear, result, options }) => {
    const telegramOrigin = Promise.withResolvers<string>()
    const postedResult = new Promise<Settled>((resolve) => {
      hear(async (data, from) => {
        const posted = resultIn(data)
        if (posted && from === (await telegramOrigin.promise)) resolve(posted)
      })
    })
    await starting(requireBotOfApp(settings()))
    const started = await starting(
      begin((relay) => api.call(telegramRoutes.startTelegram, { relay }, options)),
    )
    telegramOrigin.resolve(started.telegramOrigin)
    const pendingResult = result((key) => api.call(telegramRoutes.telegramResult, key, options))
    const settled = await Promise.race([postedResult, pendingResult])
    if (settled.status === 'denied') throw new LatchkeyError('oauth_user_denied', 'Telegram names nobody')
    return grantOf({ telegramAuthResult: settled.telegramAuthResult }, pass)
  })
}

const messageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ event: v.literal('auth_result'), result: v.unknown() }),
)

/** Returns the result in a message, or undefined for other messages. */
function resultIn(data: unknown): Settled | undefined {
  const message = v.safeParse(messageSchema, data)
  if (!message.success) return undefined
  const { result } = message.output
  if (result === false) return { status: 'denied' }
  const parsed = v.safeParse(telegramAuthResult, fromWire(telegramAuthResult, result))
  return parsed.success ? { status: 'completed', telegramAuthResult: parsed.output } : undefined
}
