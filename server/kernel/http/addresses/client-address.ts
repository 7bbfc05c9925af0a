/**
 * Who is counted by address.
 *
 * `X-Forwarded-For` is written by anybody, so it counts only as far as it was written by proxies that the
 * operator named: read from the right, the first address that is none of theirs is the visitor. A proxy that
 * names no address is counted itself.
 */
import { countedAddress, createNetworkList, parseAddress } from './networks.ts'

export function createClientAddress(trustedProxies: readonly string[]) {
  const isTrusted = createNetworkList(trustedProxies)
  return (socketAddress: string | undefined, forwardedFor: string | undefined): string | undefined => {
    let address = parseAddress(socketAddress ?? '')
    const hops = (forwardedFor ?? '').split(',')
    while (address && isTrusted(address)) {
      const next = parseAddress(hops.pop() ?? '')
      if (!next) break
      address = next
    }
    return address && countedAddress(address)
  }
}
