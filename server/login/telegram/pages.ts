/** The pages of the window that goes to Telegram and returns. */
import { oauthLimits } from '@latchkey/protocol'
import { oneUse } from '@latchkey/protocol/api'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { type Page, type PageAnswer, page } from '../../kernel/http/pages/page.ts'
import {
  type HtmlAnswer,
  startPages,
  type WindowText,
  windowCookie,
  windowFile,
  windowHeaders,
  windowLanguage,
  windowPage,
  windowPolicy,
} from '../window/window.ts'
import { getTelegramOrigin } from './environment.ts'
import { type Answered, failWindow, findBot, takeAnswer } from './telegram.ts'

const title = 'Telegram'
const script = '/js/telegram-login.js'
/** Only our own pages use this cookie: Telegram's response is in the URL fragment, which no server receives. */
const cookie = windowCookie('telegram', 'Strict')
const returnPath = (handle: string) => `/telegram/return/${handle}`

const starts = startPages({
  purpose: 'telegram',
  path: '/telegram/start/{handle}',
  async goOn(c, context, { handle, appId, browser }) {
    const bot = await findBot(context, appId)
    if (!bot) return windowPage(c, 'over')
    cookie.set(c, handle, browser, oauthLimits.flowSeconds)
    return goingPage(c, context, bot, handle)
  },
  fail: failWindow,
})

const goingPage = (
  c: Context,
  context: ServerContext,
  { id, name }: { id: string; name: string },
  handle: string,
): HtmlAnswer =>
  windowPage(c, 'going', {
    name: title,
    script: {
      src: script,
      data: {
        'data-telegram-login': name,
        'data-bot-id': id,
        'data-request-access': 'write',
        'data-lang': windowLanguage(c),
        'data-telegram-origin': getTelegramOrigin(context),
        'data-return-to': context.config.dialogOrigin + returnPath(handle),
      },
    },
  })

/** The return page, which posts its URL fragment to itself. */
const back = page({
  site: 'dialog',
  method: 'GET',
  path: '/telegram/return/{handle}',
  openedBy: 'anybody',
  policy: windowPolicy("'self'"),
  headers: windowHeaders,
  answer: ({ params: { handle = '' }, c }) =>
    windowPage(c, 'back', {
      name: title,
      script: { src: script, data: { 'data-answer-to': returnPath(handle) } },
    }),
})

const resultPage = page({
  site: 'dialog',
  method: 'POST',
  path: '/telegram/return/{handle}',
  openedBy: 'same origin',
  policy: windowPolicy(),
  headers: windowHeaders,
  form: v.object({ result: v.string() }),
  async answer({ params: { handle = '' }, form, c }, context): Promise<PageAnswer> {
    if (!v.is(oneUse, handle)) return windowPage(c, 'notStarted')
    const answered = await takeAnswer(context, handle, form.result, cookie.read(c, handle))
    const hasCome = answered === 'answered' || answered === 'denied'
    if (hasCome) cookie.drop(c, handle)
    return windowPage(c, textsByAnswer[answered], { name: title, ...(hasCome && { script: closing }) })
  },
})

const closing = { src: '/telegram/close.js', data: {} } as const

const textsByAnswer = {
  answered: 'answered',
  denied: 'notConnected',
  foreign: 'foreign',
  'other browser': 'otherBrowser',
  over: 'over',
} as const satisfies Record<Answered, WindowText>

export const telegramPages: readonly Page[] = [
  ...starts,
  back,
  resultPage,
  windowFile(script, new URL('./page/', import.meta.url), 'telegram-login.js'),
  windowFile('/telegram/close.js', new URL('./page/', import.meta.url), 'close.js'),
]
