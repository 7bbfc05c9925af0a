/** Combines catalogue texts with markup. */
import { html } from 'hono/html'

type Html = ReturnType<typeof html>

/** Marks the position of the element. A private-use character, so texts never contain it. */
const place = '\uE000'

/** Inserts the element into the text, which is escaped. */
export function insertElement(text: (place: string) => string, element: Html): Html {
  const [before = '', after = ''] = text(place).split(place)
  return html`${before}${element}${after}`
}
