/**
 * A login in a separate window. A window that reads as closed may still be open behind an opener policy. That reading
 * therefore only offers another attempt, and the first confirmed attempt counts.
 */
import {
  captchaLimits,
  type ErrorCode,
  type LatchkeyError,
  type LinkedAccount,
  type LoginMethod,
  oauthLimits,
  type ScreenName,
  toLatchkeyError,
} from '@latchkey/protocol'
import type { CapabilityPorts } from '../contract/capability.ts'
import { type ErrorTable, rowFor } from '../contract/error-table.ts'
import type { CaptchaPass, MethodInProgress, Proof, StartedMethod } from '../contract/login.ts'
import { loadPart, type Part, type ScreenRecord, type ScreenToShow, screen } from '../flow/screen.ts'
import { requiresCaptcha } from '../host/settings.ts'
import { toLanguage } from '../i18n/languages.ts'
import { type Attempt, NotStarted } from './attempt.ts'
import type { EntryEvents, EntryState } from './entry.tsx'
import type { WindowFailure } from './failures.ts'
import type { WaitingEvents, WaitingState } from './waiting-screen.tsx'

/** `Provider` identifies the provider on the screens. `Said` is the displayed failure. */
export type WindowMethod<Provider, Grant, Said extends Retryable = WindowFailure> = {
  method: LoginMethod
  provider: Provider
  isItsAccount: (account: LinkedAccount) => boolean
  entry: Part<EntryState<Provider>, EntryEvents>
  waiting: ScreenRecord<ScreenName, WaitingState<Provider, Said>, WaitingEvents>
  /** Whether the login starts with a captcha if the app requires one. */
  isBehindCaptcha: boolean
  /** Returns the failure to show if no window would help. */
  instead?: () => ScreenToShow | undefined
  /** Navigates the whole page to the provider if that works better than a window. */
  takePage?: () => ((pass: CaptchaPass | undefined, departure: Departure) => Promise<void>) | undefined
  /** Returns the result that the page returned with. */
  returned?: () => { grant: Grant } | { problem: LatchkeyError } | undefined
  /** The host page was opened with a result, so neither window nor click is needed. */
  grantFromAddress?: () => Promise<((pass: CaptchaPass | undefined) => Grant) | undefined>
  /** Opens the window synchronously in the click. */
  begin: (pass: CaptchaPass | undefined, signal: AbortSignal) => Attempt<Grant>
  proof: (grant: Grant) => Proof
  failed?: (code: ErrorCode) => void
  failures: ErrorTable<Said>
  /** The error for the caller if the user leaves; the caller then also receives failures. */
  canceled?: LatchkeyError
}

export type Retryable = { isRetryable: boolean }

/** A login that navigates the whole page away. */
export type Departure = {
  signal: AbortSignal
  /** The user still waits for it. */
  isWanted: () => boolean
}

/** Logs in with one provider at a time. Choosing another ends the previous attempt. */
const leaving = new WeakMap<MethodInProgress, () => void>()

export async function startWindowLogin<Provider, Grant, Said extends Retryable>(
  { settings, refusals, captchaPass, load, clock }: CapabilityPorts,
  progress: MethodInProgress,
  method: WindowMethod<Provider, Grant, Said>,
): Promise<StartedMethod> {
  const { card } = progress
  const { provider } = method
  const state = { provider, isAlone: progress.purpose !== 'login' }
  let view: WaitingState<Provider, Said> = { provider, status: 'verifying', window: 'none' }
  const attempts = new Set<Attempt<Grant>>()
  let latest: Attempt<Grant> | undefined
  let departing: AbortController | undefined
  /** The captcha pass for one attempt. */
  let pass: CaptchaPass | undefined
  let passUntilMs = 0
  await load(() => loadPart(method.entry, toLanguage(settings().config.intl?.locale)))

  const present = () =>
    screen(method.waiting, view, {
      open() {
        latest?.isWindowClosed() === false && latest.stop()
        begin()
      },
      leave: method.canceled ? progress.leave : card.back,
    })

  function show(next: WaitingState<Provider, Said>) {
    view = next
    card.update(present())
  }

  function press() {
    leaving.get(progress)?.()
    leaving.set(progress, stopAttempts)
    progress.chosen()
    const instead = method.instead?.()
    if (instead) {
      card.go(instead)
      return
    }
    begin()
  }

  function begin() {
    if (needsPass()) {
      void askForPass()
      return
    }
    const takePage = method.takePage?.()
    if (takePage) leaveBy(takePage)
    else attempt()
    arrive()
  }

  const arrive = () => (card.isAt(method.waiting) ? card.update : card.go)(present())

  /** The navigation ends this page. If it fails, a button retries. */
  function leaveBy(takePage: NonNullable<ReturnType<NonNullable<typeof method.takePage>>>) {
    stopAttempts()
    const departure = new AbortController()
    departing = departure
    const own: typeof view = { provider, status: 'verifying', window: 'leaving' }
    view = own
    const signal = AbortSignal.any([card.signal, departure.signal])
    const isWanted = () => !signal.aborted && card.isAt(method.waiting)
    const isPresent = () => view === own && isWanted()
    takePage(pass, { signal, isWanted }).catch((error) => {
      if (isPresent()) fail(error)
    })
    pass = undefined
    card.after(oauthLimits.redirectPatienceMs, () => {
      if (isPresent()) show({ provider, status: 'verifying', window: 'to open' })
      else departure.abort()
    })
  }

  const needsPass = () =>
    method.isBehindCaptcha &&
    requiresCaptcha(settings()) &&
    (pass === undefined || clock.nowMs() >= passUntilMs)

  /** A captcha consumes the user activation, so the next click opens the window. */
  async function askForPass() {
    if (!(await getPass())) return
    view = { provider, status: 'verifying', window: 'to open' }
    arrive()
  }

  async function getPass(): Promise<boolean> {
    try {
      pass = await captchaPass(card)
      passUntilMs = clock.nowMs() + captchaLimits.tokenSeconds * 1_000
    } catch (error) {
      if (!card.signal.aborted) progress.refuse(error)
      return false
    }
    return pass !== undefined
  }

  /** Runs within the click, because it opens the window. */
  function attempt() {
    const newAttempt = method.begin(pass, card.signal)
    pass = undefined
    if (method.canceled) progress.closesWith?.(method.canceled)
    attempts.add(newAttempt)
    latest = newAttempt
    const { digits } = newAttempt
    view =
      newAttempt.isWindowClosed() === undefined
        ? { provider, status: 'verifying', window: 'none', ...(digits !== undefined && { digits }) }
        : { provider, status: 'verifying', window: 'open' }
    void finish(newAttempt)
    watch(newAttempt)
  }

  function stopAttempts() {
    for (const each of attempts) each.stop()
    attempts.clear()
    departing?.abort()
  }

  function watch(watched: Attempt<Grant>) {
    card.after(oauthLimits.closedCheckMs, () => {
      if (watched.isOver()) return
      if (!card.isAt(method.waiting)) {
        stopAttempts()
        return
      }
      const isOpen = view.status === 'verifying' && view.window === 'open'
      if (watched === latest && isOpen && watched.isWindowClosed()) {
        show({ provider, status: 'verifying', window: 'closed' })
      }
      watch(watched)
    })
  }

  async function finish(from: Attempt<Grant>) {
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
    stopAttempts()
    show({ provider, status: 'confirmed' })
    await redeem(grant).catch(fail)
  }

  const isWaitedFor = (one: Attempt<Grant>) => attempts.has(one) && card.isAt(method.waiting)

  async function redeem(grant: Grant) {
    const proved = await progress.prove(method.proof(grant), { signal: card.signal, onNetwork: () => {} })
    show({ provider, status: 'success' })
    progress.complete({
      ...proved,
      loginMethod: method.method,
      loginAccount: proved.user.linkedAccounts.find(method.isItsAccount) ?? null,
    })
  }

  function fail(error: unknown) {
    const didStart = !(error instanceof NotStarted)
    const problem = toLatchkeyError(
      didStart ? error : error.cause,
      'oauth_unexpected',
      'Something went wrong',
    )
    // The next attempt begins at the entry with its own captcha.
    if (!didStart || problem.code === 'invalid_captcha') {
      card.back()
      progress.refuse(problem)
      return
    }
    method.failed?.(problem.code)
    if (refusals.hasOwnScreen(problem.code)) {
      progress.refuse(problem)
      return
    }
    progress.failed?.(problem)
    if (method.canceled) progress.closesWith?.(problem)
    show({ provider, status: 'failed', ...rowFor(method.failures, problem.code) })
  }

  /** Continues after the page returned from a provider or was opened with a result. */
  function resume() {
    const back = method.returned?.()
    if (!back) void takeBrought()
    else if ('grant' in back) redeemAtOnce(back.grant)
    else {
      confirmed()
      fail(back.problem)
    }
  }

  async function takeBrought() {
    const grantFor = await method.grantFromAddress?.()
    if (!grantFor || !progress.isAtEntry()) return
    if (needsPass() && !(await getPass())) return
    const grant = grantFor(pass)
    pass = undefined
    redeemAtOnce(grant)
  }

  function redeemAtOnce(grant: Grant) {
    confirmed()
    redeem(grant).catch(fail)
  }

  function confirmed() {
    progress.chosen()
    view = { provider, status: 'confirmed' }
    arrive()
  }

  return { entry: () => progress.entry(method.entry, state, { press }), resume }
}
