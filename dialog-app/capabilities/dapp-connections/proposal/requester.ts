/** Who a dapp says it is, cut to what is shown and sent: its name, and its origin. */
import { confirmLimits, exactOrigin, isOnSameHost } from '@latchkey/protocol'
import { type RelayedRequester, relayedRequester } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { DappMetadata } from '../dapp-client.ts'

/** What can not be seen, or turns what is around it. */
const unseen = /[\p{C}\p{Z}]+/gu

/** Undefined for one that says no address, or one of ours or of the page that it is asked in. */
export function requesterOf(
  { name, url }: DappMetadata,
  ours: readonly string[],
): RelayedRequester | undefined {
  const origin = exactOrigin(URL.parse(url)?.origin ?? '')
  if (origin === undefined || isOnSameHost(origin, ours)) return undefined
  const { host, hostname, protocol } = new URL(origin)
  const isOfThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isOfThisMachine) return undefined
  const said = [...name.replace(unseen, ' ').trim()].slice(0, confirmLimits.maxRequesterName / 2).join('')
  const read = v.safeParse(relayedRequester, { name: said === '' ? host : said, url: origin })
  return read.success ? read.output : undefined
}
