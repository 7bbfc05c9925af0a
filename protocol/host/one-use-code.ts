import { oneUseCodeParameter } from '../product.ts'

/** Takes a one-use code of a session out of a page's own address, so that none stays in a history or in a copy. */
export function takeOneUseCode(page: {
  readonly location: { readonly href: string }
  readonly history: Pick<History, 'replaceState' | 'state'>
}): string | undefined {
  const url = new URL(page.location.href)
  const code = url.searchParams.get(oneUseCodeParameter)
  if (code === null) return undefined
  url.searchParams.delete(oneUseCodeParameter)
  page.history.replaceState(page.history.state, '', url)
  return code || undefined
}
