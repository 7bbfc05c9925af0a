/** The start page of a passkey window. The dialog's own page performs the ceremony. */
import { passkeyLimits } from '@latchkey/protocol'
import type { Page } from '../../../kernel/http/pages/page.ts'
import { startPages, windowCookie } from '../../window/window.ts'
import { refuseWindow } from './window.ts'

/** The cookie that identifies the ceremony page, which is top-level and same-origin. */
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
