import type { Capability } from '../../capability.ts'
import { windowFile } from './page.ts'

export const loginWindow: Capability = {
  name: 'login/window',
  pages: [windowFile('/login/window.css', new URL('./page/', import.meta.url), 'window.css')],
}
