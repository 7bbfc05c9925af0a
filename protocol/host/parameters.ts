import { productKey } from '../names/product.ts'

/**
 * Takes every parameter that begins with our name out of this page's address, so that no code stays in a history or in
 * a copy. As a query again, for whoever knows what they mean; empty where there is none.
 */
export function takeUrlParameters(): string {
  const url = new URL(location.href)
  const taken = [...url.searchParams].filter(([name]) => name.startsWith(`${productKey}_`))
  for (const [name] of taken) url.searchParams.delete(name)
  if (taken[0]) history.replaceState(history.state, '', url)
  return `${new URLSearchParams(taken)}`
}
