/** Draws a page that shows one state at a time. */
import { make } from './elements.ts'

export type Drawing = {
  main: HTMLElement
  draw: (title: string, ...parts: readonly HTMLElement[]) => void
  /** Registers a cleanup that runs when the next state is drawn. */
  until: (end: () => void) => void
  /** Runs the cleanup now. */
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
      // The heading takes the focus: it is announced, and a pending key press triggers no button.
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
 * Renders the requester: the app's own name, with its first letter as a logo, because these pages load no
 * images. The origin is the one that the browser reports.
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
