/** The entry point of the shell, which draws the view of the core and sends the user's actions. */
import { createRoot } from 'react-dom/client'
import type { Core } from './core.ts'
import { Root } from './root.tsx'
import './page.css'

/** Mounts the shell. The returned function unmounts it. */
export function mountShell(element: HTMLElement, core: Core): () => void {
  const draw = () => root.render(<Root core={core} />)
  const root = createRoot(element, {
    onUncaughtError(cause) {
      reportError(cause)
      import('./lazy/lost.ts').then(
        ({ whenLost }) => whenLost(core, draw)(cause),
        // A reload of the frame rejects the pending calls.
        () => location.reload(),
      )
    },
  })
  draw()
  return () => root.unmount()
}
