/** Serves files from memory. `hono/serve-static` negotiates the encoding and sets the content type. */
import type { Context, MiddlewareHandler } from 'hono'
import { serveStatic } from 'hono/serve-static'
import type { BuiltFile } from '../../kernel/built-files.ts'
import { pageLimits } from '../../kernel/limits.ts'

const cacheControls = {
  immutable: `public, max-age=${pageLimits.immutableMaxAgeSeconds}, immutable`,
  loaderAlias: `public, max-age=${pageLimits.loaderAliasMaxAgeSeconds}`,
  revalidated: 'no-cache',
  /** Also disables the back/forward cache, for pages with one-time content or content of one user. */
  never: 'no-store',
} as const

export type Served = {
  file: BuiltFile
  cache: keyof typeof cacheControls
  headers?: Readonly<Record<string, string>>
  status?: 403
}

/** Returns a 304 if the browser's copy is current. The headers of the 304 replace those of the cached copy. */
export function notModified(c: Context, served: Served): Response | undefined {
  const ifNoneMatch = c.req.header('if-none-match')
  if (
    ifNoneMatch === undefined ||
    served.status !== undefined ||
    served.cache === 'never' ||
    !matchesEtag(served.file.etag, ifNoneMatch)
  )
    return undefined
  setHeaders(c, served)
  return c.body(null, 304)
}

/** Weak comparison: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
const matchesEtag = (etag: string, known: string) =>
  known === '*' || known.split(',').some((one) => opaqueTag(one.trim()) === opaqueTag(etag))
const opaqueTag = (etag: string) => etag.replace(/^W\//, '')

function setHeaders(c: Context, { file, cache, headers }: Served): void {
  c.header('cache-control', cacheControls[cache])
  if (cache !== 'never') c.header('etag', file.etag)
  // Required on uncompressed responses too, for shared caches.
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
