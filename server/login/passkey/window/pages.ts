/** The page that a window begins with in which a passkey is asked; the one that asks is the dialog's own. */
import { passkeyLimits } from '@latchkey/protocol'
import type { Page } from '../../../kernel/http/pages/page.ts'
import { startPages, windowCookie } from '../../window/window.ts'
import { refuseWindow } from './window.ts'

/** The cookie by which the page that asks is known; that page is top-level and of this origin. */
export const windowBrowser = windowCookie('passkey', 'Strict')

export const passkeyWindowPages: readonly Page[] = startPages({
  purpose: 'passkey',
  path: '/passkey/start/{handle}',
  async goOn(c, _context, { handle, appId, browser }) {
    windowBrowser.set(c, handle, browser, passkeyLimits.windowSeconds)
    const locale = c.req.query('locale')
    const query = locale === undefined ? '' : `?${new URLSearchParams({ locale })}`
    return { type: 'redirect', to: `/apps/${appId}/passkey/${handle}${query}` }
  },
  fail: refuseWindow,
})
