/** The face: draws what the core shows, and sends back what the user does. */
import { createRoot } from 'react-dom/client'
import type { Core } from '../core/view.ts'
import { Face } from './face.tsx'
import './page.css'

/** The answer takes it down again. */
export function mountFace(element: HTMLElement, core: Core): () => void {
  const root = createRoot(element)
  root.render(<Face core={core} />)
  return () => root.unmount()
}
