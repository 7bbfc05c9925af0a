/** The dialog as a page of its own: it asks until somebody is logged in, then says who, and lets them out. */
import { toLatchkeyError, toUser, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, exitCodes, type Flow, type FlowHandle } from '../../core/flow.ts'
import { screen } from '../../core/screen.ts'
import { signedInScreen } from './screens.ts'

/** Nothing closes a standalone dialog, so a login ends with a user, or could not begin. */
export async function runStandalone(ports: CapabilityPorts): Promise<never> {
  const { stage, logIn, refusals } = ports
  const untilLogout = createSignedIn(ports)
  const { signal } = new AbortController()
  for (;;) {
    try {
      await logIn({ signal })
      await stage.begin(untilLogout)
    } catch (error) {
      // Who left a login knows it, and can begin another.
      if (toLatchkeyError(error, 'error', '').code !== exitCodes.login) await refusals.tell(error)
    }
  }
}

function createSignedIn({ session }: CapabilityPorts): Flow<void> {
  let present: FlowHandle<void> | undefined

  function view(status: 'ready' | 'logging-out', user: UserRecord) {
    const logOut = () => {
      if (status === 'logging-out') return
      present?.update(view('logging-out', user))
      session.logout().catch(() => present?.update(view('ready', user)))
    }
    return screen(signedInScreen, { status, user: toUser(user) }, { logOut })
  }

  session.subscribe((state) => {
    if (state.status === 'authenticated') present?.update(view('ready', state.user))
    else present?.end(done(undefined))
  })

  return (handle) => ({
    kind: 'login',
    isPatient: true,
    run() {
      const state = session.state()
      if (state.status !== 'authenticated') return handle.end(done(undefined))
      present = handle
      handle.go(view('ready', state.user))
    },
    onClose: () => done(undefined),
  })
}
