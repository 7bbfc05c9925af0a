/** A page that shows one state after the other, each drawn anew. */
import { make } from './elements.ts'

export type Drawing = {
  readonly main: HTMLElement
  readonly draw: (title: string, ...parts: readonly HTMLElement[]) => void
  /** Ends what the present state has begun, when the next one is drawn. */
  readonly until: (end: () => void) => void
  /** Ends it now. */
  readonly settle: () => void
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

export const note = (textContent: string) => make('p', { className: 'note', textContent })
export const lead = (textContent: string) => make('p', { className: 'lead', textContent })
