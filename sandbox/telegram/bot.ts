/** The bot of the sandbox, and what Telegram signs for it. */
import { createHash, createHmac } from 'node:crypto'

const botId = '7000000001'
export const bot = {
  id: botId,
  name: 'FieldnotesBot',
  token: `${botId}:sandbox-token-of-fieldnotes-bot-000`,
} as const

/** As @BotFather gives them; that of a stranger signs what is forged. */
const strangerToken = '7000000002:sandbox-token-of-some-other-bot-000'

export const waysToSign = ['right', 'old', 'forged'] as const
export type WayToSign = (typeof waysToSign)[number]

/** What was signed an hour ago is too old for anybody. */
const oldSeconds = 3_600

/** Whatever name is typed is somebody, always the same one; who has one name alone has no last name. */
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

/** Of the login widget, and of the address that a button of the bot opens. */
export const signLogin = (person: Person, way: WayToSign, nowSeconds: number) =>
  signed(
    { ...person, auth_date: dateFor(way, nowSeconds) },
    (token) => createHash('sha256').update(token).digest(),
    way,
  )

/** Of a page that Telegram opens inside itself. */
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
