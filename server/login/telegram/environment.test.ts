import { expect, test } from 'vitest'
import { parseConfig } from '../../kernel/config.ts'
import { newRegistry } from '../../kernel/registry.ts'
import { getBotToken, getTelegramOrigin, missingForTelegram, telegramEnvironment } from './environment.ts'

const ada = '7000000001:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8'
const ben = '7000000002:BBH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8'
const config = (environment: Record<string, string>) => parseConfig(environment, [telegramEnvironment])
const wrong = (environment: Record<string, string>) =>
  telegramEnvironment.parse(environment, newRegistry('a test'))

test('has no bots and the real Telegram by default', () => {
  expect(missingForTelegram(config({}))).toEqual(['TELEGRAM_BOTS'])
  expect(getTelegramOrigin({ config: config({}) })).toBe('https://oauth.telegram.org')
  expect(getBotToken({ config: config({}) }, '7000000001')).toBeUndefined()
})

test('finds a bot by the id in its token', () => {
  const bots = config({ TELEGRAM_BOTS: ` ${ada} ${ben}` })
  expect(missingForTelegram(bots)).toEqual([])
  expect(getBotToken({ config: bots }, '7000000001')).toBe(ada)
  expect(getBotToken({ config: bots }, '7000000002')).toBe(ben)
  expect(getBotToken({ config: bots }, '7')).toBeUndefined()
})

test.each([
  ['TELEGRAM_BOTS', 'FieldnotesBot'],
  ['TELEGRAM_BOTS', `${ada},${ben}`],
  ['TELEGRAM_BOTS', `bot ${ada}`],
  ['TELEGRAM_BOTS', `${ada} bot`],
  ['TELEGRAM_URL', 'http://oauth.telegram.org'],
  ['TELEGRAM_URL', 'https://oauth.telegram.org/auth'],
  ['TELEGRAM_URL', 'http://127.0.0.1.stranger.example'],
])('rejects %s=%s', (name, value) => {
  expect(wrong({ [name]: value })).toEqual([expect.stringContaining(name)])
})

test('allows a Telegram on localhost without https', () => {
  for (const TELEGRAM_URL of [
    'http://127.0.0.1:4020',
    'http://localhost',
    'http://telegram.localhost:4020',
  ]) {
    expect(getTelegramOrigin({ config: config({ TELEGRAM_URL }) })).toBe(TELEGRAM_URL)
  }
})
