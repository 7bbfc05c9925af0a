/** The element that the page renders into. */
export const pageRoot = (): HTMLElement => document.getElementById('root') ?? document.body

/** Shows plain text and a reload link if the app's own UI cannot be rendered. */
export const sayPlainly = (words: string, again: string): void =>
  pageRoot().replaceChildren(
    Object.assign(document.createElement('p'), { role: 'alert', textContent: words }),
    Object.assign(document.createElement('a'), { href: '', textContent: again }),
  )
