/** Creates an element. Sets properties only, so that no text is parsed as markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly HTMLElement[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

const address = /^(?:0x[0-9a-f]{40}|[1-9a-z]{32,44})$/i
/**
 * Inserts break opportunities between groups of four digits. They are elements, so a copied address has no
 * extra characters.
 */
export function withBreaks(text: string): readonly (string | HTMLElement)[] {
  const groups = address.test(text) ? text.match(/^0x.{4}|.{1,4}/g) : null
  return groups ? groups.flatMap((group, at) => (at === 0 ? [group] : [make('wbr', {}), group])) : [text]
}

export function mono(name: 'bdi' | 'dd', text: string): HTMLElement {
  const element = make(name, { className: 'mono', dir: 'ltr' })
  element.append(...withBreaks(text))
  return element
}

/** Creates a button that ignores clicks dispatched by scripts. */
export function button(className: string, textContent: string, onPress: () => void): HTMLButtonElement {
  const element = make('button', { className, textContent, type: 'button' })
  element.addEventListener('click', ({ isTrusted }) => isTrusted && onPress())
  return element
}
