/**
 * CORS for the dialog and wallet pages. They call the API cross-origin, with cookies, if an app has its own API
 * hostname. No other origin is allowed, and on the two page hostnames CORS is not needed.
 */
import { product } from '@latchkey/protocol'
import { channelTokenHeader } from '@latchkey/protocol/api'
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { ServerConfig } from '../../config.ts'
import { pageLimits } from '../../limits.ts'
import type { HttpEnv } from '../mount.ts'

export function allowFirstPartyPages({
  dialogOrigin,
  walletOrigin,
}: ServerConfig): MiddlewareHandler<HttpEnv> {
  const allow = cors({
    origin: [dialogOrigin, walletOrigin],
    credentials: true,
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: [
      'authorization',
      'content-type',
      'dpop',
      channelTokenHeader,
      ...Object.values(product.headers),
    ],
    // The dialog derives the clock offset of its machine from `date`.
    exposeHeaders: ['retry-after', 'date'],
    maxAge: pageLimits.preflightMaxAgeSeconds,
  })
  return (c, next) => (c.get('site') === 'elsewhere' ? allow(c, next) : next())
}
