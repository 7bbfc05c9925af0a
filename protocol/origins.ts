/** Exact origins, and the one wildcard that a development app may list for its preview deployments. */

/** The origin in the form browsers send it, or undefined. Only http and https have one that can be framed. */
export function exactOrigin(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined
  const { origin, protocol } = new URL(value)
  return (protocol === 'https:' || protocol === 'http:') && origin === value ? origin : undefined
}

/** `https://*.preview.example`: one label, at the front, never directly below a top-level domain. */
const wildcardPattern = /^https:\/\/\*(\.[a-z0-9-]+){2,}(:\d{1,5})?$/

export const isOriginWildcard = (value: string) => wildcardPattern.test(value)
export const isListableOrigin = (value: string) => exactOrigin(value) !== undefined || isOriginWildcard(value)

export function originIsListed(origin: string, list: readonly string[]): boolean {
  if (exactOrigin(origin) === undefined) return false
  return list.some((entry) => entry === origin || (isOriginWildcard(entry) && matchesWildcard(origin, entry)))
}

function matchesWildcard(origin: string, wildcard: string): boolean {
  const rest = wildcard.slice('https://*'.length)
  if (!origin.startsWith('https://') || !origin.endsWith(rest)) return false
  const label = origin.slice('https://'.length, origin.length - rest.length)
  return /^[a-z0-9-]+$/.test(label)
}
