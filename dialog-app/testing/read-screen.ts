/** Reads the texts of a screen, rendered by its own components. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ShownPart } from '../flow/screen.ts'
import { ShownPartView } from '../shell/elements/shown-part.tsx'

type WithCard = { view: () => { screen?: ShownPart | undefined } | undefined }

/** Returns all texts in order. Their catalogue is loaded. */
export const readPart = (part: ShownPart): readonly string[] =>
  renderToStaticMarkup(createElement(ShownPartView, { part }))
    // A text is one entry, wherever its line breaks.
    .replaceAll('<wbr/>', '')
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim())
    .filter((text) => text !== '')

export async function readScreen(part: ShownPart | undefined): Promise<readonly string[]> {
  if (!part) throw new Error('No screen is shown')
  await part.load('en')
  return readPart(part)
}

/** Returns the texts of the card: its title, then all other texts in order. */
export function readCard(fixture: WithCard): readonly string[] {
  const part = fixture.view()?.screen
  if (!part) throw new Error('No card is shown')
  return readPart(part)
}

/** Sends an event by its name, like the component. */
export function pressIn(part: ShownPart, event: string, values: readonly unknown[]) {
  const pressed = part.draw((_component, { send }) => {
    Reflect.apply(send, undefined, [event, ...values])
    return true
  })
  if (!pressed) throw new Error('The screen is not loaded')
}
