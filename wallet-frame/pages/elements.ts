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

/** Pressed by a person, and by nobody else. */
export function button(className: string, textContent: string, onPress: () => void): HTMLButtonElement {
  const made = make('button', { className, textContent, type: 'button' })
  made.addEventListener('click', ({ isTrusted }) => isTrusted && onPress())
  return made
}
