/**
 * A proxy that the operator did not name hides everybody behind its own address, and whatever is counted by address
 * would then be counted for all of them together. So in production a call with the headers of a proxy that
 * `TRUSTED_PROXIES` does not name is refused, in words for the operator. A visitor who writes such a header has their
 * own call refused and nobody else's.
 *
 * On a laptop it is only said in the log.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { MiddlewareHandler } from 'hono'
import { isLocal } from '../../config.ts'
import type { ServerContext } from '../../context.ts'
import { forwardingLimits } from '../../limits.ts'
import type { HttpEnv } from '../mount.ts'
import { type Address, createNetworkList, isOfOwnNetwork, parseAddress } from './networks.ts'

/** Whoever watches this process asks these, on any hostname and through any proxy. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** What proxies write about the visitor and about how they were called. */
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

  /** Once on a laptop; in production again and again, for it refuses people. */
  function warn(words: string, fields: Readonly<Record<string, string>>): void {
    const before = warned.get(words)
    const now = clock.nowMs()
    if (before !== undefined && (!isProduction || now - before < forwardingLimits.warnEveryMs)) return
    warned.set(words, now)
    log.warn(fields, words)
  }

  return (c, next) => {
    const peer = parseAddress(c.env?.incoming?.socket?.remoteAddress ?? '')
    if (!peer || healthPaths.has(c.req.path)) return next()
    if (isTrusted(peer)) {
      const namesSomebody = c.req.header('x-forwarded-for') !== undefined
      if (isProduction && !namesSomebody) warn(words.namesNobody, { from: nameOf(peer) })
      return next()
    }
    const header = forwardingHeaders.find((name) => c.req.header(name) !== undefined)
    if (header === undefined) return next()
    warn(words.notTrusted, { from: nameOf(peer), header })
    if (!isProduction) return next()
    throw new LatchkeyError(
      'untrusted_proxy',
      `This call carries ${header}, and comes from no proxy that TRUSTED_PROXIES of this server names`,
    )
  }
}

/** Addresses of people are in no log; that of a proxy is one of a network of the operator's own. */
const nameOf = (peer: Address) => (isOfOwnNetwork(peer) ? peer.toString() : 'a public address')

const words = {
  notTrusted:
    'Calls carry the headers of a proxy that TRUSTED_PROXIES does not list. If it is yours, add it: otherwise everybody behind it counts as one visitor',
  namesNobody:
    'A proxy of TRUSTED_PROXIES sends no X-Forwarded-For, so everybody behind it counts as one visitor. Configure it to add the header',
} as const
