/** The take-back page. Opening it changes nothing, because mail scanners open links. Its button reverts the change. */
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { html } from 'hono/html'
import {
  accountName,
  factorName,
  findTakeBack,
  formatTime,
  type TakeBack,
  takeBackPath,
} from '../../identity/new-methods/new-methods.ts'
import { accountById } from '../../identity/users/users.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { type Page, type PageAnswer, type PageCall, page } from '../../kernel/http/pages/page.ts'
import { renderSimplePage } from '../../kernel/http/pages/simple-page.ts'
import type { Language } from '../../kernel/languages.ts'
import { windowLanguage, windowPolicy } from '../../login/window/window.ts'
import { removesLastWayIn, type TakenBack, takeBack } from './take-back.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)
const textKeys = {
  'taken back': 'takenBack',
  'last way in': 'lastWayIn',
  'address of another': 'addressOfAnother',
  over: 'over',
} as const satisfies { [outcome in TakenBack]: keyof Texts }

type Call = Pick<PageCall<unknown, unknown>, 'c'>
type PageText = { title: string; text: string; details?: readonly string[] }

const row = {
  site: 'dialog',
  path: takeBackPath,
  policy: windowPolicy("'self'"),
  headers: { 'cross-origin-opener-policy': 'same-origin' },
} as const

/**
 * Describes the change by the method's name only, so that a forwarded link reveals nothing else about the account.
 */
async function describeChange(
  context: ServerContext,
  language: Language,
  { appId, userId, change, createdAt }: TakeBack,
) {
  const app = await context.apps.find(appId)
  const account =
    change.kind === 'account' && change.added !== null
      ? await accountById(context.db, userId, change.added)
      : undefined
  const removed = change.kind === 'account' ? change.removed : null
  const { added, gone } = texts(language)
  return [
    app?.name ?? '',
    ...(change.kind === 'factor' ? [added({ name: factorName(language, change.method) })] : []),
    ...(account ? [added({ name: accountName(language, account) })] : []),
    ...(removed ? [gone({ name: accountName(language, removed) })] : []),
    formatTime(language, createdAt),
  ]
}

function renderPage(
  { c }: Call,
  said: (words: Texts) => PageText,
  status: 200 | 404,
  button = false,
): PageAnswer {
  const language = windowLanguage(c)
  const words = texts(language)
  const { title, text, details = [] } = said(words)
  return {
    type: 'html',
    status,
    html: renderSimplePage(language, {
      title,
      body: html`<h1>${title}</h1>
<p class="asks">${details.map((line) => html`<bdi>${line}</bdi> `)}</p>
<p>${text}</p>
${button ? html`<form method="post"><button>${words.button}</button></form>` : ''}`,
    }),
  }
}

export const takeBackPages: readonly Page[] = [
  page({
    ...row,
    method: 'GET',
    openedBy: 'anybody',
    async answer(call, context) {
      const { secret = '' } = call.params
      const link = await findTakeBack(context.db, context, secret)
      if (!link) return renderPage(call, ({ over }) => over, 404)
      const details = await describeChange(context, windowLanguage(call.c), link)
      const text = (await removesLastWayIn(context.db, link)) ? 'lastWayIn' : 'text'
      return renderPage(call, ({ asks }) => ({ title: asks.title, text: asks[text], details }), 200, true)
    },
  }),
  page({
    ...row,
    method: 'POST',
    openedBy: 'same origin',
    async answer(call, context) {
      const { secret = '' } = call.params
      const outcome = await context.transaction((trx) => takeBack(trx, context, secret))
      return renderPage(call, (words) => words[textKeys[outcome]], outcome === 'over' ? 404 : 200)
    },
  }),
]
