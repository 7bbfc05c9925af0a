/** Shows errors on their screens: on the card of a running flow, or on a card of their own. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { createCall, pushOnCard } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { AfterError } from '../../contract/refusals.ts'
import { type CardHandle, done } from '../../flow/flow.ts'
import { isRefusedAccount } from './codes.ts'
import {
  accountNotFoundScreen,
  allowlistScreen,
  errorScreen,
  loginDeniedScreen,
  userLimitScreen,
} from './screens.ts'

const accountScreens = {
  allowlist_rejected: allowlistScreen,
  login_denied: loginDeniedScreen,
  user_does_not_exist: accountNotFoundScreen,
  max_accounts_reached: userLimitScreen,
}

const screenFor = ({ code }: LatchkeyError) => (isRefusedAccount(code) ? accountScreens[code] : errorScreen)

export const showError = (
  services: DialogServices,
  card: CardHandle,
  error: LatchkeyError,
): Promise<AfterError> => pushOnCard(services, card, screenFor(error), { error })

/** A call that only shows the error. */
export function createErrorCall(services: DialogServices, cause: unknown) {
  const error = toLatchkeyError(cause, 'unknown_auth_error', 'Something went wrong')
  return createCall<void>(services, { kind: 'login', onClose: () => done(undefined) }, async ({ open }) => {
    await open(screenFor(error), { error })
  })
}
