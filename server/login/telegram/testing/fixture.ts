/** An app with login by Telegram, and the sandbox's Telegram. */
import { createHash, createHmac } from 'node:crypto'
import * as v from 'valibot'
import { sessionAnswer } from '../../../identity/sessions/testing/browser.ts'
import { collectEnvironment } from '../../../kernel/capability.ts'
import { parseConfig } from '../../../kernel/config.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { appFixture } from '../../../testing/fixture.ts'
import { startSandbox } from '../../../testing/sandbox.ts'
import type { NewHandle } from '../../window/testing/browser-window.ts'

export const botId = '7000000001'
const botToken = `${botId}:sandbox-token-of-fieldnotes-bot-000`

export type Signing = { person?: string; way?: 'right' | 'old' | 'forged' }
type Fields = Readonly<Record<string, string | number>>

export async function startTelegram() {
  const url = await startSandbox()
  let lastSignedAt: number | undefined
  const signed = async (form: 'login' | 'web-app', signing: Signing): Promise<Fields> => {
    const response = await fetch(`${url}/api/telegram/${form}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signing),
    })
    return response.json()
  }
  return {
    url,
    login: (signing: Signing = {}) => signed('login', signing),
    /** Signs with a distinct time each, because a proof can be used once. */
    async anotherLogin(person: string): Promise<Fields> {
      const { hash: _, ...fields } = await signed('login', { person })
      lastSignedAt = (lastSignedAt ?? Number(fields.auth_date)) - 1
      const data = { ...fields, auth_date: lastSignedAt }
      const lines = Object.entries(data).map(([name, value]) => `${name}=${value}`)
      const key = createHash('sha256').update(botToken).digest()
      return { ...data, hash: createHmac('sha256', key).update(lines.sort().join('\n')).digest('hex') }
    },
    webApp: (signing: Signing = {}) => signed('web-app', signing),
  }
}
export type Telegram = Awaited<ReturnType<typeof startTelegram>>

export const linkingOn = {
  bot_id: botId,
  bot_name: 'FieldnotesBot',
  link_enabled: true,
  seamless_auth_enabled: true,
}

export const refused = (reason: string) => ({
  status: 422,
  answer: {
    code: 'invalid_credentials',
    error: 'Something went wrong. Try again.',
    details: { reason },
  },
})

export async function telegramFixture(database: Database, telegram: Telegram) {
  const environment = { TELEGRAM_BOTS: botToken, TELEGRAM_URL: telegram.url }
  const settings = [
    ['telegram_auth', true],
    ['telegram_auth_config', linkingOn],
  ] as const
  const config = parseConfig(environment, collectEnvironment(capabilities))
  const fixture = await appFixture(database, settings, { config })
  const { browser, context } = fixture
  // Telegram signs with the system clock.
  context.clock.advanceSeconds(Math.round((Date.now() - context.clock.nowMs()) / 1_000))

  const authenticate = (body: object, from = browser, requestId?: string) =>
    from.call('loginWithTelegram', { body, ...(requestId !== undefined && { requestId }) })
  const login = async (signing: Signing = {}, from = browser) =>
    authenticate({ telegram_auth_result: await telegram.login(signing) }, from)
  return {
    ...fixture,
    authenticate,
    login,
    loginAs: async (person: string, from = browser) =>
      v.parse(sessionAnswer, (await login({ person }, from)).answer),
    link: async (token: string, signing: Signing = {}, from = browser) =>
      from.call('linkTelegram', { token, body: { telegram_auth_result: await telegram.login(signing) } }),
    init: ({ relay }: Pick<NewHandle, 'relay'>, from = browser) =>
      from.call('startTelegram', { body: { relay } }),
    resultFor: ({ handle, relaySecret }: Pick<NewHandle, 'handle' | 'relaySecret'>, from = browser) =>
      from.call('telegramResult', { body: { handle, secret: relaySecret } }),
  }
}
export type TelegramFixture = Awaited<ReturnType<typeof telegramFixture>>
