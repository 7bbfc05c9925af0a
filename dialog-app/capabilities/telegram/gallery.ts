import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, pictured, picturedPart } from '../../contract/picture.ts'
import { failures as failureTexts } from '../../window-login/failures.ts'
import type { WaitingState } from '../../window-login/waiting-screen.tsx'
import { telegramEntry, telegramScreen } from './screens.ts'

const provider = 'telegram'
const waiting = (caption: string, state: WaitingState<'telegram'>): Picture => ({
  caption: `Telegram, ${caption}`,
  screen: pictured(telegramScreen, state),
  canGoBack: state.status === 'verifying' || state.status === 'failed',
})
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
    waiting('window to open', { provider, status: 'verifying', window: 'to open' }),
    waiting('window open', { provider, status: 'verifying', window: 'open' }),
    waiting('window closed', { provider, status: 'verifying', window: 'closed' }),
    waiting('no window', { provider, status: 'verifying', window: 'none' }),
    waiting('confirmed', { provider, status: 'confirmed' }),
    waiting('success', { provider, status: 'success' }),
    ...failures.map((code) => waiting(code, { provider, status: 'failed', ...rowFor(failureTexts, code) })),
  ],
}
