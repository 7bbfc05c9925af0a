/** The bot of the sandbox, and what Telegram signs for it. */
import { createHash, createHmac } from 'node:crypto'

const botId = '7000000001'
export const bot = {
  id: botId,
  name: 'FieldnotesBot',
  token: `${botId}:sandbox-token-of-fieldnotes-bot-000`,
} as const

/** Tokens in the form of @BotFather's. The token of a stranger signs forged data. */
const strangerToken = '7000000002:sandbox-token-of-some-other-bot-000'

export const waysToSign = ['right', 'old', 'forged'] as const
export type WayToSign = (typeof waysToSign)[number]

/** Data that was signed an hour ago is too old for every client. */
const oldSeconds = 3_600

/** Every name is a person, and always the same one; a single word is a first name. */
export const personNamed = (typed: string) => {
  const [first = 'Nobody', ...rest] = typed.trim().split(/\s+/)
  const username = typed.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  return {
    id: Number.parseInt(createHash('sha256').update(typed).digest('hex').slice(0, 8), 16) + 1_000_000_000,
    first_name: first,
    ...(rest.length > 0 && { last_name: rest.join(' ') }),
    username,
    photo_url: `https://t.me/i/userpic/320/${username}.jpg`,
  }
}
type Person = ReturnType<typeof personNamed>
type Fields = Readonly<Record<string, string | number>>

const signed = <Signed extends Fields>(fields: Signed, keyOf: (token: string) => Buffer, way: WayToSign) => {
  const lines = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
  const key = keyOf(way === 'forged' ? strangerToken : bot.token)
  return { ...fields, hash: createHmac('sha256', key).update(lines.join('\n')).digest('hex') }
}

const dateFor = (way: WayToSign, nowSeconds: number) => (way === 'old' ? nowSeconds - oldSeconds : nowSeconds)

/** Signs as Telegram does for the login widget and for the address that a button of the bot opens. */
export const signLogin = (person: Person, way: WayToSign, nowSeconds: number) =>
  signed(
    { ...person, auth_date: dateFor(way, nowSeconds) },
    (token) => createHash('sha256').update(token).digest(),
    way,
  )

/** Signs as Telegram does for a page that it opens inside itself. */
export const signWebApp = (person: Person, way: WayToSign, nowSeconds: number) =>
  signed(
    {
      query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
      user: JSON.stringify({ ...person, language_code: 'en', allows_write_to_pm: true }),
      auth_date: dateFor(way, nowSeconds),
      signature: 'of-telegram-itself',
    },
    (token) => createHmac('sha256', 'WebAppData').update(token).digest(),
    way,
  )
