/** The shell: draws what the core shows, and sends back what the user does. */
import { createRoot } from 'react-dom/client'
import type { Core } from './core.ts'
import { Root } from './root.tsx'
import './page.css'

/** The answer takes it down again. */
export function mountShell(element: HTMLElement, core: Core): () => void {
  const draw = () => root.render(<Root core={core} />)
  const root = createRoot(element, {
    onUncaughtError(cause) {
      reportError(cause)
      import('./lazy/lost.ts').then(
        ({ whenLost }) => whenLost(core, draw)(cause),
        // Whoever waits behind a frame that is loaded anew is told so.
        () => location.reload(),
      )
    },
  })
  draw()
  return () => root.unmount()
}
