/** Elements of a page: without a framework, and by properties alone, so that no text becomes markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly HTMLElement[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

const address = /^(?:0x[0-9a-f]{40}|[1-9a-z]{32,44})$/i
/**
 * An address breaks between groups of four digits, where people read it, and nowhere else. The breaks are no
 * characters: what is copied is the address.
 */
export function withBreaks(text: string): readonly (string | HTMLElement)[] {
  const groups = address.test(text) ? text.match(/^0x.{4}|.{1,4}/g) : null
  return groups ? groups.flatMap((group, at) => (at === 0 ? [group] : [make('wbr', {}), group])) : [text]
}

export function mono(name: 'bdi' | 'dd', text: string): HTMLElement {
  const made = make(name, { className: 'mono', dir: 'ltr' })
  made.append(...withBreaks(text))
  return made
}

/** Pressed by a person, and by nobody else. */
export function button(className: string, textContent: string, onPress: () => void): HTMLButtonElement {
  const made = make('button', { className, textContent, type: 'button' })
  made.addEventListener('click', ({ isTrusted }) => isTrusted && onPress())
  return made
}
