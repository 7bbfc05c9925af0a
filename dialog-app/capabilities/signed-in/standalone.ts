/** The dialog as a page of its own: it asks until somebody is logged in, then says who, and lets them out. */
import { toLatchkeyError, toUser, type UserRecord } from '@latchkey/protocol'
import type { ShowAccountEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, exitCodes, type Flow, type FlowHandle } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
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

function createSignedIn({ session, account, settings, load }: CapabilityPorts): Flow<void> {
  let present: FlowHandle<void> | undefined
  let shows: readonly ShowAccountEntry[] = []

  function view(card: FlowHandle<void>, status: 'ready' | 'logging-out', user: UserRecord) {
    const logOut = () => {
      if (status === 'logging-out') return
      present?.update(view(card, 'logging-out', user))
      session.logout().catch(() => present?.update(view(card, 'ready', user)))
    }
    const isUsable = () => status === 'ready' && card.isUsable(signedInScreen)
    const entries = shows.map((show) => show({ user, card, isUsable }))
    return screen(signedInScreen, { status, user: toUser(user), entries }, { logOut })
  }

  session.subscribe((state) => {
    if (state.status === 'authenticated') present?.update(view(present, 'ready', state.user))
    else present?.end(done(undefined))
  })

  const whoIsIn = () => {
    const state = session.state()
    return state.status === 'authenticated' ? state.user : undefined
  }

  return (handle) => ({
    kind: 'login',
    isPatient: true,
    isUnderOthers: true,
    async run() {
      const before = whoIsIn()
      if (before) shows = await entriesFor(before)
      const user = whoIsIn()
      if (!user) return handle.end(done(undefined))
      present = handle
      handle.go(view(handle, 'ready', user))
    },
    onClose: () => done(undefined),
  })

  /** What did not come is not there: the account is shown without it. */
  async function entriesFor(user: UserRecord): Promise<readonly ShowAccountEntry[]> {
    const here = account().filter(({ isHere }) => isHere(settings(), user))
    const loaded = await Promise.allSettled(here.map((entry) => load(entry.load)))
    return loaded.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  }
}
