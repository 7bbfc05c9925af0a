import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, picturedEntry, picturedView } from '../../contract/picture.ts'
import { onlyClose } from '../../flow/screen.ts'
import type { EntryProps, ProviderLook } from '../../window-login/entry.tsx'
import { failures as failureTexts, type WindowFailure } from '../../window-login/failures.ts'
import { texts } from '../../window-login/texts.arb'
import type { WaitingState } from '../../window-login/use-window-login.ts'
import { WindowWaiting, type WindowWaitingProps } from '../../window-login/waiting-screen.tsx'
import { InAppBrowserView, type InAppBrowserViewProps, ProviderEntry } from './oauth-screens.tsx'
import { lookOf, type SocialProvider } from './providers.ts'
import { awaitingScreen, inAppBrowserScreen } from './screens.ts'

const entry = (provider: SocialProvider, isAlone = false) =>
  picturedEntry(
    texts,
    ProviderEntry,
    (press): EntryProps<ProviderLook> => ({ provider: lookOf(provider), isAlone, onPress: press('press') }),
  )
function awaiting(
  caption: string,
  { provider, ...state }: { provider: SocialProvider } & WaitingState<WindowFailure>,
): Picture {
  const canGoBack = state.status === 'verifying' || state.status === 'failed'
  return {
    caption: `OAuth, ${caption}`,
    screen: picturedView(
      awaitingScreen,
      WindowWaiting,
      (press): WindowWaitingProps => ({
        look: lookOf(provider),
        state,
        onOpen: press('open'),
        onLeave: press('leave'),
      }),
      canGoBack ? undefined : onlyClose,
    ),
    canGoBack,
  }
}

const provider = 'google'
const failures = {
  linked_to_another_user: 'google',
  invalid_credentials: 'apple',
  oauth_user_denied: 'github',
  too_many_requests: 'discord',
  oauth_account_suspended: 'twitter',
  cannot_link_more_of_type: 'spotify',
  oauth_unexpected: 'linkedin',
  pkce_state_code_mismatch: 'tiktok',
  disallowed_login_method: 'instagram',
} as const

export const pictures: Pictures = {
  entries: [
    { caption: 'Google', entry: entry('google') },
    { caption: 'X, alone', entry: entry('twitter', true) },
  ],
  screens: [
    awaiting('window to open', { provider, status: 'verifying', window: 'to open' }),
    awaiting('window open', { provider, status: 'verifying', window: 'open' }),
    awaiting('page leaving', { provider: 'discord', status: 'verifying', window: 'leaving' }),
    awaiting('window closed', { provider: 'apple', status: 'verifying', window: 'closed' }),
    awaiting('no window', { provider: 'linkedin', status: 'verifying', window: 'none' }),
    awaiting('no window, digits', {
      provider: 'google',
      status: 'verifying',
      window: 'none',
      digits: '42',
    }),
    awaiting('confirmed', { provider: 'tiktok', status: 'confirmed' }),
    awaiting('success', { provider, status: 'success' }),
    ...Object.entries(failures).map(([code, of]) =>
      awaiting(code, {
        provider: of,
        status: 'failed',
        ...rowFor(failureTexts, code as keyof typeof failures),
      }),
    ),
    {
      caption: 'In-app browser',
      screen: picturedView(
        inAppBrowserScreen,
        InAppBrowserView,
        (press): InAppBrowserViewProps => ({ provider: lookOf(provider), onLeave: press('leave') }),
      ),
      canGoBack: true,
    },
  ],
}
