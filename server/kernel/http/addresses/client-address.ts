/**
 * The client address that rate limits count.
 *
 * Clients can forge `X-Forwarded-For`, so only the entries of trusted proxies are used: the client is the rightmost
 * address that is no trusted proxy. A proxy that forwards no address is counted itself.
 */
import { type Address, createNetworkList, parseAddress, toCountedAddress } from './networks.ts'

export function createClientAddress(trustedProxies: readonly string[]) {
  const findAddress = createAddressFinder(trustedProxies)
  return (socketAddress: string | undefined, forwardedFor: string | undefined): string | undefined => {
    const address = findAddress(socketAddress, forwardedFor)
    return address && toCountedAddress(address)
  }
}

/** Like `createClientAddress`, but returns the whole address. */
export function createAddressFinder(trustedProxies: Parameters<typeof createNetworkList>[0]) {
  const isTrusted = createNetworkList(trustedProxies)
  return (socketAddress: string | undefined, forwardedFor: string | undefined): Address | undefined => {
    let address = parseAddress(socketAddress ?? '')
    const hops = (forwardedFor ?? '').split(',')
    while (address && isTrusted(address)) {
      const next = parseAddress(hops.pop() ?? '')
      if (!next) break
      address = next
    }
    return address
  }
}
