import { createHmac } from 'node:crypto'
import { fromWire } from '@latchkey/protocol'
import { telegramAuthResult, telegramWebAppData } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { proofIn, readProof, type TelegramProof } from './proof.ts'

/** Signed data with the bot token of the Bot API documentation. */
const login = {
  token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
  data: {
    id: '42',
    first_name: 'John',
    last_name: 'Smith',
    username: 'username',
    photo_url: 'https://t.me/i/userpic/320/picname.jpg',
    auth_date: '1565810688',
    hash: 'c303db2b5a06fe41d23a9b14f7c545cfc11dcc7473c07c9c5034ae60062461ce',
  },
  at: 1_565_810_688,
}
/** https://docs.telegram-mini-apps.com/platform/init-data */
const webApp = {
  token: '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8',
  data: Object.fromEntries(
    new URLSearchParams(
      'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2',
    ),
  ),
  at: 1_662_771_648,
}

const loginProof = (changes: Readonly<Record<string, unknown>> = {}): TelegramProof => ({
  type: 'login',
  data: v.parse(telegramAuthResult, fromWire(telegramAuthResult, { ...login.data, ...changes })),
})
const webAppProof = (changes: Readonly<Record<string, unknown>> = {}): TelegramProof => ({
  type: 'web app',
  data: v.parse(telegramWebAppData, fromWire(telegramWebAppData, { ...webApp.data, ...changes })),
})
const refused = (reason: string) =>
  expect.objectContaining({
    code: 'invalid_credentials',
    message: 'Something went wrong. Try again.',
    details: { reason },
  })

// spec L7.26
describe('published signed data', () => {
  test('published login data returns its user', () => {
    expect(readProof(loginProof(), login.token, login.at)).toStrictEqual({
      id: '42',
      firstName: 'John',
      lastName: 'Smith',
      username: 'username',
      photoUrl: 'https://t.me/i/userpic/320/picname.jpg',
    })
  })

  test('published Mini App data returns its user', () => {
    expect(readProof(webAppProof(), webApp.token, webApp.at)).toEqual({
      id: '279058397',
      firstName: 'Vladislav',
      lastName: 'Kibenko',
      username: 'vdkfrost',
    })
  })

  /** Signs like the bot itself. */
  const signedWebApp = (user: string): TelegramProof => {
    const { auth_date } = webApp.data
    const fields = { auth_date, user }
    const key = createHmac('sha256', 'WebAppData').update(webApp.token).digest()
    const hash = createHmac('sha256', key).update(`auth_date=${auth_date}\nuser=${fields.user}`).digest('hex')
    const data = v.parse(telegramWebAppData, fromWire(telegramWebAppData, { ...fields, hash }))
    return { type: 'web app', data }
  }

  test('Mini App data returns the known fields of its user only', () => {
    const read = (user: object) => readProof(signedWebApp(JSON.stringify(user)), webApp.token, webApp.at)
    expect(read({ id: 1, first_name: 'Ada' })).toStrictEqual({ id: '1', firstName: 'Ada' })
    expect(
      read({
        id: 2,
        first_name: 'Ada',
        last_name: 'Lovelace',
        username: 'ada',
        photo_url: 'https://t.me/i/userpic/320/ada.jpg',
      }),
    ).toStrictEqual({
      id: '2',
      firstName: 'Ada',
      lastName: 'Lovelace',
      username: 'ada',
      photoUrl: 'https://t.me/i/userpic/320/ada.jpg',
    })
  })

  test.each([
    ['{"id":0,"first_name":"Ada"}'],
    ['{"first_name":"Ada"}'],
    ['{"id":1,"first_name":null}'],
    ['null'],
    ['[]'],
    ['Ada'],
    [''],
  ])('Mini App data without a user is rejected: %s', (user) => {
    expect(() => readProof(signedWebApp(user), webApp.token, webApp.at)).toThrow(
      expect.objectContaining({ code: 'invalid_data', details: { path: 'telegram_web_app_data.user' } }),
    )
    const ada = signedWebApp('{"id":1,"first_name":"Ada"}')
    expect(readProof(ada, webApp.token, webApp.at)).toStrictEqual({ id: '1', firstName: 'Ada' })
  })

  test('numbers sent as numbers have the same signature', () => {
    expect(readProof(loginProof({ id: 42, auth_date: 1_565_810_688 }), login.token, login.at).id).toBe('42')
  })
})

describe('rejected data', () => {
  test.each(['id', 'first_name', 'last_name', 'username', 'photo_url'])(
    'rejects a login with a modified %s',
    (field) => {
      expect(() => readProof(loginProof({ [field]: '43' }), login.token, login.at)).toThrow(refused('hash'))
    },
  )

  test.each([
    ['a login without a field of it', loginProof({ username: undefined })],
    ['a page with another person', webAppProof({ user: '{"id":1,"first_name":"Eve"}' })],
    ['a page with a field more', webAppProof({ start_param: 'x' })],
    ['a page with a field whose name is none', webAppProof({ 'a=b\nc': 'x' })],
  ])('rejects %s', (_, proof) => {
    const { token, at } = proof.type === 'login' ? login : webApp
    expect(() => readProof(proof, token, at)).toThrow(refused('hash'))
  })

  test('rejects a name that contains two signed fields', () => {
    const { auth_date, user } = webApp.data
    const lines = `auth_date=${auth_date}\nchat_instance=1\nchat_type=sender\nuser=${user}`
    const key = createHmac('sha256', 'WebAppData').update(webApp.token).digest()
    const hash = createHmac('sha256', key).update(lines).digest('hex')
    const read = (fields: object) => {
      const said = { auth_date, user, hash, ...fields }
      const data = v.parse(telegramWebAppData, fromWire(telegramWebAppData, said))
      return readProof({ type: 'web app', data }, webApp.token, webApp.at)
    }
    expect(read({ chat_instance: '1', chat_type: 'sender' }).id).toBe('279058397')
    expect(() => read({ 'chat_instance=1\nchat_type': 'sender' })).toThrow(refused('hash'))
  })

  test('rejects data signed by another bot', () => {
    expect(() => readProof(loginProof(), webApp.token, login.at)).toThrow(refused('hash'))
    expect(() => readProof(webAppProof(), login.token, webApp.at)).toThrow(refused('hash'))
  })

  test('rejects a hash that differs in its last character only', () => {
    const hash = login.data.hash.replace(/e$/, 'f')
    expect(() => readProof(loginProof({ hash }), login.token, login.at)).toThrow(refused('hash'))
  })

  test('rejects data older than five minutes, or thirty seconds in the future', () => {
    for (const { at, proof, token } of [
      { ...login, proof: loginProof() },
      { ...webApp, proof: webAppProof() },
    ]) {
      expect(readProof(proof, token, at + 300)).toMatchObject({ id: expect.any(String) })
      expect(() => readProof(proof, token, at + 301)).toThrow(refused('auth_date'))
      expect(readProof(proof, token, at - 30)).toMatchObject({ id: expect.any(String) })
      expect(() => readProof(proof, token, at - 31)).toThrow(refused('auth_date'))
    }
  })

  test('rejects field names with line breaks, which could inject other fields', () => {
    const parsed = (changes: object) =>
      v.safeParse(telegramAuthResult, fromWire(telegramAuthResult, { ...login.data, ...changes })).success
    expect(parsed({})).toBe(true)
    expect(parsed({ first_name: 'John\nid=43' })).toBe(false)
    expect(parsed({ hash: login.data.hash.toUpperCase() })).toBe(false)
    expect(parsed({ id: '-42' })).toBe(false)
    expect(parsed({ auth_date: 'now' })).toBe(false)
  })

  test('requires exactly one of the two forms', () => {
    const both = { telegramAuthResult: loginProof().data, telegramWebAppData: webAppProof().data }
    const invalid = expect.objectContaining({
      code: 'invalid_data',
      details: { path: 'telegram_auth_result' },
    })
    expect(() => proofIn(both as never)).toThrow(invalid)
    expect(() => proofIn({})).toThrow(invalid)
  })
})
