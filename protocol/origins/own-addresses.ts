/**
 * Addresses of the product's own origins. A page of ours acts for whoever opens it, and a link that the dialog draws
 * comes from our own origin: so wherever a host, an operator, a provider or a wallet may name an address, ours is none.
 */

/** On any port, by any scheme: neither sets apart what cookies and windows of ours are. */
export function isOnSameHost(address: string, origins: readonly string[]): boolean {
  const host = hostOf(address)
  return host !== undefined && origins.some((origin) => hostOf(origin) === host)
}

/** A name with a dot at its end is the same host. */
const hostOf = (address: string): string | undefined => URL.parse(address)?.hostname.replace(/\.$/, '')

/** The path of the first text in it that is such an address, in dots. */
export function findOwnAddress(value: unknown, origins: readonly string[]): string | undefined {
  if (typeof value === 'string') return isOnSameHost(value, origins) ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const path = findOwnAddress(inner, origins)
    if (path !== undefined) return path === '' ? name : `${name}.${path}`
  }
  return undefined
}
