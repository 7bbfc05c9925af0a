/**
 * Telegram, as a page with its login widget sees it: `https://oauth.telegram.org/auth` is `/auth` here. Its answer goes
 * to the window's opener, or behind the `#` of `return_to` where there is none. What a bot's buttons open is signed too.
 */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { bot, personNamed, signLogin, signWebApp, type WayToSign, waysToSign } from './bot.ts'
import { answeringPage, askingPage, refusingPage } from './page.ts'

const html = 'text/html; charset=utf-8'
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const answerScript = readFileSync(new URL('answer.js', new URL('./page/', import.meta.url)))

/** The domain of the sandbox's bot is this machine, as if set by /setdomain of @BotFather. */
const isDomainOfBot = (origin: string) =>
  /^https?:\/\/(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)

const wayNamed = (name: unknown): WayToSign => waysToSign.find((way) => way === name) ?? 'right'

export const telegramRoutes = (faults: FaultSwitch, now: () => number): readonly Route[] => {
  const given = new Set<number>()
  /** Gives each signature a second of its own: two in the same second are equal, and tests are faster than people. */
  const freshSecond = () => {
    let second = Math.floor(now() / 1_000)
    while (given.has(second)) second -= 1
    given.add(second)
    return second
  }

  const show = async (response: ServerResponse, content: string, status = 200) => {
    const opener = await faults.passed('telegramPage')
    const headers = {
      'content-security-policy': policy,
      ...(opener !== 'none' && { 'cross-origin-opener-policy': opener }),
    }
    send(response, { status, type: html, content, headers })
  }

  const ask: Route = {
    method: 'GET',
    path: /^\/auth$/,
    handle: async ({ response, url: { searchParams } }) => {
      await faults.passed('telegram')
      const origin = searchParams.get('origin') ?? ''
      const returnTo = searchParams.get('return_to') ?? ''
      if (searchParams.get('bot_id') !== bot.id) return show(response, refusingPage('Bot not found'), 400)
      if (!isDomainOfBot(origin)) return show(response, refusingPage('Bot domain invalid'), 400)
      if (URL.parse(returnTo)?.origin !== origin)
        return show(response, refusingPage('Invalid return_to'), 400)
      await show(response, askingPage({ origin, returnTo, botName: bot.name }))
    },
  }

  const confirm: Route = {
    method: 'POST',
    path: /^\/auth\/confirm$/,
    handle: async ({ request, response }) => {
      await faults.passed('telegram')
      const form = (await readForm(request)) ?? new URLSearchParams()
      const [origin, returnTo] = [form.get('origin') ?? '', form.get('return_to') ?? '']
      if (!isDomainOfBot(origin)) return show(response, refusingPage('Bot domain invalid'), 400)
      const person = personNamed(form.get('person') ?? 'Ada Lovelace')
      const result = form.has('declined')
        ? false
        : signLogin(person, wayNamed(form.get('way')), freshSecond())
      await show(response, answeringPage({ origin, returnTo }, result))
    },
  }

  /** Signs the data with which a button of the bot opens an address. */
  const sign: Route = {
    method: 'POST',
    path: /^\/api\/telegram\/(login|web-app)$/,
    handle: async ({ request, response, parts: [form] }) => {
      const asked = (await readJson(request)) as { person?: string; way?: string } | undefined
      const person = personNamed(asked?.person ?? 'Ada Lovelace')
      const make = form === 'login' ? signLogin : signWebApp
      sendJson(response, make(person, wayNamed(asked?.way), freshSecond()))
    },
  }

  const script: Route = {
    method: 'GET',
    path: /^\/telegram\/answer\.js$/,
    handle: ({ response }) =>
      send(response, { type: 'text/javascript; charset=utf-8', content: answerScript }),
  }

  return [ask, confirm, sign, script]
}
