/** The page on which a passkey is asked that no frame may ask. */

import { browserAuthenticator } from '../webauthn/browser-authenticator.ts'
import { passkeyPage } from '../webauthn/window/page-flow.ts'
import { startTopPage } from './top-page.ts'

startTopPage(({ name, transport, settings, closePage }) =>
  passkeyPage(
    { transport, authenticator: browserAuthenticator, appName: settings().app.name, closePage },
    name,
  ),
)
