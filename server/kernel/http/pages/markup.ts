/** Texts of a catalogue as markup. */
import { html } from 'hono/html'

type Html = ReturnType<typeof html>

/** Stands in a text where the element is to be; nobody can write it, since it is private to Unicode's users. */
const place = '\uE000'

/** What is around `element` is text and is escaped. */
export function around(text: (place: string) => string, element: Html): Html {
  const [before = '', after = ''] = text(place).split(place)
  return html`${before}${element}${after}`
}
