import { productKey } from '../names/product.ts'

/**
 * Removes the product's query parameters from the page's URL, so that no code stays in the history or in copied links.
 * Returns them as a query string.
 */
export function takeUrlParameters(): string {
  const url = new URL(location.href)
  const parameters = [...url.searchParams].filter(([name]) => name.startsWith(`${productKey}_`))
  for (const [name] of parameters) url.searchParams.delete(name)
  if (parameters[0]) history.replaceState(history.state, '', url)
  return `${new URLSearchParams(parameters)}`
}
