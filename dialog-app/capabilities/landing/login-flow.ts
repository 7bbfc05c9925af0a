/** A login from LANDING to its end. */
import { LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { LoginResult } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import type { LoggedIn, MethodInProgress, StartedMethod } from '../../core/login.ts'
import { type ScreenToShow, screen, sendTo, showPart } from '../../core/screen.ts'
import { hostUser } from '../../host/host-user.ts'
import type { Cancellable } from '../../waiting.ts'
import { takeStepsAfterLogin } from './after-login.ts'
import { offeredMethods } from './offered-methods.ts'
import { landingScreen } from './screens.ts'

export type LoginFlow = RunningFlow<LoginResult> & {
  /** Another tab logged in: this one need not ask any more. */
  readonly loggedInElsewhere: (user: UserRecord) => void
}

export function createLoginFlow(
  ports: CapabilityPorts,
  handle: FlowHandle<LoginResult>,
  knownUser: (asker: Cancellable) => Promise<LoginResult | undefined>,
): LoginFlow {
  const { session, analytics, settings, wallet, refusals } = ports
  let methods: readonly StartedMethod[] = []
  let loggedIn: LoggedIn | undefined

  const landing = (): ScreenToShow =>
    screen(landingScreen, { entries: methods.map(({ entry }) => entry()) }, {})
  const startOver = () => handle.restart(landing())

  async function run() {
    // Whoever had the turn before may have logged in.
    const meanwhile = await knownUser(handle)
    if (meanwhile) return handle.end(done(meanwhile))
    const offered = offeredMethods(settings(), ports.loginMethods())
    if (offered.length === 0) {
      import('./later-no-method.ts').then(
        ({ tellOfNoMethod }) => tellOfNoMethod(settings(), ports.loginMethods()),
        () => {},
      )
    }
    methods = await Promise.all(offered.map(({ start }) => start(progress)))
    handle.go(landing())
  }

  const progress: MethodInProgress = {
    purpose: 'login',
    card: handle,
    entry: (part, state, handlers) =>
      showPart(
        part,
        state,
        sendTo(handlers, () => handle.isUsable(landingScreen)),
      ),
    chosen: wallet.prepareOperation,
    refreshEntry: () => handle.update(landing()),
    isAtEntry: () => handle.isAt(landingScreen),
    async prove({ logIn }, asker) {
      const vault = wallet.loginVault()
      const answer = await logIn(vault, asker)
      wallet.acceptLogin(vault, answer)
      return answer
    },
    refuse(error) {
      const problem = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
      refusals
        .screenFor(problem, { goBack: handle.back, startOver })
        .then(handle.go, () => handle.end(failed(problem)))
    },
    complete(login) {
      loggedIn = login
      analytics('sdk_authenticate', { method: login.loginMethod, isNewUser: login.isNewUser })
      finish(login).catch((error: unknown) =>
        handle.end(failed(toLatchkeyError(error, 'unknown_auth_error', 'The login could not be finished'))),
      )
    },
  }

  async function finish(login: LoggedIn) {
    const steps = await takeStepsAfterLogin({
      steps: ports.afterLogin(),
      user,
      card: handle,
      login,
      startOver,
    })
    if (steps.type === 'undone') {
      loggedIn = undefined
      return
    }
    if (steps.taken === 0) {
      // What the user has may have changed since the answer was made; nobody waits for it.
      session.reloadUser().catch(() => {})
    }
    handle.settle(done(result(login)))
    await steps.seen
    handle.end()
  }

  function user(): UserRecord | undefined {
    const state = session.state()
    return state.status === 'authenticated' ? state.user : undefined
  }

  const result = (login: LoggedIn): LoginResult => ({
    user: hostUser(user() ?? login.user),
    isNewUser: login.isNewUser,
    wasAlreadyAuthenticated: false,
    loginMethod: login.loginMethod,
    loginAccount: login.loginAccount,
  })

  return {
    kind: 'login',
    run,
    onClose: () =>
      loggedIn
        ? done(result(loggedIn))
        : failed(new LatchkeyError(exitCodes.login, 'The user closed the dialog')),
    loggedInElsewhere(user) {
      if (loggedIn || handle.signal.aborted) return
      handle.end(done(result({ user, isNewUser: false, loginMethod: null, loginAccount: null })))
    },
  }
}
