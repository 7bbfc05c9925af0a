/**
 * Detects URLs of the product's own origins. Own pages act for the user who opens them, and links in the dialog look
 * trustworthy. So hosts, operators, providers and wallets may not supply such URLs.
 */

/** Compares hostnames only: ports and schemes do not separate cookies or windows. */
export function isOnSameHost(address: string, origins: readonly string[]): boolean {
  const host = getHost(address)
  return host !== undefined && origins.some((origin) => getHost(origin) === host)
}

/** Removes a trailing dot, which denotes the same host. */
const getHost = (address: string): string | undefined => URL.parse(address)?.hostname.replace(/\.$/, '')

/** Returns the dotted path of the first own URL in the value, or undefined. */
export function findOwnAddress(value: unknown, origins: readonly string[]): string | undefined {
  if (typeof value === 'string') return isOnSameHost(value, origins) ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const path = findOwnAddress(inner, origins)
    if (path !== undefined) return path === '' ? name : `${name}.${path}`
  }
  return undefined
}
