/** A login from the screen where it begins to its end. */
import { LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
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
import { type NoEvents, type ScreenRecord, type ScreenToShow, screen, usablePart } from '../../flow/screen.ts'
import { type Settings, wantedMethods } from '../../host/settings.ts'
import type { LandingState } from './landing-screen.tsx'
import type { LandingOptions } from './lazy/options/options.ts'

/** Nobody needs it before they have chosen a method; it comes with the wallet's code. */
export const afterLogin = loadable(() => import('./lazy/after-login.ts'))

/** Where logins begin, and what comes of them for whoever asked. */
export type Entrance<Result> = {
  /** Somebody is in, and logs in once more: with those of the methods of which this is so, where there are any. */
  readonly again?: (code: MethodCode) => boolean
  readonly record: ScreenRecord<string, LandingState, NoEvents>
  /** Puts a method there. */
  readonly start: (
    code: MethodCode,
    progress: MethodInProgress,
    handle: FlowHandle<Result>,
  ) => StartedMethod | Promise<StartedMethod>
  readonly steps: () => readonly AfterLoginStep[]
  /** Once nothing waits for the user any more. */
  readonly result: (login: LoggedIn, wasAlreadyAuthenticated: boolean) => Result
}

export type LoginFlow<Result> = RunningFlow<Result> & {
  /** Another tab logged in: this one need not ask any more. */
  readonly loggedInElsewhere: (user: UserRecord) => void
}

export function createLoginFlow<Result>(
  ports: CapabilityPorts,
  entrance: Entrance<Result>,
  handle: FlowHandle<Result>,
): LoginFlow<Result> {
  const { session, analytics, settings, wallet, refusals } = ports
  const { record, steps } = entrance
  let methods = (): readonly StartedMethod[] => []
  let loggedIn: LoggedIn | undefined
  let wasAlreadyAuthenticated = false
  let hasNotices = false
  /** What its caller is told where the user leaves, if that is more than that they did. */
  let closing: LatchkeyError | undefined

  let options: LandingOptions | undefined

  const landing = (): ScreenToShow =>
    screen(record, { entries: methods().map(({ entry }) => entry()), options: options?.part() }, {})
  const entryScreens = () => [record, ...(options?.screens ?? [])]
  const startOver = () => {
    start().then(() => handle.restart(landing()), giveUp)
  }

  async function run() {
    // Whoever had the turn before may have logged in, and who is known may have left something undone.
    const known = entrance.again ? null : await session.user(handle)
    if (known) {
      wasAlreadyAuthenticated = true
      return goOnAs(known)
    }
    await start()
    handle.go(landing())
    for (const { resume } of methods()) resume?.()
    options?.startRest()
  }

  async function start() {
    if (options || methods().length > 0) return
    const offered = await methodsFor(entrance)
    const startOne = async ({ load }: OfferedMethod) => entrance.start(await load(), progress, handle)
    const code = await loadOptions(ports)
    const laidOut = code?.createOptions(ports, progress, record, offered, startOne)
    const first = await (laidOut?.startFirst() ?? Promise.all(offered.map(startOne)))
    options = laidOut
    methods = laidOut?.started ?? (() => first)
  }

  async function methodsFor({ again }: Entrance<Result>): Promise<readonly OfferedMethod[]> {
    const offered = await thoseThere(offeredMethods(settings(), ports.loginMethods()))
    if (!again) return offered
    const codes = await Promise.all(offered.map(({ load }) => ports.load(load)))
    const own = offered.filter((_, at) => codes[at] && again(codes[at]))
    return own.length > 0 ? own : offered
  }

  /** One that can not be found out about is not offered, and holds up no other. */
  async function thoseThere(offered: readonly OfferedMethod[]): Promise<readonly OfferedMethod[]> {
    const isThere = ({ isThere }: OfferedMethod) => isThere?.(handle).catch(() => false) ?? true
    const there = await Promise.all(offered.map(isThere))
    return offered.filter((_, at) => there[at])
  }

  const progress: MethodInProgress = {
    purpose: 'login',
    card: handle,
    entry: (part, state, handlers) =>
      usablePart(part, state, handlers, () => entryScreens().some(handle.isUsable)),
    chosen() {
      closing = undefined
      wallet.prepareOperation()
      afterLogin.load().catch(() => {})
    },
    refreshEntry: () => [landing(), ...(options?.views() ?? [])].forEach(handle.update),
    isAtEntry: () => entryScreens().some(handle.isAt),
    async prove({ logIn }, asker) {
      const said = wallet.loginVault()
      const answer = await logIn(said?.vault, { ...asker, headers: said?.headers })
      wallet.acceptLogin(said, answer)
      hasNotices = answer.hasNotices === true
      return answer
    },
    refuse(error) {
      const problem = problemOf(error)
      refusals.screenFor(problem, { goBack: handle.back, startOver }).then(handle.go, () => giveUp(problem))
    },
    complete(login) {
      loggedIn = login
      options?.remember(login.loginMethod)
      analytics('sdk_authenticate', { method: login.loginMethod, isNewUser: login.isNewUser })
      finish(login).catch(giveUp)
    },
    closesWith(problem) {
      closing = problem
    },
    startOver,
    leave: () => handle.end(),
  }

  function giveUp(error: unknown) {
    handle.end(failed(problemOf(error)))
  }

  /** Nobody logs in here: somebody is in, and does what was left undone. */
  function goOnAs(user: UserRecord) {
    loggedIn = knownLogin(user)
    if (waitsForUser(steps(), user)) finish(loggedIn, Promise.resolve()).catch(giveUp)
    else handle.end()
  }

  async function finish(login: LoggedIn, seen?: Promise<void>) {
    const { takeStepsAfterLogin } = await ports.load(afterLogin.load)
    const taken = await takeStepsAfterLogin({
      steps: steps(),
      user,
      card: handle,
      login,
      startOver,
      seen,
    })
    if (taken.type !== 'done') {
      loggedIn = undefined
      wasAlreadyAuthenticated = false
      if (taken.type === 'declined') handle.end()
      return
    }
    if (taken.taken === 0) {
      // What the user has may have changed since the answer was made; nobody waits for it.
      session.reloadUser().catch(() => {})
    }
    handle.settle(done(result(login)))
    // They have the turn after this one, whose success is seen first; what did not come is asked at the next login.
    if (hasNotices) ports.showNotices().catch(() => {})
    await taken.seen
    handle.end()
  }

  function user(): UserRecord | undefined {
    const state = session.state()
    return state.status === 'authenticated' ? state.user : undefined
  }

  const result = (login: LoggedIn) =>
    entrance.result({ ...login, user: user() ?? login.user }, wasAlreadyAuthenticated)

  return {
    kind: 'login',
    run,
    onClose: () =>
      loggedIn && !waitsForUser(steps(), user() ?? loggedIn.user)
        ? done(result(loggedIn))
        : failed(closing ?? new LatchkeyError(exitCodes.login, 'The user closed the dialog')),
    loggedInElsewhere(user) {
      if (!loggedIn && !handle.signal.aborted) goOnAs(user)
    },
  }
}

const problemOf = (error: unknown) => toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')

/** Fields need no laying out: an app with them alone loads nothing of it. */
export async function loadOptions({ settings, loginMethods, load }: CapabilityPorts) {
  const offered = offeredMethods(settings(), loginMethods())
  const areFields = offered.length > 0 && offered.every(({ shows }) => shows === 'field')
  return areFields ? undefined : load(() => import('./lazy/options/options.ts'))
}

export const knownLogin = (user: UserRecord): LoggedIn => ({
  user,
  isNewUser: false,
  loginMethod: null,
  loginAccount: null,
})

/**
 * The login methods that LANDING offers, in their order. The host chooses among what the app has on, and orders it. A method that the app has on and no capability brings
 * is not offered.
 */
export function offeredMethods(
  settings: Settings,
  brought: readonly OfferedMethod[],
): readonly OfferedMethod[] {
  const { app, config } = settings
  return [...new Set(wantedMethods(config))].flatMap((name) =>
    brought.filter((each) => each.method === name && isOn(app, each) && (each.isHere?.(settings) ?? true)),
  )
}

/** Something is due that only the user can do: until then their login is not complete. */
export const waitsForUser = (steps: readonly AfterLoginStep[], user: UserRecord): boolean =>
  steps.some(({ isDue, catchUp }) => catchUp === undefined && isDue(user))
