/**
 * Who is counted by address.
 *
 * `X-Forwarded-For` is written by anybody, so it counts only as far as it was written by proxies that the
 * operator named: read from the right, the first address that is none of theirs is the visitor. Loopback stands
 * for everybody behind a local proxy, and is not counted.
 */
import { countedAddress, createNetworkList, plainAddress } from './networks.ts'

const isLoopback = createNetworkList(['127.0.0.0/8', '::1'])

export function createClientAddress(trustedProxies: readonly string[]) {
  const isTrusted = createNetworkList(trustedProxies)
  return (socketAddress: string | undefined, forwardedFor: string | undefined): string | undefined => {
    let address = plainAddress(socketAddress ?? '')
    const hops = (forwardedFor ?? '').split(',').map((hop) => plainAddress(hop.trim()))
    while (isTrusted(address)) {
      const next = hops.pop()
      if (!next) break
      address = next
    }
    return address === '' || isLoopback(address) ? undefined : countedAddress(address)
  }
}
