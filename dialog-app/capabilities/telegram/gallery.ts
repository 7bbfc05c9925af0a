import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, picturedEntry, picturedView } from '../../contract/picture.ts'
import { onlyClose } from '../../flow/screen.ts'
import type { EntryProps } from '../../window-login/entry.tsx'
import { failures as failureTexts, type WindowFailure } from '../../window-login/failures.ts'
import { texts } from '../../window-login/texts.arb'
import type { WaitingState } from '../../window-login/use-window-login.ts'
import { WindowWaiting, type WindowWaitingProps } from '../../window-login/waiting-screen.tsx'
import { telegramScreen } from './screens.ts'
import { TelegramEntry, telegramLook } from './telegram-screens.tsx'

const entry = (isAlone: boolean) =>
  picturedEntry(
    texts,
    TelegramEntry,
    (press): EntryProps<'telegram'> => ({ provider: 'telegram', isAlone, onPress: press('press') }),
  )
function waiting(caption: string, state: WaitingState<WindowFailure>): Picture {
  const canGoBack = state.status === 'verifying' || state.status === 'failed'
  return {
    caption: `Telegram, ${caption}`,
    screen: picturedView(
      telegramScreen,
      WindowWaiting,
      (press): WindowWaitingProps => ({
        look: telegramLook,
        state,
        onOpen: press('open'),
        onLeave: press('leave'),
      }),
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
    { caption: 'Telegram', entry: entry(false) },
    { caption: 'Telegram, alone', entry: entry(true) },
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
