/**
 * Login by Telegram. What Telegram signed goes through as it came, whichever of its ways it came by:
 * https://core.telegram.org/widgets/login, https://core.telegram.org/bots/webapps
 */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { relay, relayKey } from '../../windows/relay.ts'
import { authAnswerSchema, loginVault } from '../sessions.ts'

export const telegramLimits = {
  /** What Telegram signed is good for so long after its `auth_date`. */
  proofSeconds: 5 * 60,
  hashLength: 64,
  maxFieldLength: 4_096,
} as const

/** Telegram signs one line a field, so a value that had lines of its own could be read as other fields. */
const field = v.pipe(
  v.string(),
  v.maxLength(telegramLimits.maxFieldLength),
  v.regex(/^\P{Cc}*$/u, 'A control character'),
)
/** A number in JSON, digits in an address. */
const count = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger(), v.transform(String)), v.string()]),
  v.regex(/^[1-9][0-9]{0,15}$/, 'Not a whole number'),
)
const hash = v.pipe(v.string(), v.length(telegramLimits.hashLength), v.regex(/^[0-9a-f]+$/))

/** Of the login widget, its window, or the address of a button of the bot. */
export const telegramAuthResult = v.object({
  id: count,
  firstName: field,
  lastName: v.exactOptional(field),
  username: v.exactOptional(field),
  photoUrl: v.exactOptional(field),
  authDate: count,
  hash,
})
export type TelegramAuthResult = v.InferOutput<typeof telegramAuthResult>

/** The data of a page that Telegram opened itself. Whatever else it signed belongs to it. */
export const telegramWebAppData = v.objectWithRest(
  { queryId: v.exactOptional(field), user: field, authDate: count, hash },
  field,
)
export type TelegramWebAppData = v.InferOutput<typeof telegramWebAppData>

/** One of both. */
const proof = {
  telegramAuthResult: v.exactOptional(telegramAuthResult),
  telegramWebAppData: v.exactOptional(telegramWebAppData),
}

export const telegramResult = v.variant('status', [
  v.object({ status: v.literal('pending') }),
  v.object({ status: v.literal('completed'), telegramAuthResult }),
  v.object({ status: v.literal('denied') }),
])
export type TelegramResult = v.InferOutput<typeof telegramResult>

export const telegramRoutes = {
  startTelegram: {
    method: 'POST',
    path: '/telegram/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ relay }),
    output: v.object({ telegramOrigin: text }),
  },
  telegramResult: {
    method: 'POST',
    path: '/telegram/result',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: true,
    body: relayKey,
    output: telegramResult,
  },
  loginWithTelegram: {
    method: 'POST',
    path: '/telegram/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ captchaToken: v.exactOptional(text), ...proof, vault: loginVault }),
    output: authAnswerSchema,
  },
  linkTelegram: {
    method: 'POST',
    path: '/telegram/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(proof),
    output: userRecordSchema,
  },
  unlinkTelegram: {
    method: 'POST',
    path: '/telegram/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ telegramUserId: v.pipe(text, v.nonEmpty()) }),
    output: userRecordSchema,
  },
} as const satisfies Routes

export const telegramDoc: RoutesDoc<typeof telegramRoutes> = {
  startTelegram: {
    summary:
      "Prepares a login in a window at `/telegram/start/{handle}`, which goes on to Telegram. What came of it waits at `/telegram/result`; a page of `telegram_origin` may tell the window's opener as well.",
    errors: ['disallowed_login_method', 'invalid_data'],
  },
  telegramResult: {
    summary: 'Waits some seconds for what came of a login in a window, which its secret alone opens.',
    errors: ['not_found'],
  },
  loginWithTelegram: {
    summary:
      'Starts a session for the person that Telegram names, by exactly one of both. What Telegram signed is good for five minutes, and once; `telegram_web_app_data` is taken where the app has it turned on.',
    errors: [
      'invalid_data',
      'invalid_credentials',
      'disallowed_login_method',
      'invalid_captcha',
      'captcha_disabled',
      'allowlist_rejected',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkTelegram: {
    summary: 'Adds the person that Telegram names to the user, where the app has linking turned on.',
    errors: [
      'invalid_data',
      'invalid_credentials',
      'disallowed_login_method',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkTelegram: {
    summary: 'Takes the account from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}
