/** Mounts the pages of the capabilities and enforces the declarations in their rows. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, Hono } from 'hono'
import type { ServerContext } from '../../context.ts'
import { withPepperRetry } from '../../keys/pepper-names.ts'
import { createClientAddress } from '../addresses/client-address.ts'
import { readBody } from '../body.ts'
import type { HttpEnv } from '../mount.ts'
import type { RateLimit } from '../rate-limit.ts'
import type { Waits } from '../waits.ts'
import { assertSameOriginNavigation } from './opened-by.ts'
import type { Page, PageAnswer } from './page.ts'

export function mountCapabilityPages(
  hono: Hono<HttpEnv>,
  context: ServerContext,
  pace: RateLimit,
  waits: Waits,
  pages: readonly Page[],
): void {
  const getAddress = createClientAddress(context.config.trustedProxies)

  async function answer(c: Context<HttpEnv>, page: Page): Promise<Response> {
    if (page.openedBy === 'same origin') assertSameOriginNavigation(c)
    const address = getAddress(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))
    await pace(page.paced ?? (page.method === 'POST' ? 'changes' : 'reads'), address)
    const form = page.takesForm ? await readBody(c, 'application/x-www-form-urlencoded') : ''
    const call = {
      params: c.req.param(),
      query: c.req.query(),
      form: Object.fromEntries(new URLSearchParams(form)),
      address,
      wait: waits(address, c.req.raw.signal),
      c,
    }
    // Errors must not get the page's headers, so they are set after the handler.
    const pageAnswer = await withPepperRetry(context.keyring, () => page.answer(call, context))
    c.header('cache-control', 'no-store')
    if (page.policy !== undefined) c.header('content-security-policy', page.policy)
    for (const [name, value] of Object.entries(page.headers ?? {})) c.header(name, value)
    return toResponse(c, pageAnswer)
  }

  for (const page of pages) {
    const pattern = page.path.replaceAll(/\{(\w+)\}/g, ':$1')
    hono.on(page.method, pattern, (c, next) => {
      if (page.site !== 'any' && page.site !== c.get('site')) return next()
      c.set('pattern', pattern)
      return answer(c, page)
    })
  }
}

function toResponse(c: Context, answer: PageAnswer): Response {
  switch (answer.type) {
    case 'html':
      return c.html(answer.html, answer.status ?? 200)
    case 'redirect':
      // After a form post the browser follows with GET.
      return c.redirect(answer.to, 303)
    case 'file':
      return c.body(answer.text, 200, { 'content-type': `${answer.mediaType}; charset=utf-8` })
    case 'json':
      return c.json(answer.value)
    case 'answered':
      return RESPONSE_ALREADY_SENT.clone()
    default:
      return answer satisfies never
  }
}
