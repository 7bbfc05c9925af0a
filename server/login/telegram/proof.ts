/**
 * Verifies data signed by Telegram: one line per field, sorted by name, with an HMAC key derived from the bot token.
 * Logins and Mini Apps use different keys.
 * https://core.telegram.org/widgets/login#checking-authorization
 * https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
 */
import { createHash, createHmac } from 'node:crypto'
import { LatchkeyError, serverLimits, toWire } from '@latchkey/protocol'
import {
  type TelegramAuthResult,
  type TelegramWebAppData,
  telegramAuthResult,
  telegramLimits,
  telegramWebAppData,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import { equalsInConstantTime } from '../../kernel/keys/keys.ts'

export type TelegramProof =
  | { type: 'login'; data: TelegramAuthResult }
  | { type: 'web app'; data: TelegramWebAppData }

export type TelegramPerson = {
  id: string
  firstName?: string
  lastName?: string
  username?: string
  photoUrl?: string
}

export function proofIn(body: {
  telegramAuthResult?: TelegramAuthResult
  telegramWebAppData?: TelegramWebAppData
}): TelegramProof {
  const { telegramAuthResult: login, telegramWebAppData: webApp } = body
  if (login && !webApp) return { type: 'login', data: login }
  if (webApp && !login) return { type: 'web app', data: webApp }
  throw new LatchkeyError('invalid_data', 'Send one of telegram_auth_result and telegram_web_app_data', {
    details: { path: 'telegram_auth_result' },
  })
}

const deriveKey = {
  login: (token) => createHash('sha256').update(token).digest(),
  'web app': (token) => createHmac('sha256', 'WebAppData').update(token).digest(),
} as const satisfies Record<TelegramProof['type'], (token: string) => Buffer>

const schemas = { login: telegramAuthResult, 'web app': telegramWebAppData } as const

/** Restricts field names, because a name with line breaks could inject other fields. */
const fieldNames = v.record(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/)), v.string())

function isSigned({ type, data }: TelegramProof, token: string): boolean {
  const onWire = v.safeParse(fieldNames, toWire(schemas[type], data))
  if (!onWire.success) return false
  const { hash, ...fields } = onWire.output
  const lines = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
  const expected = createHmac('sha256', deriveKey[type](token)).update(lines.join('\n')).digest()
  return equalsInConstantTime(expected, Buffer.from(hash ?? '', 'hex'))
}

/** The proof is forged, expired or used. A new login creates a new one. */
export const wrongProof = (reason: 'hash' | 'auth_date' | 'used') =>
  new LatchkeyError('invalid_credentials', 'Something went wrong. Try again.', { details: { reason } })

/** Returns the proof's expiry, until which its use must be remembered. */
export const getExpiry = ({ data: { authDate } }: TelegramProof): number =>
  Number(authDate) + telegramLimits.proofSeconds

export function readProof(proof: TelegramProof, token: string, nowSeconds: number): TelegramPerson {
  if (!isSigned(proof, token)) throw wrongProof('hash')
  const isFromLater = Number(proof.data.authDate) > nowSeconds + serverLimits.clockSkewSeconds
  if (isFromLater || nowSeconds > getExpiry(proof)) throw wrongProof('auth_date')
  return proof.type === 'login' ? personOfLogin(proof.data) : personOfWebApp(proof.data)
}

function personOfLogin({ authDate: _, hash: __, ...person }: TelegramAuthResult): TelegramPerson {
  return person
}

const webAppUser = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    first_name: v.string(),
    last_name: v.exactOptional(v.string()),
    username: v.exactOptional(v.string()),
    photo_url: v.exactOptional(v.string()),
  }),
)

/** Telegram signs the data of any Mini App launch, even without a user. */
function personOfWebApp({ user }: TelegramWebAppData): TelegramPerson {
  const parsed = v.safeParse(webAppUser, user)
  if (!parsed.success) {
    throw new LatchkeyError('invalid_data', 'This names nobody', {
      details: { path: 'telegram_web_app_data.user' },
    })
  }
  const { id, first_name, last_name, username, photo_url } = parsed.output
  return {
    id: String(id),
    firstName: first_name,
    ...(last_name !== undefined && { lastName: last_name }),
    ...(username !== undefined && { username }),
    ...(photo_url !== undefined && { photoUrl: photo_url }),
  }
}
