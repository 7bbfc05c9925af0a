/** A one-use code in the page's own URL: taken out of the address before anything else happens. */
import { product } from '@latchkey/protocol'

export function takeOneUseCode(page: {
  readonly location: { readonly href: string }
  readonly history: Pick<History, 'replaceState' | 'state'>
}): string | undefined {
  const url = new URL(page.location.href)
  const code = url.searchParams.get(product.query.token)
  if (code === null) return undefined
  url.searchParams.delete(product.query.token)
  page.history.replaceState(page.history.state, '', url)
  return code || undefined
}
