/** The face: draws what the core shows, and sends back what the user does. */
import { createRoot } from 'react-dom/client'
import type { Core } from '../core/view.ts'
import { Face } from './face.tsx'
import { whenLost } from './lost.ts'
import './page.css'

/** The answer takes it down again. */
export function mountFace(element: HTMLElement, core: Core): () => void {
  const draw = () => root.render(<Face core={core} />)
  const lost = whenLost(core, draw)
  const root = createRoot(element, {
    onUncaughtError(cause) {
      reportError(cause)
      lost(cause)
    },
  })
  draw()
  return () => root.unmount()
}
