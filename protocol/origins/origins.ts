/** Exact origins, and the wildcard that a development app may list for preview deployments. */

/** URL hosts may contain `*`, `;` and `,`, which have a meaning in policy headers, so they are rejected. */
const originPattern = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/

/** Returns the origin as browsers serialize it, or undefined. Only http and https origins can be framed. */
export function exactOrigin(value: string): string | undefined {
  if (!originPattern.test(value) || !URL.canParse(value)) return undefined
  return new URL(value).origin === value ? value : undefined
}

/** `https://*.preview.example`: one leading label, never directly below a top-level domain. */
const wildcardPattern = /^https:\/\/\*(\.[a-z0-9-]+){2,}(:\d{1,5})?$/

export const isOriginWildcard = (value: string) => wildcardPattern.test(value)
export const isListableOrigin = (value: string) => exactOrigin(value) !== undefined || isOriginWildcard(value)

export function isOriginListed(origin: string, list: readonly string[]): boolean {
  if (exactOrigin(origin) === undefined) return false
  return list.some((entry) => entry === origin || (isOriginWildcard(entry) && matchesWildcard(origin, entry)))
}

function matchesWildcard(origin: string, wildcard: string): boolean {
  const rest = wildcard.slice('https://*'.length)
  if (!origin.startsWith('https://') || !origin.endsWith(rest)) return false
  const label = origin.slice('https://'.length, origin.length - rest.length)
  return /^[a-z0-9-]+$/.test(label)
}
