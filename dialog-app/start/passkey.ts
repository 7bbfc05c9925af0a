/** The top-level page for passkey ceremonies that are forbidden in a frame. */

import { browserAuthenticator } from '../webauthn/browser-authenticator.ts'
import { passkeyPage } from '../webauthn/window/passkey-page.ts'
import { startTopPage } from './top-page.ts'

startTopPage(({ name, transport, settings, closePage }) =>
  passkeyPage(
    { transport, authenticator: browserAuthenticator, appName: settings().app.name, closePage },
    name,
  ),
)
