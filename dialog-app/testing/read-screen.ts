/** Reads the texts of a screen, rendered by its own components. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { ShownScreen } from '../flow/screen.ts'

type WithCard = { view: () => { screen?: ShownScreen | undefined } | undefined }

/** Returns all texts in order. Their catalogue is loaded. */
export const readScreen = (screen: Pick<ShownScreen, 'render'>): readonly string[] =>
  renderToStaticMarkup(screen.render())
    // A text is one entry, wherever its line breaks.
    .replaceAll('<wbr/>', '')
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim())
    .filter((text) => text !== '')

/** Returns the texts of the card: its title, then all other texts in order. */
export function readCard(fixture: WithCard): readonly string[] {
  const screen = fixture.view()?.screen
  if (!screen) throw new Error('No card is shown')
  return readScreen(screen)
}
