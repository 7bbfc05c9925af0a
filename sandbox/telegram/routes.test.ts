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
const asked = { bot_id: bot.id, origin, request_access: 'write', return_to: `${origin}/telegram/return/x` }
const ask = (changes: Partial<Record<keyof typeof asked, string>> = {}) =>
  fetch(`${url}/auth?${new URLSearchParams({ ...asked, ...changes })}`)
const confirm = async (fields: Record<string, string>) => {
  const response = await fetch(`${url}/auth/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ origin, return_to: asked.return_to, ...fields }),
  })
  const [, result = ''] = /data-result="([^"]*)"/.exec(await response.text()) ?? []
  return JSON.parse(result.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))))
}

/** The check as Telegram's documentation writes it. */
const hashOf = (fields: Record<string, unknown>, key: Buffer) => {
  const { hash: _, ...signed } = fields
  const lines = Object.keys(signed)
    .sort()
    .map((name) => `${name}=${signed[name]}`)
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}
const loginKey = createHash('sha256').update(bot.token).digest()

describe('the page of a login', () => {
  test('asks for the bot, at its domain, with an address there to go back to', async () => {
    const page = await ask()
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('dialog.localhost')
    const https = 'https://dialog.localhost:4000'
    expect((await ask({ origin: https, return_to: `${https}/telegram/return/x` })).status).toBe(200)
    expect((await ask({ bot_id: '1' })).status).toBe(400)
    expect(await (await ask({ origin: 'https://stranger.example' })).text()).toContain('Bot domain invalid')
    expect((await ask({ return_to: 'https://stranger.example/' })).status).toBe(400)
  })

  test('names a person, signed by the token of the bot', async () => {
    const result = await confirm({ person: 'Ada Lovelace' })
    expect(result).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', username: 'ada_lovelace' })
    expect(result.hash).toBe(hashOf(result, loginKey))
    expect(Math.abs(result.auth_date - Date.now() / 1_000)).toBeLessThan(60)
  })

  test('can decline, be an hour old, or be signed by another bot', async () => {
    expect(await confirm({ declined: 'yes' })).toBe(false)
    const old = await confirm({ way: 'old' })
    expect(old.hash).toBe(hashOf(old, loginKey))
    expect(Date.now() / 1_000 - old.auth_date).toBeGreaterThan(3_000)
    const forged = await confirm({ way: 'forged' })
    expect(forged.hash).not.toBe(hashOf(forged, loginKey))
  })

  test('keeps its answer back while it stalls, and has the opener policy that it is told', async () => {
    const set = (faults: object) =>
      fetch(`${url}/api/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      })
    await set({ telegram: 'stall', telegramPage: 'same-origin' })
    let answered = false
    const page = ask().then((response) => {
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

test('what a button of the bot opens is signed by a key of its own', async () => {
  const response = await fetch(`${url}/api/telegram/web-app`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person: 'Cleo' }),
  })
  const data = await response.json()
  const webAppKey = createHmac('sha256', 'WebAppData').update(bot.token).digest()
  expect(data.hash).toBe(hashOf(data, webAppKey))
  expect(JSON.parse(data.user)).toMatchObject({ first_name: 'Cleo' })
})
