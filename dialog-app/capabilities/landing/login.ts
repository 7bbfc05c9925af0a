/** Serves host calls that log in. Concurrent calls share one login. A logged-in user resolves them immediately. */
import { toHostAccount, toLatchkeyError } from '@latchkey/protocol'
import type { LoginResult } from '@latchkey/protocol/host'
import { createShared } from '../../browser/shared.ts'
import type { Cancellable } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { hostUser } from '../../host/host-user.ts'
import {
  afterLogin,
  createLoginFlow,
  type Entrance,
  knownLogin,
  type LoginFlow,
  loadOptions,
  waitsForUser,
} from './login-flow.ts'
import { landingScreen } from './screens.ts'

export type Login<Result> = {
  logIn: (asker: Cancellable) => Promise<Result>
  loadAhead: () => Promise<unknown>
}

/** LANDING, for the call `login`. */
const landing = ({ afterLogin }: CapabilityPorts): Entrance<LoginResult> => ({
  screen: landingScreen,
  start: (code, progress) => code.start(progress),
  steps: afterLogin,
  // Copies each field by name, because a login may hold fields that the host must not receive.
  result: ({ user, isNewUser, loginMethod, loginAccount }, wasAlreadyAuthenticated) => ({
    user: hostUser(user),
    isNewUser,
    wasAlreadyAuthenticated,
    loginMethod,
    loginAccount: loginAccount && toHostAccount(loginAccount),
  }),
})

export const createLandingLogin = (ports: CapabilityPorts) => createLogin(ports, landing(ports))

export function createLogin<Result>(ports: CapabilityPorts, entrance: Entrance<Result>): Login<Result> {
  const { session, stage, refusals } = ports
  const join = createShared<Result>()
  /** The login in progress, until its caller has the result. */
  let running: LoginFlow<Result> | undefined
  let telling: Promise<void> | undefined

  session.subscribe((state, _before, origin) => {
    if (state.status === 'authenticated' && origin === 'elsewhere') running?.loggedInElsewhere(state.user)
  })

  /** Rethrows the error immediately. Shows the user which browser setting blocks the storage. */
  function tellOfStorage(error: unknown): never {
    if (toLatchkeyError(error, 'error', '').code === 'session_storage_unavailable') {
      telling ??= refusals.tell(error).finally(() => {
        telling = undefined
      })
      telling.catch(() => {})
    }
    throw error
  }

  async function loginOnce(signal: AbortSignal): Promise<Result> {
    const user = await session.user({ signal }).catch(tellOfStorage)
    if (user && !waitsForUser(entrance.steps(), user)) {
      return entrance.result(knownLogin(user), true)
    }
    const outcome = stage.begin<Result>((handle) => {
      running = createLoginFlow(ports, entrance, handle)
      return running
    }, signal)
    return outcome.finally(() => {
      running = undefined
    })
  }

  return {
    logIn: ({ signal }) => join(loginOnce, signal),
    loadAhead: () => Promise.all([afterLogin.load(), loadOptions(ports)]),
  }
}
