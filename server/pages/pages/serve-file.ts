/** `hono/serve-static` chooses the encoding and the type; the files lie in memory. */
import type { Context, MiddlewareHandler } from 'hono'
import { serveStatic } from 'hono/serve-static'
import type { BuiltFile } from '../../kernel/built-files.ts'
import { pageLimits } from '../../kernel/limits.ts'

const cacheControls = {
  immutable: `public, max-age=${pageLimits.immutableMaxAgeSeconds}, immutable`,
  loaderAlias: `public, max-age=${pageLimits.loaderAliasMaxAgeSeconds}`,
  revalidated: 'no-cache',
  /** The browser does not keep the page even for its back button: what it showed once is over, or was for one user. */
  never: 'no-store',
} as const

export type Served = {
  file: BuiltFile
  cache: keyof typeof cacheControls
  headers?: Readonly<Record<string, string>>
  status?: 403
}

/** What the browser kept is still what there is. A browser takes the headers of a 304 for those of what it kept. */
export function notModified(c: Context, served: Served): Response | undefined {
  const known = c.req.header('if-none-match')
  if (
    known === undefined ||
    served.status !== undefined ||
    served.cache === 'never' ||
    !isAmong(served.file.etag, known)
  )
    return undefined
  setHeaders(c, served)
  return c.body(null, 304)
}

/** Compared weakly: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
const isAmong = (etag: string, known: string) =>
  known === '*' || known.split(',').some((one) => opaque(one.trim()) === opaque(etag))
const opaque = (etag: string) => etag.replace(/^W\//, '')

function setHeaders(c: Context, { file, cache, headers }: Served): void {
  c.header('cache-control', cacheControls[cache])
  if (cache !== 'never') c.header('etag', file.etag)
  // Also where this browser gets it as it is: another one might not.
  c.header('vary', 'accept-encoding')
  for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value)
}

export const serveFile = (served: Served): MiddlewareHandler =>
  serveStatic({
    path: served.file.path,
    precompressed: true,
    join: (_root, path = '') => path,
    getContent: async (path) => served.file.contents.get(path) ?? null,
    onFound: (_path, c) => {
      c.status(served.status ?? 200)
      setHeaders(c, served)
    },
  })
