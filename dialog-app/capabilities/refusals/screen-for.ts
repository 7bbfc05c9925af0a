import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { RefusalWays } from '../../contract/refusals.ts'
import { done, type Flow } from '../../flow/flow.ts'
import { type ScreenToShow, screen } from '../../flow/screen.ts'
import type { Settings } from '../../host/settings.ts'
import { allowlistState } from './allowlist-text.ts'
import { isRefusedAccount, type RefusedAccount } from './codes.ts'
import { errorState } from './error-text.ts'
import { accountNotFoundScreen, allowlistScreen, errorScreen, userLimitScreen } from './screens.ts'

/** Another account is tried from the start. */
const ownScreens: {
  [code in RefusedAccount]: (settings: Settings, ways: RefusalWays) => ScreenToShow
} = {
  allowlist_rejected: (settings, { startOver }) =>
    screen(allowlistScreen, allowlistState(settings), { retry: startOver }),
  user_does_not_exist: (_settings, { startOver }) => screen(accountNotFoundScreen, {}, { retry: startOver }),
  max_accounts_reached: (_settings, { startOver }) => screen(userLimitScreen, {}, { retry: startOver }),
}

export function screenFor(error: LatchkeyError, settings: Settings, ways: RefusalWays): ScreenToShow {
  if (isRefusedAccount(error.code)) return ownScreens[error.code](settings, ways)
  return screen(errorScreen, errorState(error), { retry: ways.goBack })
}

/** A card that tells of an error by itself, whatever its caller heard; it is gone when it was read. */
export const tellOf =
  (error: unknown, settings: Settings): Flow<void> =>
  (handle) => ({
    kind: 'login',
    run() {
      const end = () => handle.end(done(undefined))
      const problem = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
      handle.go(screenFor(problem, settings, { goBack: end, startOver: end }))
    },
    onClose: () => done(undefined),
  })
