/**
 * Where an app has an API on a hostname of its own, our two pages call it from another origin, with its cookies.
 * Nobody else gets leave, and on the two hostnames of the pages nobody needs it.
 */
import { product } from '@latchkey/protocol'
import type { Context } from 'hono'
import type { ServerConfig } from '../config.ts'
import { pageLimits } from '../limits.ts'
import type { HttpEnv } from './mount.ts'

const allowedHeaders = [
  'authorization',
  'content-type',
  'dpop',
  'farcaster-channel-token',
  ...Object.values(product.headers),
].join(', ')

export function allowFirstPartyPages(http: Context<HttpEnv>, config: ServerConfig): void {
  if (http.get('site') !== 'elsewhere') return
  const origin = http.req.header('origin')
  if (origin !== config.dialogOrigin && origin !== config.walletOrigin) return
  http.header('access-control-allow-origin', origin)
  http.header('access-control-allow-credentials', 'true')
  http.header('access-control-expose-headers', 'retry-after')
  http.header('vary', 'origin')
  http.header('cross-origin-resource-policy', 'cross-origin')
  if (http.req.method !== 'OPTIONS') return
  http.header('access-control-allow-methods', 'GET, POST')
  http.header('access-control-allow-headers', allowedHeaders)
  http.header('access-control-max-age', String(pageLimits.preflightMaxAgeSeconds))
}
