import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, picturedPart, picturedView } from '../../contract/picture.ts'
import { onlyClose } from '../../flow/screen.ts'
import { failures as failureTexts, type WindowFailure } from '../../window-login/failures.ts'
import type { WaitingState } from '../../window-login/use-window-login.ts'
import { WindowWaiting, type WindowWaitingProps } from '../../window-login/waiting-screen.tsx'
import { telegramEntry, telegramScreen } from './screens.ts'
import { look } from './telegram-screens.tsx'

const provider = 'telegram'
function waiting(caption: string, state: WaitingState<WindowFailure>): Picture {
  const canGoBack = state.status === 'verifying' || state.status === 'failed'
  return {
    caption: `Telegram, ${caption}`,
    screen: picturedView(
      telegramScreen,
      WindowWaiting,
      (press): WindowWaitingProps => ({ look, state, onOpen: press('open'), onLeave: press('leave') }),
      canGoBack ? undefined : onlyClose,
    ),
    canGoBack,
  }
}
const failures = [
  'linked_to_another_user',
  'invalid_credentials',
  'oauth_user_denied',
  'cannot_link_more_of_type',
  'disallowed_login_method',
] as const

export const pictures: Pictures = {
  entries: [
    { caption: 'Telegram', entry: picturedPart(telegramEntry, { provider, isAlone: false }) },
    { caption: 'Telegram, alone', entry: picturedPart(telegramEntry, { provider, isAlone: true }) },
  ],
  screens: [
    waiting('window to open', { status: 'verifying', window: 'to open' }),
    waiting('window open', { status: 'verifying', window: 'open' }),
    waiting('window closed', { status: 'verifying', window: 'closed' }),
    waiting('no window', { status: 'verifying', window: 'none' }),
    waiting('confirmed', { status: 'confirmed' }),
    waiting('success', { status: 'success' }),
    ...failures.map((code) => waiting(code, { status: 'failed', ...rowFor(failureTexts, code) })),
  ],
}
