import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'

export type SiteOptions = {
  /** The folder of the built pages. */
  folder: string
  appId: string
  dialogOrigin: string
  /** The URL of the sandbox pages; empty without a sandbox. */
  inboxUrl?: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** This page loads the script from the dialog origin. The other page bundles it. */
const oneLinePage = '/one-line.html'

/**
 * Returns the Content-Security-Policy of this site. The only cross-origin loads are the frame and its status.
 */
const contentPolicy = (scripts: string, connections: string, frames: string) =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${connections}`,
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** Returns the sites from which the page may load its logo. */
const picturesFrom = (query: URLSearchParams) =>
  query.getAll('pictures').filter((origin) => /^https:\/\/[a-z0-9.-]+$/.test(origin))

/** Returns the headers of a page. The query selects other kinds of host pages: see README.md. */
const pageHeaders = (path: string, query: URLSearchParams, dialogOrigin: string): Record<string, string> => ({
  'content-security-policy': contentPolicy(
    path === oneLinePage ? `'self' ${dialogOrigin}` : "'self'",
    [dialogOrigin, ...picturesFrom(query)].join(' '),
    query.get('csp') === 'block' ? "'none'" : dialogOrigin,
  ),
  ...((query.has('coop') || query.has('coi')) && { 'cross-origin-opener-policy': 'same-origin' }),
  ...(query.get('passkeys') === 'block' && {
    'permissions-policy': 'publickey-credentials-get=(), publickey-credentials-create=()',
  }),
  ...(query.has('coi') && { 'cross-origin-embedder-policy': 'require-corp' }),
})

const isLocalName = (host: string | undefined) =>
  /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? '')

const read = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

export const createSite = ({ folder, appId, dialogOrigin, inboxUrl = '' }: SiteOptions): Server => {
  /** Fills in the app and the dialog, which a page reads from `<meta>`. */
  const fillIn = (page: string) =>
    page
      .replaceAll('{{appId}}', appId)
      .replaceAll('{{dialogOrigin}}', dialogOrigin)
      .replaceAll('{{inboxUrl}}', inboxUrl)

  const end = (response: ServerResponse, status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (!isLocalName(request.headers.host)) return end(response, 421, 'Unknown host name')
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'Method not allowed')
    if (!URL.canParse(request.url ?? '/', 'http://demo.localhost')) return end(response, 400, 'Bad request')
    const url = new URL(request.url ?? '/', 'http://demo.localhost')
    const path = normalize(url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname)
    const type = types[extname(path)]
    // The URL parser has resolved every '..', and encoded ones stay encoded.
    const content = type === undefined ? undefined : read(join(folder, path))
    if (type === undefined || content === undefined) return end(response, 404, 'Not found')
    const isPage = extname(path) === '.html'
    response.writeHead(200, {
      'content-type': type,
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      ...(isPage && pageHeaders(path, url.searchParams, dialogOrigin)),
    })
    response.end(request.method === 'HEAD' ? undefined : isPage ? fillIn(content.toString('utf8')) : content)
  }

  return createServer(answer)
}
