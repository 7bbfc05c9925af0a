/** A host's call that logs in: calls at once share one login, and who is logged in already is answered at once. */
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
  // Each by its name: what came with a login may hold more, which is no host's.
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

  /** The host hears of it at once; the user alone can mend it, and is told which setting is in the way. */
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
    const known = await session.user({ signal }).catch(tellOfStorage)
    if (known && !waitsForUser(entrance.steps(), known)) {
      return entrance.result(knownLogin(known), true)
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
