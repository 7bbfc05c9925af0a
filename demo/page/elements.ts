/**
 * Access to the elements of index.html and the behavior of its buttons. A missing element throws immediately.
 */

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

/** Runs a button's action. Meanwhile the button shows progress, keeps its width and ignores clicks. */
export const whileBusy = async (button: HTMLButtonElement, action: () => Promise<void>) => {
  if (button.ariaBusy === 'true') return
  button.ariaBusy = 'true'
  try {
    await action()
  } finally {
    button.ariaBusy = null
  }
}

const shownMs = 1_600

/** Copies the current value on click and confirms it on the button. */
export const copiesOnClick = (button: HTMLButtonElement, read: () => string) => {
  const label = button.firstChild
  const text = label?.textContent ?? ''
  let resetting: ReturnType<typeof setTimeout> | undefined
  const say = (word: string) => {
    if (label !== null) label.textContent = word
  }
  button.addEventListener('click', async () => {
    clearTimeout(resetting)
    const copied = await navigator.clipboard.writeText(read()).then(
      () => true,
      () => false,
    )
    say(copied ? 'Copied' : 'Not copied')
    announce(copied ? 'Copied' : 'The browser did not allow copying')
    resetting = setTimeout(() => say(text), shownMs)
  })
}
