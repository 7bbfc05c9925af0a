/**
 * The dialog as the page on which a user logs in to connect their wallet to another app:
 *
 *     1. The user logs in. The login names no wallet and creates none.
 *     2. The secret of the login buys a one-time code, valid for a minute.
 *     3. A form posts the code to the wallet page, in this window, and the session moves there.
 *
 * After a failure the user logs in again.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import { handoverRoutes } from '@latchkey/protocol/api'
import { createCall } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, exitCodes } from '../../flow/flow.ts'
import { authorizeScreen } from './screens.ts'

export type AuthorizationPage = {
  /** The state that the wallet page expects. Undefined if no wallet page opened this page. */
  state: string | undefined
  /** Returns the secret of the latest login once. It proves that the login took place on this page. */
  takeSecret: () => string | undefined
  /** Submits a form, which leaves this page. */
  post: (address: string, fields: Readonly<Record<string, string>>) => void
}

export async function runAuthorization(ports: CapabilityPorts, page: AuthorizationPage): Promise<void> {
  const { stage, session, logIn, refusals } = ports
  const { state } = page
  /** Resolves when the user wants to log in again. */
  const show = (handOver?: (signal: AbortSignal) => Promise<void>) =>
    stage.begin(
      createCall<void>(ports, { kind: 'authorize', onClose: () => done(undefined) }, ({ open, signal }) => {
        const handover = handOver?.(signal)
        // The screen handles the error when it opens.
        handover?.catch(() => {})
        return open(authorizeScreen, { handover })
      }),
    )

  if (state === undefined) return show()
  for (;;) {
    try {
      await logIn({ signal: new AbortController().signal })
      await show((signal) => handOver(ports, page, state, signal))
      // Ends here immediately. The server is informed later.
      session.logout().catch(() => {})
    } catch (error) {
      // After a cancelled login, the next one begins.
      if (toLatchkeyError(error, 'error', '').code !== exitCodes.login) await refusals.tell(error)
    }
  }
}

async function handOver(
  { api, session, settings }: CapabilityPorts,
  page: AuthorizationPage,
  state: string,
  signal: AbortSignal,
): Promise<void> {
  const secret = page.takeSecret()
  const sessionState = session.state()
  if (secret === undefined || sessionState.status !== 'authenticated') throw new Error('No user is logged in')
  const { code } = await api.call(handoverRoutes.createHandover, { secret }, { signal })
  const { app, walletOrigin } = settings()
  const address = `${walletOrigin}/apps/${app.id}/cross-app/session`
  page.post(address, { code, state, user: sessionState.user.id })
}
