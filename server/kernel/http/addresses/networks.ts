/** Parsing of IP addresses and networks. */
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = readonly [address: Address, prefix: number]

const { IPv4, IPv6 } = ipaddr

/** Requires four decimal parts. The library would also accept octal, hexadecimal and shortened addresses. */
const isAddress = (text: string) => IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text)
const isRange = (text: string) => IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text)

/** Parses `10.0.0.0/8` or a single address. */
export function parseNetwork(text: string): Network | undefined {
  if (isRange(text)) return toIpv4Network(...ipaddr.parseCIDR(text))
  if (!isAddress(text)) return undefined
  const address = ipaddr.process(text)
  return [address, countBits(address)]
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
 * Parses an address from a socket or a proxy header. An IPv4-mapped address (`::ffff:1.2.3.4`) becomes the IPv4
 * address. The zone after a `%` is an interface of this machine and is ignored.
 */
export function parseAddress(text: string): Address | undefined {
  const [address = ''] = stripPort(text.trim()).split('%')
  return isAddress(address) ? ipaddr.process(address) : undefined
}

/** Removes the port that some proxies append: `1.2.3.4:5678`, `[2001:db8::1]:443`; also removes plain brackets. */
const stripPort = (text: string) =>
  /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1] ?? /^\[([^\]]+)\](:\d{1,5})?$/.exec(text)?.[1] ?? text

const ownRanges: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
])
/** Returns whether the address is private. Clients never reach us from such an address over the Internet. */
export const isPrivateAddress = (address: Address) => ownRanges.has(address.range())

/** Returns the unit that rate limits count: an IPv4 address, or the /64 network that an IPv6 household owns. */
export const toCountedAddress = (address: Address): string =>
  address instanceof IPv6 ? `${new IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64` : address.toString()

const countBits = (address: Address) => address.toByteArray().length * 8

/** Converts an IPv4-mapped network to IPv4, because client addresses are compared as IPv4. */
function toIpv4Network(address: Address, prefix: number): Network {
  const mappedBits = 96
  return address instanceof IPv6 && address.isIPv4MappedAddress() && prefix >= mappedBits
    ? [address.toIPv4Address(), prefix - mappedBits]
    : [address, prefix]
}
