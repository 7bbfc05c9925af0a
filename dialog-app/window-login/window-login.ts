/**
 * A login in a window of its own. A window that reads as closed may be open (its page has an opener policy), so that
 * reading only offers another try, and whatever is confirmed first counts, of whichever try.
 */
import {
  type ErrorCode,
  type LinkedAccountType,
  type LoginMethod,
  oauthLimits,
  type ScreenName,
  toLatchkeyError,
} from '@latchkey/protocol'
import type { CapabilityPorts } from '../core/capability.ts'
import type { CaptchaPass } from '../core/captcha-pass.ts'
import type { MethodInProgress, Proof, StartedMethod } from '../core/login.ts'
import { loadPart, type Part, type ScreenRecord, type ScreenToShow, screen } from '../core/screen.ts'
import { languageOf } from '../i18n/languages.ts'
import type { Attempt } from './attempt.ts'
import type { EntryEvents, EntryState } from './entry.tsx'
import { failureOf } from './failures.ts'
import type { WaitingEvents, WaitingState } from './waiting-screen.tsx'

export type WindowMethod<Provider extends LoginMethod, Grant> = {
  readonly provider: Provider
  readonly accountType: LinkedAccountType
  readonly entry: Part<EntryState<Provider>, EntryEvents>
  readonly waiting: ScreenRecord<ScreenName, WaitingState<Provider>, WaitingEvents>
  /** Whether it begins with a captcha, where the app has one. */
  readonly isBehindCaptcha: boolean
  /** What is shown where no window would help. */
  readonly instead?: () => ScreenToShow | undefined
  /** What the host's page was opened with needs no window, and no click. */
  readonly brought?: () => Promise<((pass: CaptchaPass | undefined) => Grant) | undefined>
  /** In the click: its window is opened before anything is awaited. */
  readonly begin: (pass: CaptchaPass | undefined, signal: AbortSignal) => Attempt<Grant>
  readonly proof: (grant: Grant) => Proof
  readonly failed?: (code: ErrorCode) => void
}

/** One provider at a time: whoever turns to another has left the one before. */
const leaving = new WeakMap<MethodInProgress, () => void>()

export async function startWindowLogin<Provider extends LoginMethod, Grant>(
  { settings, refusals, captchaPass, load }: CapabilityPorts,
  progress: MethodInProgress,
  method: WindowMethod<Provider, Grant>,
): Promise<StartedMethod> {
  const { card } = progress
  const { provider } = method
  const state = { provider, isAlone: progress.purpose !== 'login' }
  let view: WaitingState<Provider> = { provider, status: 'verifying', window: 'none' }
  const attempts = new Set<Attempt<Grant>>()
  let latest: Attempt<Grant> | undefined
  /** For one try, where the app asks for a captcha. */
  let pass: CaptchaPass | undefined
  await load(() => loadPart(method.entry, languageOf(settings().config.intl?.locale)))

  const present = () =>
    screen(method.waiting, view, {
      open() {
        latest?.isWindowClosed() === false && latest.stop()
        if (needsPass()) void askForPass()
        else {
          attempt()
          card.update(present())
        }
      },
      leave: card.back,
    })

  function show(next: WaitingState<Provider>) {
    view = next
    card.update(present())
  }

  function press() {
    leaving.get(progress)?.()
    leaving.set(progress, leave)
    progress.chosen()
    const instead = method.instead?.()
    if (instead) {
      card.go(instead)
      return
    }
    if (needsPass()) {
      void askForPass()
      return
    }
    attempt()
    card.go(present())
  }

  const needsPass = () => method.isBehindCaptcha && settings().app.captchaEnabled && pass === undefined

  /** A captcha takes the click with it, so the window opens at the next one. */
  async function askForPass() {
    if (!(await getPass())) return
    view = { provider, status: 'verifying', window: 'to open' }
    if (card.isAt(method.waiting)) card.update(present())
    else card.go(present())
  }

  async function getPass(): Promise<boolean> {
    try {
      pass = await captchaPass(card)
    } catch (error) {
      if (!card.signal.aborted) progress.refuse(error)
      return false
    }
    return pass !== undefined
  }

  /** In the click. */
  function attempt() {
    const begun = method.begin(pass, card.signal)
    pass = undefined
    attempts.add(begun)
    latest = begun
    view = { provider, status: 'verifying', window: begun.isWindowClosed() === undefined ? 'none' : 'open' }
    void take(begun)
    watch(begun)
  }

  function leave() {
    for (const each of attempts) each.stop()
    attempts.clear()
  }

  function watch(watched: Attempt<Grant>) {
    card.after(oauthLimits.closedCheckMs, () => {
      if (watched.isOver()) return
      if (!card.isAt(method.waiting)) {
        leave()
        return
      }
      const isOpen = view.status === 'verifying' && view.window === 'open'
      if (watched === latest && isOpen && watched.isWindowClosed()) {
        show({ provider, status: 'verifying', window: 'closed' })
      }
      watch(watched)
    })
  }

  async function take(from: Attempt<Grant>) {
    let grant: Grant
    try {
      grant = await from.granted
    } catch (error) {
      const counts = from === latest && isWaitedFor(from)
      attempts.delete(from)
      if (counts) fail(error)
      return
    }
    if (!isWaitedFor(from)) return
    leave()
    show({ provider, status: 'confirmed' })
    await redeem(grant).catch(fail)
  }

  const isWaitedFor = (one: Attempt<Grant>) => attempts.has(one) && card.isAt(method.waiting)

  async function redeem(grant: Grant) {
    const proved = await progress.prove(method.proof(grant), { signal: card.signal, onNetwork: () => {} })
    show({ provider, status: 'success' })
    progress.complete({
      ...proved,
      loginMethod: provider,
      loginAccount: proved.user.linkedAccounts.find(({ type }) => type === method.accountType) ?? null,
    })
  }

  function fail(error: unknown) {
    const problem = toLatchkeyError(error, 'oauth_unexpected', 'Something went wrong')
    method.failed?.(problem.code)
    if (refusals.hasOwnScreen(problem.code)) {
      progress.refuse(problem)
      return
    }
    progress.failed?.(problem)
    show({ provider, status: 'failed', ...failureOf(problem.code) })
  }

  async function takeBrought() {
    const grantFor = await method.brought?.()
    if (grantFor) whenAtEntry(() => void redeemBrought(grantFor).catch(fail))
  }

  function whenAtEntry(run: () => void) {
    if (progress.isAtEntry()) run()
    else card.after(oauthLimits.closedCheckMs, () => whenAtEntry(run))
  }

  async function redeemBrought(grantFor: (pass: CaptchaPass | undefined) => Grant) {
    progress.chosen()
    if (needsPass() && !(await getPass())) return
    const grant = grantFor(pass)
    pass = undefined
    view = { provider, status: 'confirmed' }
    card.go(present())
    await redeem(grant)
  }

  void takeBrought()
  return { entry: () => progress.entry(method.entry, state, { press }) }
}
