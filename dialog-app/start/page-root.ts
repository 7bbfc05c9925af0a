/** Where the page draws. */
export const pageRoot = (): HTMLElement => document.getElementById('root') ?? document.body

/** Where nothing can be drawn in the app's own clothes: plain words, and a link that loads the page anew. */
export const sayPlainly = (words: string, again: string): void =>
  pageRoot().replaceChildren(
    Object.assign(document.createElement('p'), { role: 'alert', textContent: words }),
    Object.assign(document.createElement('a'), { href: '', textContent: again }),
  )
