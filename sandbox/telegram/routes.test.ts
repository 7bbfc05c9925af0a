import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'
import { bot } from './bot.ts'

let sandbox: Sandbox
let url = ''
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
  url = sandbox.httpUrl.replace('sandbox.localhost', '127.0.0.1')
})
afterAll(() => sandbox.stop())

const origin = 'http://dialog.localhost:4000'
const request = { bot_id: bot.id, origin, request_access: 'write', return_to: `${origin}/telegram/return/x` }
const openLogin = (changes: Partial<Record<keyof typeof request, string>> = {}) =>
  fetch(`${url}/auth?${new URLSearchParams({ ...request, ...changes })}`)
const confirm = async (fields: Record<string, string>) => {
  const response = await fetch(`${url}/auth/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ origin, return_to: request.return_to, ...fields }),
  })
  const [, result = ''] = /data-result="([^"]*)"/.exec(await response.text()) ?? []
  return JSON.parse(result.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))))
}

/** Computes the hash as Telegram's documentation describes it. */
const computeHash = (fields: Record<string, unknown>, key: Buffer) => {
  const { hash: _, ...signed } = fields
  const lines = Object.keys(signed)
    .sort()
    .map((name) => `${name}=${signed[name]}`)
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}
const loginKey = createHash('sha256').update(bot.token).digest()

describe('the login page', () => {
  test('requires the bot, its domain, and a return address in that domain', async () => {
    const page = await openLogin()
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('dialog.localhost')
    const https = 'https://dialog.localhost:4000'
    expect((await openLogin({ origin: https, return_to: `${https}/telegram/return/x` })).status).toBe(200)
    expect((await openLogin({ bot_id: '1' })).status).toBe(400)
    expect(await (await openLogin({ origin: 'https://stranger.example' })).text()).toContain(
      'Bot domain invalid',
    )
    expect((await openLogin({ return_to: 'https://stranger.example/' })).status).toBe(400)
  })

  test("returns a person, signed with the bot's token", async () => {
    const result = await confirm({ person: 'Ada Lovelace' })
    expect(result).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', username: 'ada_lovelace' })
    expect(result.hash).toBe(computeHash(result, loginKey))
    expect(Math.abs(result.auth_date - Date.now() / 1_000)).toBeLessThan(60)
  })

  test('can decline, sign an hour-old date, or sign with another bot', async () => {
    expect(await confirm({ declined: 'yes' })).toBe(false)
    const old = await confirm({ way: 'old' })
    expect(old.hash).toBe(computeHash(old, loginKey))
    expect(Date.now() / 1_000 - old.auth_date).toBeGreaterThan(3_000)
    const forged = await confirm({ way: 'forged' })
    expect(forged.hash).not.toBe(computeHash(forged, loginKey))
  })

  test('delays its response during a stall, and has the configured opener policy', async () => {
    const set = (faults: object) =>
      fetch(`${url}/api/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      })
    await set({ telegram: 'stall', telegramPage: 'same-origin' })
    let answered = false
    const page = openLogin().then((response) => {
      answered = true
      return response
    })
    await fetch(`${url}/healthz`)
    expect(answered).toBe(false)
    await set({ telegram: 'none' })
    expect((await page).headers.get('cross-origin-opener-policy')).toBe('same-origin')
    await set({ telegramPage: 'none' })
  })
})

test('the data of a bot button has its own signing key', async () => {
  const response = await fetch(`${url}/api/telegram/web-app`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person: 'Cleo' }),
  })
  const data = await response.json()
  const webAppKey = createHmac('sha256', 'WebAppData').update(bot.token).digest()
  expect(data.hash).toBe(computeHash(data, webAppKey))
  expect(JSON.parse(data.user)).toMatchObject({ first_name: 'Cleo' })
})
