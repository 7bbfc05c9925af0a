/** A login, from the screen where it begins to the last step after it. */
import { LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import { createChanges } from '../../app/changes.ts'
import type { LazyScreen } from '../../app/screen.ts'
import { createCardScreen } from '../../app/screen-stack.ts'
import { loadable } from '../../browser/loadable.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import {
  type AfterLoginStep,
  isOn,
  type LoggedIn,
  type MethodCode,
  type MethodInProgress,
  type OfferedMethod,
  type StartedMethod,
} from '../../contract/login.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { getHostMethods, type Settings } from '../../host/settings.ts'
import type { LandingProps } from './landing-screen.tsx'
import type { LandingOptions } from './lazy/options/options.ts'

/** Fields alone have no layout. */
type Choice = Pick<LandingOptions, 'started'> & Partial<LandingOptions>

/** The code of the steps after a login. It loads with the wallet's code, once the user has chosen a method. */
export const afterLogin = loadable(() => import('./lazy/after-login.ts'))

/** A start screen for logins, and the result that its caller receives. */
export type Entrance<Result> = {
  /** Selects the methods with which a logged-in user logs in again. */
  again?: (offered: readonly OfferedMethod[]) => Promise<readonly OfferedMethod[]>
  screen: LazyScreen<LandingProps>
  start: (
    code: MethodCode,
    progress: MethodInProgress,
    handle: FlowHandle<Result>,
  ) => StartedMethod | Promise<StartedMethod>
  steps: () => readonly AfterLoginStep[]
  /** Creates the result when no step waits for the user. */
  result: (login: LoggedIn, wasAlreadyAuthenticated: boolean) => Result
}

export type LoginFlow<Result> = RunningFlow<Result> & {
  /** Continues with the user of a login in another tab. */
  loggedInElsewhere: (user: UserRecord) => void
}

/** The login of this flow, and its source. */
type Arrival = { login: LoggedIn; by: 'method' | 'other tab' | 'earlier login' }

export function createLoginFlow<Result>(
  ports: CapabilityPorts,
  entrance: Entrance<Result>,
  handle: FlowHandle<Result>,
): LoginFlow<Result> {
  const { session, analytics, settings, wallet, refusals } = ports
  const { steps } = entrance
  /** Undefined while the user chooses a method. */
  let arrival: Arrival | undefined
  let nextArrival = Promise.withResolvers<Arrival>()
  /** The caller's error if the user leaves now, if it is more specific than the exit. */
  let closing: LatchkeyError | undefined
  /** The login has notices, which are shown after it. */
  let hasNotices = false

  const changes = createChanges()
  const choice = loadable(loadChoice)
  const methods = () => choice.loaded()?.started() ?? []
  const landing = createCardScreen(ports, handle, entrance.screen, {
    methods: {
      subscribe: changes.subscribe,
      version: changes.version,
      entries() {
        const { element } = choice.loaded() ?? {}
        return element ? [element] : methods().map(({ entry }) => entry)
      },
    },
  })
  const entryScreens = () => [landing(), ...(choice.loaded()?.screens?.() ?? [])]
  const startOver = () => {
    choice.load().then(() => handle.restart(landing()), giveUp)
  }

  async function run() {
    finish().catch(giveUp)
    // An earlier flow may have logged the user in, or left a step undone.
    const loggedInUser = entrance.again ? null : await session.user(handle)
    if (loggedInUser) return arrive({ login: knownLogin(loggedInUser), by: 'earlier login' })
    await choice.load()
    if (arrival) return
    handle.go(landing())
    for (const { resume } of methods()) resume?.()
    choice.loaded()?.startRest?.()
  }

  /** Takes the steps after each login until they are done, because a step may log the user out. */
  async function finish(): Promise<void> {
    const { login, by } = await nextArrival.promise
    const isHere = by === 'method'
    if (!isHere && !waitsForUser(steps(), login.user)) return handle.end()
    const { takeStepsAfterLogin, finishLogin } = await ports.load(afterLogin.load)
    const seen = isHere ? undefined : Promise.resolve()
    const outcome = await takeStepsAfterLogin({ steps: steps(), user, card: handle, login, startOver, seen })
    if (outcome.type === 'done') return finishLogin(ports, handle, outcome, result({ login, by }), hasNotices)
    arrival = undefined
    nextArrival = Promise.withResolvers()
    return outcome.type === 'declined' ? handle.end() : finish()
  }

  function arrive(next: Arrival) {
    arrival = next
    nextArrival.resolve(next)
  }

  async function loadChoice(): Promise<Choice> {
    const all = offeredMethods(settings(), ports.loginMethods())
    const code = await loadOptions(ports)
    const available = (await code?.thoseThere(all, handle)) ?? all
    const offered = (await entrance.again?.(available)) ?? available
    const startOne = async ({ load }: OfferedMethod) => entrance.start(await load(), progress, handle)
    const options = code?.createOptions(ports, progress, entrance.screen, changes, offered, startOne)
    const first = await (options?.startFirst() ?? Promise.all(offered.map(startOne)))
    return options ?? { started: () => first }
  }

  const progress: MethodInProgress = {
    purpose: 'login',
    card: handle,
    chosen() {
      closing = undefined
      wallet.prepareOperation()
      const preloads = [afterLogin.load(), ...steps().map(({ preload }) => preload?.())]
      Promise.all(preloads).catch(() => {})
    },
    refreshRows: changes.notify,
    isAtEntry: () => entryScreens().some(handle.isAt),
    async prove({ logIn }, asker) {
      const vault = wallet.loginVault()
      const answer = await logIn(vault?.vault, { ...asker, headers: vault?.headers })
      wallet.acceptLogin(vault, answer)
      hasNotices = answer.hasNotices === true
      return answer
    },
    refuse(error) {
      const problem = toLoginError(error)
      refusals.show(handle, problem).then(
        (next) => (next === 'start over' ? startOver() : handle.back()),
        () => giveUp(problem),
      )
    },
    complete(login) {
      const { loginMethod: method, isNewUser } = login
      choice.loaded()?.remember?.(method)
      analytics('sdk_authenticate', { method, isNewUser })
      arrive({ login, by: 'method' })
    },
    closesWith(problem) {
      closing = problem
    },
    startOver,
    leave: () => handle.end(),
  }

  function giveUp(error: unknown) {
    handle.end(failed(toLoginError(error)))
  }

  function user(): UserRecord | undefined {
    const state = session.state()
    return state.status === 'authenticated' ? state.user : undefined
  }

  const result = ({ login, by }: Arrival) =>
    entrance.result({ ...login, user: user() ?? login.user }, by === 'earlier login')

  return {
    kind: 'login',
    run,
    onClose: () =>
      arrival && !waitsForUser(steps(), user() ?? arrival.login.user)
        ? done(result(arrival))
        : failed(closing ?? new LatchkeyError(exitCodes.login, 'The user closed the dialog')),
    loggedInElsewhere(user) {
      if (!handle.signal.aborted && !arrival) arrive({ login: knownLogin(user), by: 'other tab' })
    },
  }
}

const toLoginError = (error: unknown) => toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')

/** Loads the layout of LANDING. Returns undefined if all methods are fields and always available. */
export async function loadOptions({ settings, loginMethods, load }: CapabilityPorts) {
  const offered = offeredMethods(settings(), loginMethods())
  const areFields = offered.length > 0 && offered.every(({ shows, isThere }) => shows === 'field' && !isThere)
  return areFields ? undefined : load(() => import('./lazy/options/options.ts'))
}

export const knownLogin = (user: UserRecord): LoggedIn => ({
  user,
  isNewUser: false,
  loginMethod: null,
  loginAccount: null,
})

/**
 * Returns the login methods of LANDING in their order. The host selects and orders methods that the app has enabled.
 * A method without a capability is omitted.
 */
export function offeredMethods(
  settings: Settings,
  brought: readonly OfferedMethod[],
): readonly OfferedMethod[] {
  const { app, config } = settings
  return [...new Set(getHostMethods(config))].flatMap((name) =>
    brought.filter((each) => each.method === name && isOn(app, each) && (each.isHere?.(settings) ?? true)),
  )
}

/** Returns whether a step is due that only the user can take. The login is incomplete until then. */
export const waitsForUser = (steps: readonly AfterLoginStep[], user: UserRecord): boolean =>
  steps.some(({ isDue, catchUp }) => catchUp === undefined && isDue(user))
