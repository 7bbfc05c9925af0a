/**
 * Detects proxies that are missing from `TRUSTED_PROXIES`. Behind such a proxy all clients share one address, and rate
 * limits would count them as one. In production, a call with forwarding headers from an untrusted peer is therefore
 * rejected with a message for the operator. A client that forges such a header only blocks its own call.
 *
 * On localhost it only logs a warning.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { MiddlewareHandler } from 'hono'
import { isLocal } from '../../config.ts'
import type { ServerContext } from '../../context.ts'
import { forwardingLimits } from '../../limits.ts'
import type { HttpEnv } from '../mount.ts'
import { type Address, createNetworkList, isPrivateAddress, parseAddress } from './networks.ts'

/** Health checks may arrive through any hostname and proxy. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Headers in which proxies describe the client and the original request. */
const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
]

export function checkForwarding({
  config,
  log,
  clock,
}: Pick<ServerContext, 'config' | 'log' | 'clock'>): MiddlewareHandler<HttpEnv> {
  const isTrusted = createNetworkList(config.trustedProxies)
  const isProduction = !isLocal(config)
  const warned = new Map<string, number>()

  /** Warns once on localhost; repeatedly in production, where calls are rejected. */
  function warn(words: string, fields: Readonly<Record<string, string>>): void {
    const lastWarnedAtMs = warned.get(words)
    const now = clock.nowMs()
    if (
      lastWarnedAtMs !== undefined &&
      (!isProduction || now - lastWarnedAtMs < forwardingLimits.warnEveryMs)
    )
      return
    warned.set(words, now)
    log.warn(fields, words)
  }

  return (c, next) => {
    const peer = parseAddress(c.env?.incoming?.socket?.remoteAddress ?? '')
    if (!peer || healthPaths.has(c.req.path)) return next()
    if (isTrusted(peer)) {
      const hasForwardedFor = c.req.header('x-forwarded-for') !== undefined
      if (isProduction && !hasForwardedFor) warn(words.missingForwardedFor, { from: describePeer(peer) })
      return next()
    }
    const header = forwardingHeaders.find((name) => c.req.header(name) !== undefined)
    if (header === undefined) return next()
    warn(words.untrustedProxy, { from: describePeer(peer), header })
    if (!isProduction) return next()
    throw new LatchkeyError(
      'untrusted_proxy',
      `The call has the header ${header}, but comes from no proxy in TRUSTED_PROXIES of this server`,
    )
  }
}

/** Logs must not contain client addresses. A proxy in a private network may be named. */
const describePeer = (peer: Address) => (isPrivateAddress(peer) ? peer.toString() : 'a public address')

const words = {
  untrustedProxy:
    'Calls carry the headers of a proxy that TRUSTED_PROXIES does not list. If it is yours, add it: otherwise everybody behind it counts as one visitor',
  missingForwardedFor:
    'A proxy of TRUSTED_PROXIES sends no X-Forwarded-For, so everybody behind it counts as one visitor. Configure it to add the header',
} as const
