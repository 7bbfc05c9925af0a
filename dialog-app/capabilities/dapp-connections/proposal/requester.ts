/** The name and origin that a dapp claims, sanitized for display. */
import { confirmLimits, exactOrigin, isOnSameHost } from '@latchkey/protocol'
import { type RelayedRequester, relayedRequester } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { DappMetadata } from '../dapp-client.ts'

/** Whitespace and invisible characters, including those that change the text direction. */
const unseen = /[\p{C}\p{Z}]+/gu

/** Returns undefined for a dapp without a valid origin, or with one of `ours`. */
export function requesterOf(
  { name, url }: DappMetadata,
  ours: readonly string[],
): RelayedRequester | undefined {
  const origin = exactOrigin(URL.parse(url)?.origin ?? '')
  if (origin === undefined || isOnSameHost(origin, ours)) return undefined
  const { host, hostname, protocol } = new URL(origin)
  const isOfThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isOfThisMachine) return undefined
  const label = [...name.replace(unseen, ' ').trim()].slice(0, confirmLimits.maxRequesterName / 2).join('')
  const read = v.safeParse(relayedRequester, { name: label === '' ? host : label, url: origin })
  return read.success ? read.output : undefined
}
