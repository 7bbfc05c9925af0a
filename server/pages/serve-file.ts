import type { Context } from 'hono'
import { pageLimits } from '../limits.ts'
import type { BuiltFile, Encoding } from './built-files.ts'

export const immutable = `public, max-age=${pageLimits.immutableMaxAgeSeconds}, immutable`
export const revalidated = 'no-cache'

export function serveFile(
  http: Context,
  file: BuiltFile,
  answer: { readonly cacheControl: string; readonly status?: 200 | 403 },
): Response {
  http.header('cache-control', answer.cacheControl)
  http.header('vary', 'accept-encoding')
  http.header('etag', file.etag)
  const known = http.req.header('if-none-match')?.split(',') ?? []
  if (known.some((tag) => tag.trim() === file.etag)) return http.body(null, 304)
  http.header('content-type', file.type)
  const encoding = bestEncoding(http.req.header('accept-encoding'))
  if (encoding !== 'identity' && file.bytes[encoding] !== file.bytes.identity) {
    http.header('content-encoding', encoding)
  }
  return http.body(file.bytes[encoding], answer.status ?? 200)
}

function bestEncoding(accepted = ''): Encoding {
  const names = accepted
    .split(',')
    .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
    .map((entry) => entry.split(';')[0]?.trim())
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'identity'
}
