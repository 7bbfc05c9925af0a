/**
 * Telegram's login: `https://oauth.telegram.org/auth` is `/auth` here. The result goes to the opener, or into
 * the fragment of `return_to` if there is none. Signs the data of bot buttons as well.
 */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { bot, personByName, signLogin, signWebApp, type WayToSign, waysToSign } from './bot.ts'
import { loginPage, refusalPage, returnPage } from './page.ts'

const html = 'text/html; charset=utf-8'
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const answerScript = readFileSync(new URL('answer.js', new URL('./page/', import.meta.url)))

/** The bot's domain is this machine, as if set by @BotFather's /setdomain. */
const isDomainOfBot = (origin: string) =>
  /^https?:\/\/(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)

const parseWay = (name: unknown): WayToSign => waysToSign.find((way) => way === name) ?? 'right'

export const telegramRoutes = (faults: FaultSwitch, now: () => number): readonly Route[] => {
  const usedSeconds = new Set<number>()
  /**
   * Returns a second that no earlier signature has. Two signatures of the same second are equal, and tests
   * are fast enough for that.
   */
  const freshSecond = () => {
    let second = Math.floor(now() / 1_000)
    while (usedSeconds.has(second)) second -= 1
    usedSeconds.add(second)
    return second
  }

  const show = async (response: ServerResponse, content: string, status = 200) => {
    const opener = await faults.afterStall('telegramPage')
    const headers = {
      'content-security-policy': policy,
      ...(opener !== 'none' && { 'cross-origin-opener-policy': opener }),
    }
    send(response, { status, type: html, content, headers })
  }

  const login: Route = {
    method: 'GET',
    path: /^\/auth$/,
    handle: async ({ response, url: { searchParams } }) => {
      await faults.afterStall('telegram')
      const origin = searchParams.get('origin') ?? ''
      const returnTo = searchParams.get('return_to') ?? ''
      if (searchParams.get('bot_id') !== bot.id) return show(response, refusalPage('Bot not found'), 400)
      if (!isDomainOfBot(origin)) return show(response, refusalPage('Bot domain invalid'), 400)
      if (URL.parse(returnTo)?.origin !== origin) return show(response, refusalPage('Invalid return_to'), 400)
      await show(response, loginPage({ origin, returnTo, botName: bot.name }))
    },
  }

  const confirm: Route = {
    method: 'POST',
    path: /^\/auth\/confirm$/,
    handle: async ({ request, response }) => {
      await faults.afterStall('telegram')
      const form = (await readForm(request)) ?? new URLSearchParams()
      const [origin, returnTo] = [form.get('origin') ?? '', form.get('return_to') ?? '']
      if (!isDomainOfBot(origin)) return show(response, refusalPage('Bot domain invalid'), 400)
      const person = personByName(form.get('person') ?? 'Ada Lovelace')
      const result = form.has('declined')
        ? false
        : signLogin(person, parseWay(form.get('way')), freshSecond())
      await show(response, returnPage({ origin, returnTo }, result))
    },
  }

  /** Signs the data with which a bot button opens an address. */
  const sign: Route = {
    method: 'POST',
    path: /^\/api\/telegram\/(login|web-app)$/,
    handle: async ({ request, response, parts: [form] }) => {
      const input = (await readJson(request)) as { person?: string; way?: string } | undefined
      const person = personByName(input?.person ?? 'Ada Lovelace')
      const make = form === 'login' ? signLogin : signWebApp
      sendJson(response, make(person, parseWay(input?.way), freshSecond()))
    },
  }

  const script: Route = {
    method: 'GET',
    path: /^\/telegram\/answer\.js$/,
    handle: ({ response }) =>
      send(response, { type: 'text/javascript; charset=utf-8', content: answerScript }),
  }

  return [login, confirm, sign, script]
}
