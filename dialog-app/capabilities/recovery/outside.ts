/** What recovery meets outside of the dialog: a test has its own. */
import type { WindowBrowser } from '../../window-login/browser.ts'

export type RecoveryOutside = {
  readonly browser?: WindowBrowser | undefined
  readonly hasPrf?: (() => Promise<boolean>) | undefined
}
