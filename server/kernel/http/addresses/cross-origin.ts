/**
 * Where an app has an API on a hostname of its own, our two pages call it from another origin, with its cookies.
 * Nobody else gets leave, and on the two hostnames of the pages nobody needs it.
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
    // The dialog reads from `date` how far the clock of its machine is off.
    exposeHeaders: ['retry-after', 'date'],
    maxAge: pageLimits.preflightMaxAgeSeconds,
  })
  return (c, next) => (c.get('site') === 'elsewhere' ? allow(c, next) : next())
}
