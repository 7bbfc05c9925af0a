/**
 * The dialog as the page on which a user logs in who is to connect their wallet to another app:
 *
 *     1. somebody logs in, as anywhere else, but for a wallet: none is named, none is made
 *     2. the secret of that login buys a code, good once and for a minute
 *     3. a form takes the code to the page of the wallet, in this window; the session goes with it
 *
 * What fails is begun anew, with a login.
 */

import { toLatchkeyError } from '@latchkey/protocol'
import { crossAppLimits, handoverRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, exitCodes, type Flow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { AuthorizeState } from './authorize-screen.tsx'
import { authorizeScreen } from './screens.ts'

export type AuthorizationPage = {
  /** What the page of the wallet knows its own request by; undefined where that has not opened this page. */
  state: string | undefined
  /** Of the last login, once: nobody else can take that login over. */
  takeSecret: () => string | undefined
  /** Leaves this page by a form. */
  post: (address: string, fields: Readonly<Record<string, string>>) => void
}

export async function runAuthorization(ports: CapabilityPorts, page: AuthorizationPage): Promise<void> {
  const { stage, logIn, refusals } = ports
  const { state } = page
  if (state === undefined) return stage.begin(openedAlone)
  const { signal } = new AbortController()
  for (;;) {
    try {
      await logIn({ signal })
      await stage.begin(handOver(ports, page, state))
    } catch (error) {
      // Who left a login knows it, and can begin another.
      if (toLatchkeyError(error, 'error', '').code !== exitCodes.login) await refusals.tell(error)
    }
  }
}

/** Ends when its user wants another login. */
const handOver =
  ({ api, session, settings }: CapabilityPorts, page: AuthorizationPage, state: string): Flow<void> =>
  (handle) => {
    function again() {
      // Here at once; nobody waits for the server to hear of it.
      session.logout().catch(() => {})
      handle.end(done(undefined))
    }
    const view = (shown: AuthorizeState) => screen(authorizeScreen, shown, { again })

    async function handOverOnce() {
      const secret = page.takeSecret()
      const known = session.state()
      if (secret === undefined || known.status !== 'authenticated') throw new Error('Nobody has logged in')
      const { code } = await api.call(handoverRoutes.createHandover, { secret }, { signal: handle.signal })
      const { app, walletOrigin } = settings()
      const address = `${walletOrigin}/apps/${app.id}/cross-app/session`
      page.post(address, { code, state, user: known.user.id })
    }

    return {
      kind: 'authorize',
      async run() {
        handle.go(view({ status: 'going' }))
        try {
          await handOverOnce()
        } catch (error) {
          const isLate = toLatchkeyError(error, 'error', '').code === 'device_not_bound'
          return handle.update(view({ status: 'failed', isLate }))
        }
        // The page is on its way out, and this never runs, unless the other one does not come.
        handle.after(crossAppLimits.handoverPageMs, () =>
          handle.update(view({ status: 'failed', isLate: false })),
        )
      },
      onClose: () => done(undefined),
    }
  }

const openedAlone: Flow<void> = (handle) => ({
  kind: 'authorize',
  run: () => handle.go(screen(authorizeScreen, { status: 'alone' }, { again() {} })),
  onClose: () => done(undefined),
})
