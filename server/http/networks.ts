/** Which proxies are ours, and which addresses stand for more than one visitor. */
import { BlockList, isIP } from 'node:net'

export type Network = { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' }

/** `10.0.0.0/8`, or an address alone. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return undefined
  const longest = version === 4 ? 32 : 128
  const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  if (!(prefix <= longest)) return undefined
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

export function createNetworkList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const network = parseNetwork(entry)
    if (!network) throw new Error(`Not a network: ${entry}`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** An IPv4 address that came over an IPv6 socket reads `::ffff:1.2.3.4`. */
export const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** A household has a whole /64 of IPv6 addresses, so that is what is counted. */
export function countedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0')
  const groups = [...front, ...middle, ...back].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
