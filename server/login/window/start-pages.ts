/** The start pages of login windows, common to all purposes. */
import { oauthLimits, product } from '@latchkey/protocol'
import { oneUse, type WindowPurpose } from '@latchkey/protocol/api'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { type Page, type PageAnswer, page } from '../../kernel/http/pages/page.ts'
import { windowCookie, windowHeaders, windowPage, windowPolicy } from './page.ts'
import { randomSecret } from './secrets.ts'
import { awaitedDigits, type Proof, type Proved, prove } from './start.ts'

/** Only the page's own POST reads this cookie. */
const nonceCookie = windowCookie('start', 'Strict')

type StartOf = {
  purpose: WindowPurpose
  path: `/${string}/{handle}`
  /** Runs in the browser that may continue, and sets the cookie that identifies it later. */
  goOn: (
    c: Context,
    context: ServerContext,
    started: { handle: string; appId: string; browser: string },
  ) => Promise<PageAnswer>
  /** Called after wrong digits, so that the dialog stops waiting. */
  fail: (context: ServerContext, handle: string, appId: string) => Promise<unknown>
}

/** The query of a page that can not reach its opener and asks the user for digits instead. */
const byDigits = v.object({ by: v.exactOptional(v.literal('digits')), locale: v.exactOptional(v.string()) })
const proofForm = v.object({ signature: v.exactOptional(v.string()), digits: v.exactOptional(v.string()) })

export const startPages = ({ purpose, path, goOn, fail }: StartOf): readonly Page[] => {
  const row = {
    site: 'dialog',
    path,
    openedBy: 'same origin',
    policy: windowPolicy("'self'"),
    headers: windowHeaders,
    query: byDigits,
  } as const

  return [
    page({
      ...row,
      method: 'GET',
      async answer({ params: { handle = '' }, query, wait, c }, context): Promise<PageAnswer> {
        if (!v.is(oneUse, handle)) return windowPage(c, 'notStarted')
        if (query.by === 'digits') {
          return digitsPage(c, await awaitedDigits(context, purpose, handle, wait), handle)
        }
        const nonce = randomSecret()
        nonceCookie.set(c, handle, nonce, oauthLimits.flowSeconds)
        return windowPage(c, 'starting', {
          late: 'notStarted',
          script: {
            src: '/login/window-start.js',
            data: {
              'data-question': JSON.stringify({ type: product.windowStart.question, purpose, handle, nonce }),
              'data-answer': product.windowStart.answer,
              'data-wait-ms': String(oauthLimits.startWaitMs),
            },
          },
        })
      },
    }),
    page({
      ...row,
      method: 'POST',
      form: proofForm,
      async answer({ params: { handle = '' }, form, c }, context): Promise<PageAnswer> {
        if (!v.is(oneUse, handle)) return windowPage(c, 'notStarted')
        const proof = proofIn(form, nonceCookie.read(c, handle))
        if (!proof) return windowPage(c, 'otherBrowser')
        const proved = await prove(context, purpose, handle, proof)
        if (proved.type === 'wrong digits') await fail(context, handle, proved.appId)
        if (proved.type !== 'proved') return windowPage(c, refusals[proved.type])
        nonceCookie.drop(c, handle)
        return goOn(c, context, { handle, ...proved })
      },
    }),
  ]
}

/** Returns undefined in a browser that did not open the page. */
function proofIn(
  { signature, digits }: v.InferOutput<typeof proofForm>,
  nonce: string | undefined,
): Proof | undefined {
  if (nonce === undefined) return undefined
  return digits === undefined ? { nonce, signature: signature ?? '' } : { digits: digits.trim() }
}

function digitsPage(
  c: Context,
  waiting: Awaited<ReturnType<typeof awaitedDigits>>,
  handle: string,
): PageAnswer {
  if (waiting === undefined) return windowPage(c, 'notStarted')
  if (waiting === 'no digits') return windowPage(c, 'cutOff')
  nonceCookie.set(c, handle, randomSecret(), oauthLimits.flowSeconds)
  return windowPage(c, 'digits', { asks: waiting, form: 'digits' })
}

const refusals = {
  over: 'over',
  foreign: 'foreign',
  'wrong digits': 'wrongDigits',
} as const satisfies Record<Exclude<Proved['type'], 'proved'>, string>
