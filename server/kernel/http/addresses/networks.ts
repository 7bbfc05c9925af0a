/** Which proxies are ours, and which addresses stand for more than one visitor. */
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = readonly [address: Address, prefix: number]

const { IPv4, IPv6 } = ipaddr

/** An IPv4 address has four decimal parts here: the library also reads octal, hexadecimal and shortened ones. */
const isAddress = (text: string) => IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text)
const isRange = (text: string) => IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text)

/** `10.0.0.0/8`, or an address alone. */
export function parseNetwork(text: string): Network | undefined {
  if (isRange(text)) return unmapped(...ipaddr.parseCIDR(text))
  if (!isAddress(text)) return undefined
  const address = ipaddr.process(text)
  return [address, bitsOf(address)]
}

export function createNetworkList(entries: readonly string[]): (address: Address) => boolean {
  const listed = entries.map((entry) => {
    const network = parseNetwork(entry)
    if (!network) throw new Error(`Not a network: ${entry}`)
    return network
  })
  return (address) =>
    listed.some(([network, prefix]) => address.kind() === network.kind() && address.match(network, prefix))
}

/**
 * Reads an address as a socket or a proxy writes it. An IPv4 address that came over an IPv6 socket reads `::ffff:1.2.3.4` and is
 * the IPv4 address; the interface behind a `%` is one of this machine and says nothing about the visitor.
 */
export function parseAddress(text: string): Address | undefined {
  const [address = ''] = withoutPort(text.trim()).split('%')
  return isAddress(address) ? ipaddr.process(address) : undefined
}

/** Some proxies write the port behind the address: `1.2.3.4:5678`, `[2001:db8::1]:443`, and brackets without one. */
const withoutPort = (text: string) =>
  /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1] ?? /^\[([^\]]+)\](:\d{1,5})?$/.exec(text)?.[1] ?? text

const ownRanges: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
])
/** No visitor comes from one of these over the Internet. */
export const isOfOwnNetwork = (address: Address) => ownRanges.has(address.range())

/** A household has a whole /64 of IPv6 addresses, so that is what is counted. */
export const countedAddress = (address: Address): string =>
  address instanceof IPv6 ? `${new IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64` : address.toString()

const bitsOf = (address: Address) => address.toByteArray().length * 8

/** Visitors are compared as IPv4 addresses, so a network of mapped ones is the IPv4 network. */
function unmapped(address: Address, prefix: number): Network {
  const mappedBits = 96
  return address instanceof IPv6 && address.isIPv4MappedAddress() && prefix >= mappedBits
    ? [address.toIPv4Address(), prefix - mappedBits]
    : [address, prefix]
}
