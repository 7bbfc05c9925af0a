import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type Route, send, sendJson } from '../http.ts'
import type { Inbox, Message } from './inbox.ts'

const maxWaitMs = 60_000
const defaultWaitMs = 20_000
const defaultLimit = 200
const keepAliveMs = 15_000

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Mails load their own styles and pictures, and run in an opaque origin without scripts. */
const mailPolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data: http: https:',
  "frame-ancestors 'self'",
].join('; ')

const pageFiles = [
  { path: /^\/$/, file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: /^\/inbox\.css$/, file: 'inbox.css', type: 'text/css; charset=utf-8' },
  { path: /^\/inbox\.js$/, file: 'inbox.js', type: 'text/javascript; charset=utf-8' },
  { path: /^\/favicon\.svg$/, file: 'favicon.svg', type: 'image/svg+xml' },
] as const

const asJson = ({ raw, ...message }: Message) => ({ ...message, bytes: raw.byteLength })

/** Parses a whole number of the query: undefined if it is absent, null if it is invalid. */
const parseWholeNumber = (text: string | null): number | undefined | null => {
  if (text === null) return undefined
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

const notFound = (response: ServerResponse) => sendJson(response, { error: 'No such message' }, 404)
const badNumber = (response: ServerResponse) =>
  sendJson(response, { error: 'after, timeoutMs and limit are whole numbers' }, 400)

export const mailRoutes = (inbox: Inbox): readonly Route[] => {
  const page = pageFiles.map(({ path, file, type }): Route => {
    const content = readFileSync(new URL(`./page/${file}`, import.meta.url))
    const headers = { 'content-security-policy': pagePolicy }
    return { method: 'GET', path, handle: ({ response }) => send(response, { type, content, headers }) }
  })

  const list: Route = {
    method: 'GET',
    path: /^\/api\/messages$/,
    handle: ({ response, url }) => {
      const limit = parseWholeNumber(url.searchParams.get('limit'))
      if (limit === null) return badNumber(response)
      const to = url.searchParams.get('to')
      const messages = inbox.list({ ...(to !== null && { to }), limit: limit ?? defaultLimit })
      sendJson(response, { messages: messages.map(asJson), cursor: inbox.cursor() })
    },
  }

  const next: Route = {
    method: 'GET',
    path: /^\/api\/messages\/next$/,
    handle: async ({ response, url }) => {
      const to = url.searchParams.get('to')
      const after = parseWholeNumber(url.searchParams.get('after'))
      const timeoutMs = parseWholeNumber(url.searchParams.get('timeoutMs'))
      if (after === null || timeoutMs === null) return badNumber(response)
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const deadline = AbortSignal.timeout(Math.min(timeoutMs ?? defaultWaitMs, maxWaitMs))
      const message = await inbox.next({
        ...(to !== null && { to }),
        ...(after !== undefined && { after }),
        signal: AbortSignal.any([gone.signal, deadline]),
      })
      if (message === undefined) {
        response.writeHead(204, { 'cache-control': 'no-store' }).end()
      } else {
        sendJson(response, { message: asJson(message), cursor: message.cursor })
      }
    },
  }

  const one: Route = {
    method: 'GET',
    path: /^\/api\/messages\/(\d+)$/,
    handle: ({ response, parts: [id = ''] }) => {
      const message = inbox.get(id)
      if (message === undefined) notFound(response)
      else sendJson(response, { message: asJson(message) })
    },
  }

  const html: Route = {
    method: 'GET',
    path: /^\/api\/messages\/(\d+)\/html$/,
    handle: ({ response, parts: [id = ''] }) => {
      const content = inbox.get(id)?.html
      if (content === undefined || content === null) return notFound(response)
      const headers = { 'content-security-policy': mailPolicy }
      send(response, { type: 'text/html; charset=utf-8', content, headers })
    },
  }

  const raw: Route = {
    method: 'GET',
    path: /^\/api\/messages\/(\d+)\/raw$/,
    handle: ({ response, parts: [id = ''] }) => {
      const message = inbox.get(id)
      if (message === undefined) notFound(response)
      else send(response, { type: 'text/plain; charset=utf-8', content: message.raw })
    },
  }

  const clear: Route = {
    method: 'DELETE',
    path: /^\/api\/messages$/,
    handle: ({ response }) => {
      inbox.clear()
      response.writeHead(204).end()
    },
  }

  const events: Route = {
    method: 'GET',
    path: /^\/api\/events$/,
    handle: ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      const sendEvent = (event: string, data: unknown) =>
        response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      sendEvent('open', {})
      const unwatch = inbox.watch((change) =>
        change.type === 'arrived' ? sendEvent('arrived', asJson(change.message)) : sendEvent('cleared', {}),
      )
      const keepAlive = setInterval(() => response.write(':\n\n'), keepAliveMs)
      response.once('close', () => {
        clearInterval(keepAlive)
        unwatch()
      })
    },
  }

  return [...page, list, next, one, html, raw, clear, events]
}
