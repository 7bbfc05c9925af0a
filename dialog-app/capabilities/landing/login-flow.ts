/** A login from the screen where it begins to its end. `login-state.ts` decides what comes next; this does it. */
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
import { getHostMethods, type Settings } from '../../host/settings.ts'
import type { LandingState } from './landing-screen.tsx'
import type { LandingOptions } from './lazy/options/options.ts'
import { type LoginEffect, type LoginEvent, login as step, unchosen } from './login-state.ts'

/** Fields need no laying out: there are no more than those that were started. */
type Choice = Pick<LandingOptions, 'started'> & Partial<LandingOptions>

/** Nobody needs it before they have chosen a method; it comes with the wallet's code. */
export const afterLogin = loadable(() => import('./lazy/after-login.ts'))

/** Where logins begin, and what comes of them for whoever asked. */
export type Entrance<Result> = {
  /** Somebody is in, and logs in once more, with these of the methods. */
  again?: (offered: readonly OfferedMethod[]) => Promise<readonly OfferedMethod[]>
  record: ScreenRecord<string, LandingState, NoEvents>
  /** Puts a method there. */
  start: (
    code: MethodCode,
    progress: MethodInProgress,
    handle: FlowHandle<Result>,
  ) => StartedMethod | Promise<StartedMethod>
  steps: () => readonly AfterLoginStep[]
  /** Once nothing waits for the user any more. */
  result: (login: LoggedIn, wasAlreadyAuthenticated: boolean) => Result
}

export type LoginFlow<Result> = RunningFlow<Result> & {
  /** Another tab logged in: this one need not ask any more. */
  loggedInElsewhere: (user: UserRecord) => void
}

export function createLoginFlow<Result>(
  ports: CapabilityPorts,
  entrance: Entrance<Result>,
  handle: FlowHandle<Result>,
): LoginFlow<Result> {
  const { session, analytics, settings, wallet, refusals } = ports
  const { record, steps } = entrance
  let state = unchosen

  const choice = loadable(layOut)
  const methods = () => choice.loaded()?.started() ?? []
  const landing = (): ScreenToShow =>
    screen(record, { entries: methods().map(({ entry }) => entry()), options: choice.loaded()?.part?.() }, {})
  const entryScreens = () => [record, ...(choice.loaded()?.screens ?? [])]
  const startOver = () => {
    choice.load().then(() => handle.restart(landing()), giveUp)
  }

  function send(event: LoginEvent) {
    const [next, ...effects] = step(state, event)
    state = next
    for (const effect of effects) perform(effect).catch(giveUp)
  }

  async function perform(effect: LoginEffect): Promise<void> {
    switch (effect.type) {
      case 'take steps': {
        const { login, seen } = effect
        const { takeStepsAfterLogin } = await ports.load(afterLogin.load)
        const after = { steps: steps(), user, card: handle, login, startOver, seen }
        return send({ type: 'steps taken', login, taken: await takeStepsAfterLogin(after) })
      }
      case 'finish': {
        const { finishLogin } = await ports.load(afterLogin.load)
        return finishLogin(ports, handle, effect.taken, result(effect.login), state.hasNotices)
      }
      case 'end':
        return handle.end()
      default:
        return effect satisfies never
    }
  }

  async function run() {
    // Whoever had the turn before may have logged in, and who is known may have left something undone.
    const known = entrance.again ? null : await session.user(handle)
    if (known) return goOnAs(known, true)
    await choice.load()
    handle.go(landing())
    for (const { resume } of methods()) resume?.()
    choice.loaded()?.startRest?.()
  }

  async function layOut(): Promise<Choice> {
    const all = offeredMethods(settings(), ports.loginMethods())
    const code = await loadOptions(ports)
    const there = (await code?.thoseThere(all, handle)) ?? all
    const offered = (await entrance.again?.(there)) ?? there
    const startOne = async ({ load }: OfferedMethod) => entrance.start(await load(), progress, handle)
    const options = code?.createOptions(ports, progress, record, offered, startOne)
    const first = await (options?.startFirst() ?? Promise.all(offered.map(startOne)))
    return options ?? { started: () => first }
  }

  const progress: MethodInProgress = {
    purpose: 'login',
    card: handle,
    entry: (part, state, handlers) =>
      usablePart(part, state, handlers, () => entryScreens().some(handle.isUsable)),
    chosen() {
      send({ type: 'closes with', problem: undefined })
      wallet.prepareOperation()
      afterLogin.load().catch(() => {})
    },
    refreshEntry: () => [landing(), ...(choice.loaded()?.views?.() ?? [])].forEach(handle.update),
    isAtEntry: () => entryScreens().some(handle.isAt),
    async prove({ logIn }, asker) {
      const said = wallet.loginVault()
      const answer = await logIn(said?.vault, { ...asker, headers: said?.headers })
      wallet.acceptLogin(said, answer)
      send({ type: 'proved', hasNotices: answer.hasNotices === true })
      return answer
    },
    refuse(error) {
      const problem = problemOf(error)
      refusals.show(handle, problem).then(
        (next) => (next === 'start over' ? startOver() : handle.back()),
        () => giveUp(problem),
      )
    },
    complete(login) {
      const { loginMethod: method, isNewUser } = login
      choice.loaded()?.remember?.(method)
      analytics('sdk_authenticate', { method, isNewUser })
      send({ type: 'logged in', login })
    },
    closesWith: (problem) => send({ type: 'closes with', problem }),
    startOver,
    leave: () => handle.end(),
  }

  function giveUp(error: unknown) {
    handle.end(failed(problemOf(error)))
  }

  /** Nobody logs in here: somebody is in, and does what was left undone. */
  function goOnAs(user: UserRecord, isKnown: boolean) {
    send({ type: 'present', login: knownLogin(user), isKnown, isUserNeeded: waitsForUser(steps(), user) })
  }

  function user(): UserRecord | undefined {
    const state = session.state()
    return state.status === 'authenticated' ? state.user : undefined
  }

  const result = (login: LoggedIn) =>
    entrance.result({ ...login, user: user() ?? login.user }, state.phase.at === 'known')

  return {
    kind: 'login',
    run,
    onClose() {
      const { phase, closing } = state
      return phase.at !== 'choosing' && !waitsForUser(steps(), user() ?? phase.login.user)
        ? done(result(phase.login))
        : failed(closing ?? new LatchkeyError(exitCodes.login, 'The user closed the dialog'))
    },
    loggedInElsewhere(user) {
      if (!handle.signal.aborted) goOnAs(user, false)
    },
  }
}

const problemOf = (error: unknown) => toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')

/** Fields need no laying out: an app with them alone, of which each is there, loads nothing of it. */
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
 * The login methods that LANDING offers, in their order. The host chooses among what the app has on, and orders it. A method that the app has on and no capability brings
 * is not offered.
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

/** Something is due that only the user can do: until then their login is not complete. */
export const waitsForUser = (steps: readonly AfterLoginStep[], user: UserRecord): boolean =>
  steps.some(({ isDue, catchUp }) => catchUp === undefined && isDue(user))
