/**
 * The flow of the passkey window. The page has a handle, but neither a session nor the secret of the attempt. Each
 * press starts the device prompt, and the page is answered once.
 */
import { dialogLimits } from '@latchkey/protocol'
import type { Transport } from '../../api/transport.ts'
import { openOnPage } from '../../app/screen-stack.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { type Authenticator, notAllowed } from '../authenticator.ts'
import { passkeyPageScreen } from './screens.ts'

export type PagePorts = {
  transport: Transport
  authenticator: Authenticator
  appName: string
  /** Closes the window if the browser allows it. */
  closePage: () => void
}

export const passkeyPage =
  ({ closePage, ...ports }: PagePorts, ceremonyHandle: string): Flow<void> =>
  (handle) => ({
    kind: 'passkey',
    async run() {
      await openOnPage(handle, passkeyPageScreen, { ...ports, ceremonyHandle, signal: handle.signal })
      handle.settle(done(undefined))
      handle.after(dialogLimits.successCloseMs, closePage)
    },
    onClose: () => failed(notAllowed()),
  })
