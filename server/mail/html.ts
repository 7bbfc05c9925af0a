/** HTML with every inserted text escaped: what an app calls itself is never markup. */
export type Html = { readonly html: string }

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

export function html(parts: TemplateStringsArray, ...inserted: readonly (string | Html)[]): Html {
  const texts = inserted.map((value) => (typeof value === 'string' ? escaped(value) : value.html))
  return { html: parts.reduce((all, part, index) => all + (texts[index - 1] ?? '') + part) }
}

export const nothing: Html = { html: '' }
