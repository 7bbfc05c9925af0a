/** The parts of index.html that the scripts touch. A part that is missing is a mistake in the page, said at once. */

const missing = (what: string): never => {
  throw new Error(`The page has no ${what}`)
}

export const byId = (id: string): HTMLElement => document.getElementById(id) ?? missing(`#${id}`)

export const byTestId = (id: string): HTMLElement =>
  document.querySelector<HTMLElement>(`[data-testid="${id}"]`) ?? missing(`test id ${id}`)

export const button = (id: string): HTMLButtonElement => {
  const element = document.getElementById(id) ?? byTestId(id)
  return element instanceof HTMLButtonElement ? element : missing(`button ${id}`)
}

export const metaContent = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? missing(`meta ${name}`)

export const announce = (text: string) => {
  byId('announcer').textContent = text
}

/** 0x71C7656EC7ab88b098defB751B7401B5f6d8976F is read as 0x71C7…976F. */
export const shortened = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`
