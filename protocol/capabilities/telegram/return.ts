import type { TelegramReturn } from './page.ts'

type PageAddress = { readonly href: string }
type History = Pick<globalThis.History, 'state' | 'replaceState'>

/** All of them, or the page's own: `id` alone is nothing of Telegram's. */
const required = ['id', 'hash', 'auth_date']
const optional = ['first_name', 'last_name', 'username', 'photo_url']
/** https://core.telegram.org/bots/webapps, in the part of the address that no server sees. */
const webAppData = 'tgWebAppData'

/** Takes what Telegram put into the address of this page out of it, so that it is not used twice, sent or copied. */
export function takeTelegramReturn(
  { webApp }: { readonly webApp: boolean },
  address: PageAddress = location,
  history: History = globalThis.history,
): TelegramReturn | null {
  const url = new URL(address.href)
  const taken = fromQuery(url) ?? (webApp ? fromFragment(url) : null)
  if (taken) history.replaceState(history.state, '', url)
  return taken
}

function fromQuery({ searchParams }: URL): TelegramReturn | null {
  if (!required.every((name) => searchParams.has(name))) return null
  const fields: Record<string, string> = {}
  for (const name of [...required, ...optional]) {
    const value = searchParams.get(name)
    if (value !== null) fields[name] = value
    searchParams.delete(name)
  }
  return { form: 'login', fields }
}

function fromFragment(url: URL): TelegramReturn | null {
  const fragment = new URLSearchParams(url.hash.slice(1))
  const data = fragment.get(webAppData)
  if (data === null) return null
  fragment.delete(webAppData)
  url.hash = fragment.toString()
  return { form: 'web app', fields: Object.fromEntries(new URLSearchParams(data)) }
}
