/** A login attempt at an OAuth provider, with the errors that the login screen shows. */
import { LatchkeyError } from '@latchkey/protocol'
import type { DialogServices } from '../../app/services.ts'
import type { CaptchaPass } from '../../contract/login.ts'
import { type Attempt, starting } from '../../window-login/attempt.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import { beginOAuthWindow, type Grant, type Unconfirmed } from '../../window-login/oauth-window.ts'
import type { OAuthProvider } from './providers.ts'

export type { Grant }

export const beginOAuth = (
  ports: Pick<DialogServices, 'api' | 'clock' | 'settings'>,
  browser: WindowBrowser,
  provider: OAuthProvider['method'],
  pass: CaptchaPass | undefined,
  signal: AbortSignal,
): Attempt<Grant> => beginOAuthWindow(ports, { browser, provider, pass, signal, starting, refusal })

function refusal(why: Unconfirmed): LatchkeyError | undefined {
  if (why === 'incomplete') return undefined
  if (why !== 'mismatch') return new LatchkeyError(why, 'The provider did not confirm it')
  return new LatchkeyError(
    'pkce_state_code_mismatch',
    'Unexpected auth flow. This may be a phishing attempt.',
  )
}
