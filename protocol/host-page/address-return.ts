/** Takes the parameters of a login method from the page's URL. */
import type { AddressReturn } from '../entities/login-methods.ts'

type PageAddress = { href: string }
type History = Pick<globalThis.History, 'state' | 'replaceState'>
type AddressParameters = {
  form: 'login' | 'web app'
  fields: Readonly<Record<string, string>>
}

/** Removes the parameters from the URL, so that they are not reused, shared or copied. */
export function takeAddressReturn(
  { query, fragment }: AddressReturn,
  { webApp }: { webApp: boolean },
  address: PageAddress = location,
  history: History = globalThis.history,
): AddressParameters | null {
  const url = new URL(address.href)
  const parameters = takeQuery(url, query) ?? (webApp ? takeFragment(url, fragment) : null)
  if (parameters) history.replaceState(history.state, '', url)
  return parameters
}

function takeQuery(
  { searchParams }: URL,
  { required, optional }: AddressReturn['query'],
): AddressParameters | null {
  if (!required.every((name) => searchParams.has(name))) return null
  const fields: Record<string, string> = {}
  for (const name of [...required, ...optional]) {
    const value = searchParams.get(name)
    if (value !== null) fields[name] = value
    searchParams.delete(name)
  }
  return { form: 'login', fields }
}

function takeFragment(url: URL, name: string): AddressParameters | null {
  const fragment = new URLSearchParams(url.hash.slice(1))
  const data = fragment.get(name)
  if (data === null) return null
  fragment.delete(name)
  url.hash = fragment.toString()
  return { form: 'web app', fields: Object.fromEntries(new URLSearchParams(data)) }
}
