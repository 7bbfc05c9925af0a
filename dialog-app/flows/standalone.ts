/** The dialog as a page of its own: it asks until somebody is logged in, then says who, and lets them out. */
import { toLatchkeyError, toUser, type UserRecord } from '@latchkey/protocol'
import type { Session } from '../session/session.ts'
import type { Dialog } from './dialog.ts'
import { errorState } from './error-screen.ts'
import type { Flow, Stage } from './stage.ts'
import type { ScreenView, ViewEvent } from './view-state.ts'

export function runStandalone(ports: {
  readonly session: Session
  readonly dialog: Dialog
  readonly stage: Stage
}): void {
  const { session, dialog, stage } = ports
  const makeFlow = (handle: (event: ViewEvent) => void): Flow => ({ kind: 'login', handle, lost: () => {} })
  let leaving = false

  const view = (status: 'ready' | 'logging-out', user: UserRecord): ScreenView => ({
    name: 'SIGNED_IN',
    state: { status, user: toUser(user) },
  })

  const signedIn = makeFlow((event) => {
    const state = session.state()
    if (event.type !== 'log-out' || state.status !== 'authenticated' || leaving) return
    leaving = true
    stage.update(view('logging-out', state.user))
    session.logout().finally(() => {
      leaving = false
    })
  })

  const failed = makeFlow((event) => {
    if (event.type === 'retry') void stage.close(failed).then(askToLogIn)
  })

  /** Nothing closes a standalone dialog, so a login ends with a user, or could not begin. */
  async function askToLogIn() {
    try {
      await dialog.login()
      await stage.free()
      const state = session.state()
      if (state.status === 'authenticated') stage.open(signedIn, view('ready', state.user))
      else await askToLogIn()
    } catch (error) {
      await stage.free()
      const problem = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
      stage.open(failed, { name: 'ERROR_SCREEN', state: errorState(problem) })
    }
  }

  session.subscribe((state, before) => {
    if (before.status !== 'authenticated' || !stage.isOn(signedIn)) return
    if (state.status === 'authenticated') stage.update(view('ready', state.user))
    else void stage.close(signedIn).then(askToLogIn)
  })
  void askToLogIn()
}
