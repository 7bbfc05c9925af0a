/**
 * Telegram login. Signed data is forwarded unchanged, from the login widget or from a Web App:
 * https://core.telegram.org/widgets/login, https://core.telegram.org/bots/webapps
 */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { relay, relayKey } from '../../windows/relay.ts'
import { authAnswerSchema, loginVault } from '../sessions.ts'

export const telegramLimits = {
  /** Validity of signed data after its `auth_date`. */
  proofSeconds: 5 * 60,
  hashLength: 64,
  maxFieldLength: 4_096,
} as const

/** Telegram signs one line per field, so a value with line breaks could be read as several fields. */
const field = v.pipe(
  v.string(),
  v.maxLength(telegramLimits.maxFieldLength),
  v.regex(/^\P{Cc}*$/u, 'A control character'),
)
/** A number in JSON, or digits in a URL. */
const count = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger(), v.transform(String)), v.string()]),
  v.regex(/^[1-9][0-9]{0,15}$/, 'Not a whole number'),
)
const hash = v.pipe(v.string(), v.length(telegramLimits.hashLength), v.regex(/^[0-9a-f]+$/))

/** Data from the login widget, its window, or the URL of a bot button. */
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

/** Data of a Web App that Telegram opened. The signature covers unknown fields too. */
export const telegramWebAppData = v.objectWithRest(
  { queryId: v.exactOptional(field), user: field, authDate: count, hash },
  field,
)
export type TelegramWebAppData = v.InferOutput<typeof telegramWebAppData>

/** Exactly one of the two. */
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
      "Starts a login in a window at `/telegram/start/{handle}`, which redirects to Telegram. Poll `/telegram/result` for the result. A page of `telegram_origin` may also post it to the window's opener.",
    errors: ['disallowed_login_method', 'invalid_data'],
  },
  telegramResult: {
    summary: 'Waits a few seconds for the result of a login in a window. Requires the secret of the relay.',
    errors: ['not_found'],
  },
  loginWithTelegram: {
    summary:
      'Starts a session for the Telegram account that signed the data. Takes exactly one of the two fields. Signed data is valid for five minutes, once. `telegram_web_app_data` is accepted if the app enabled it.',
    errors: [
      'invalid_data',
      'invalid_credentials',
      'disallowed_login_method',
      'invalid_captcha',
      'captcha_disabled',
      'allowlist_rejected',
      'login_denied',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkTelegram: {
    summary: 'Links the Telegram account that signed the data to the user, if the app enabled linking.',
    errors: [
      'invalid_data',
      'invalid_credentials',
      'disallowed_login_method',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkTelegram: {
    summary: 'Unlinks the Telegram account from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}
