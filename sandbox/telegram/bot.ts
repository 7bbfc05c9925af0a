/** The sandbox's bot, and the data that Telegram signs for it. */
import { createHash, createHmac } from 'node:crypto'

const botId = '7000000001'
export const bot = {
  id: botId,
  name: 'FieldnotesBot',
  token: `${botId}:sandbox-token-of-fieldnotes-bot-000`,
} as const

/** The token of another bot, in the format of @BotFather, which signs forged data. */
const otherBotToken = '7000000002:sandbox-token-of-some-other-bot-000'

export const waysToSign = ['right', 'old', 'forged'] as const
export type WayToSign = (typeof waysToSign)[number]

/** Every client rejects data that was signed an hour ago. */
const oldSeconds = 3_600

/** Returns the person of a name; a single word is a first name. */
export const personByName = (typed: string) => {
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
type Person = ReturnType<typeof personByName>
type Fields = Readonly<Record<string, string | number>>

const signFields = <Signed extends Fields>(
  fields: Signed,
  deriveKey: (token: string) => Buffer,
  way: WayToSign,
) => {
  const lines = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
  const key = deriveKey(way === 'forged' ? otherBotToken : bot.token)
  return { ...fields, hash: createHmac('sha256', key).update(lines.join('\n')).digest('hex') }
}

const authDate = (way: WayToSign, nowSeconds: number) =>
  way === 'old' ? nowSeconds - oldSeconds : nowSeconds

/** Signs like Telegram's login widget and its bot buttons. */
export const signLogin = (person: Person, way: WayToSign, nowSeconds: number) =>
  signFields(
    { ...person, auth_date: authDate(way, nowSeconds) },
    (token) => createHash('sha256').update(token).digest(),
    way,
  )

/** Signs like Telegram does for a web app inside Telegram. */
export const signWebApp = (person: Person, way: WayToSign, nowSeconds: number) =>
  signFields(
    {
      query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
      user: JSON.stringify({ ...person, language_code: 'en', allows_write_to_pm: true }),
      auth_date: authDate(way, nowSeconds),
      signature: 'of-telegram-itself',
    },
    (token) => createHmac('sha256', 'WebAppData').update(token).digest(),
    way,
  )
