/** `hono/serve-static` chooses the encoding and the type; the files lie in memory. */
import type { MiddlewareHandler } from 'hono'
import { serveStatic } from 'hono/serve-static'
import { pageLimits } from '../limits.ts'
import type { BuiltFile } from './built-files.ts'

export const cacheControls = {
  immutable: `public, max-age=${pageLimits.immutableMaxAgeSeconds}, immutable`,
  loaderAlias: `public, max-age=${pageLimits.loaderAliasMaxAgeSeconds}`,
  revalidated: 'no-cache',
} as const

export type Served = {
  readonly file: BuiltFile
  readonly cache: keyof typeof cacheControls
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: 403
}

export const serveFile = ({ file, cache, headers, status }: Served): MiddlewareHandler =>
  serveStatic({
    path: file.path,
    precompressed: true,
    join: (_root, path = '') => path,
    getContent: async (path) => file.contents.get(path) ?? null,
    onFound: (_path, c) => {
      c.status(status ?? 200)
      c.header('cache-control', cacheControls[cache])
      c.header('etag', file.etag)
      // Also where this browser gets it as it is: another one might not.
      c.header('vary', 'accept-encoding')
      for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value)
    },
  })
