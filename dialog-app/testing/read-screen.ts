/** What a person reads on a screen, drawn by its own components. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ShownPart } from '../flow/screen.ts'
import { ShownPartView } from '../shell/elements/shown-part.tsx'

type WithCard = { view: () => { screen?: ShownPart | undefined } | undefined }

/** Every piece of text, in their order. Its texts are loaded. */
export const readPart = (part: ShownPart): readonly string[] =>
  renderToStaticMarkup(createElement(ShownPartView, { part }))
    // A text is one, wherever it may break.
    .replaceAll('<wbr/>', '')
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim())
    .filter((text) => text !== '')

export async function readScreen(part: ShownPart | undefined): Promise<readonly string[]> {
  if (!part) throw new Error('No screen is shown')
  await part.load('en')
  return readPart(part)
}

/** What a person reads on the card: its title, then every other piece of text, in their order. */
export function readCard(fixture: WithCard): readonly string[] {
  const part = fixture.view()?.screen
  if (!part) throw new Error('No card is shown')
  return readPart(part)
}

/** As the component would: it sends an event by its name. */
export function pressIn(part: ShownPart, event: string, values: readonly unknown[]) {
  const pressed = part.draw((_component, { send }) => {
    Reflect.apply(send, undefined, [event, ...values])
    return true
  })
  if (!pressed) throw new Error('The screen is not loaded')
}
