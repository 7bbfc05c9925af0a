import type { ErrorCode } from '@latchkey/protocol'
import { defineCapability } from '../../core/capability.ts'
import type { RefusalWays } from '../../core/refusals.ts'
import { type ScreenToShow, screen } from '../../core/screen.ts'
import type { Settings } from '../../core/settings.ts'
import { allowlistState } from './allowlist-text.ts'
import { errorState } from './error-text.ts'
import { accountNotFoundScreen, allowlistScreen, errorScreen, userLimitScreen } from './screens.ts'

type OwnScreen = (settings: Settings, ways: RefusalWays) => ScreenToShow

/** Somebody may not come in with this account: another one is tried from the start. */
const ownScreens: { readonly [code in ErrorCode]?: OwnScreen } = {
  allowlist_rejected: (settings, { startOver }) =>
    screen(allowlistScreen, allowlistState(settings), { retry: startOver }),
  user_does_not_exist: (_settings, { startOver }) => screen(accountNotFoundScreen, {}, { retry: startOver }),
  max_accounts_reached: (_settings, { startOver }) => screen(userLimitScreen, {}, { retry: startOver }),
}

export const refusals = defineCapability({
  name: 'refusals',
  screens: [errorScreen, allowlistScreen, accountNotFoundScreen, userLimitScreen],
  loadedFor: 'visitors',
  bring: ({ settings }) => ({
    refusals: {
      hasOwnScreen: (code) => ownScreens[code] !== undefined,
      screenFor: (error, ways) =>
        ownScreens[error.code]?.(settings(), ways) ??
        screen(errorScreen, errorState(error), { retry: ways.goBack }),
    },
  }),
})
