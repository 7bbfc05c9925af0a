/** A page that shows one state after the other, each drawn anew. */
import { make } from './elements.ts'

export type Drawing = {
  main: HTMLElement
  draw: (title: string, ...parts: readonly HTMLElement[]) => void
  /** Ends what the present state has begun, when the next one is drawn. */
  until: (end: () => void) => void
  /** Ends it now. */
  settle: () => void
}

export function createDrawing(document: Document): Drawing {
  const main = make('main', {})
  document.body.replaceChildren(main)
  let end = () => {}
  function settle() {
    end()
    end = () => {}
  }
  return {
    main,
    settle,
    draw(title, ...parts) {
      settle()
      document.title = title
      // Announced, and no button: a key that is on its way presses nothing.
      const heading = make('h1', { textContent: title, tabIndex: -1 })
      main.replaceChildren(heading, ...parts)
      heading.focus()
    },
    until(run) {
      end = run
    },
  }
}

/**
 * Who asks: the name is what the app says of itself, with its first letter as the mark of an app without a logo, since
 * these pages load no picture; the origin is what the browser vouches for.
 */
export function requesterLine(appName: string, origin: string | null = null): HTMLElement {
  const name = make('bdi', { className: 'app', textContent: appName })
  const [first] = new Intl.Segmenter().segment(appName.trim())
  name.dataset.letter = first?.segment.toLocaleUpperCase() ?? ''
  const whole = make('p', { className: 'requester' }, name)
  if (origin !== null)
    whole.append(make('bdi', { textContent: origin.replace(/^https:\/\//, ''), dir: 'ltr' }))
  return whole
}

export const note = (textContent: string) => make('p', { className: 'note', textContent })
export const lead = (textContent: string) => make('p', { className: 'lead', textContent })
