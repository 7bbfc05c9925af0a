/** A login in a separate window: its entry, and the screen that it opens. */
import {
  captchaLimits,
  type ErrorCode,
  type LatchkeyError,
  type LinkedAccount,
  type LoginMethod,
} from '@latchkey/protocol'
import { createElement, type ReactNode } from 'react'
import type { LazyScreen } from '../app/screen.ts'
import { pushOnCard } from '../app/screen-stack.ts'
import type { CapabilityPorts } from '../contract/capability.ts'
import type { ErrorTable } from '../contract/error-table.ts'
import type { CaptchaPass, MethodInProgress, Proof, StartedMethod } from '../contract/login.ts'
import type { Refusals } from '../contract/refusals.ts'
import { type LoadableTexts, onlyClose, showElement } from '../flow/screen.ts'
import { requiresCaptcha } from '../host/settings.ts'
import type { Attempt } from './attempt.ts'
import type { EntryProps } from './entry.tsx'
import type { WindowFailure } from './failures.ts'

/** `Provider` identifies the provider on the screens. `Said` is the displayed failure. */
export type WindowMethod<Provider, Grant, Said extends Retryable = WindowFailure> = {
  method: LoginMethod
  provider: Provider
  isItsAccount: (account: LinkedAccount) => boolean
  Entry: (props: EntryProps<Provider>) => ReactNode
  /** The texts of the entry. */
  texts: LoadableTexts
  screen: LazyScreen<WaitingProps<Provider, Grant, Said>>
  /** Whether the login starts with a captcha if the app requires one. */
  isBehindCaptcha: boolean
  /** Shows why no window would help. */
  instead?: (() => void) | undefined
  /** Navigates the whole page to the provider if that works better than a window. */
  takePage?: () => TakePage | undefined
  /** Returns the result that the page returned with. */
  returned?: () => Returned<Grant> | undefined
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
type Returned<Grant> = { grant: Grant } | { problem: LatchkeyError }

export type TakePage = (pass: CaptchaPass | undefined, departure: Departure) => Promise<void>
/** A login that navigates the whole page away. */
export type Departure = {
  signal: AbortSignal
  /** The user still waits for it. */
  isWanted: () => boolean
}

/** The props of the screen that waits for a provider. */
export type WaitingProps<Provider, Grant, Said extends Retryable = WindowFailure> = {
  provider: Provider
  login: WindowLogin<Grant, Said>
}

export type WindowLogin<Grant, Said extends Retryable> = {
  method: Omit<WindowMethod<unknown, Grant, Said>, 'Entry' | 'texts' | 'screen'>
  progress: MethodInProgress
  refusals: Refusals
  passes: Passes
  /** Must be called in the click. */
  openWindow: () => Attempt<Grant>
  start: Start<Grant>
  /** Aborts when the screen is gone, or the user has chosen another method. */
  ending: AbortController
}

type Start<Grant> =
  /** The captcha consumed the user activation, so the next click opens the window. */
  | { at: 'to open' }
  /** The click on the entry has opened the window. */
  | { at: 'open'; attempt: Attempt<Grant> }
  | { at: 'leaving' }
  | { at: 'returned'; result: Returned<Grant> }

/** Logs in with one provider at a time. Choosing another ends the previous attempts. */
const endings = new WeakMap<MethodInProgress, AbortController>()

export function startWindowLogin<Provider, Grant, Said extends Retryable>(
  ports: CapabilityPorts,
  progress: MethodInProgress,
  method: WindowMethod<Provider, Grant, Said>,
): StartedMethod {
  const { refusals } = ports
  const { card } = progress
  const { provider, screen } = method
  const passes = createPasses(ports, progress, method)

  function press() {
    if (!progress.isAtEntry()) return
    progress.chosen()
    endings.get(progress)?.abort()
    if (method.instead) method.instead()
    else if (passes.isMissing()) void requestPass()
    else if (method.takePage?.()) show({ at: 'leaving' })
    else {
      const ending = createEnding()
      const attempt = openWindow(ending.signal)
      // The screen handles its failure, once it is mounted.
      attempt.granted.catch(() => {})
      show({ at: 'open', attempt }, ending)
    }
  }

  function createEnding() {
    const ending = new AbortController()
    endings.set(progress, ending)
    return ending
  }

  function openWindow(signal: AbortSignal) {
    if (method.canceled) progress.closesWith?.(method.canceled)
    return method.begin(passes.take(), AbortSignal.any([card.signal, signal]))
  }

  function show(start: Start<Grant>, ending = createEnding()) {
    // A response that is redeemed at once has no way back.
    const options = start.at === 'returned' && { ways: onlyClose, waits: true }
    const login = {
      method,
      progress,
      refusals,
      passes,
      openWindow: () => openWindow(ending.signal),
      start,
      ending,
    }
    const screenWithOptions = { ...screen, options: { ...screen.options, ...options } }
    void pushOnCard(ports, card, screenWithOptions, { provider, login })
  }

  async function requestPass() {
    if (await passes.request()) show({ at: 'to open' })
  }

  /** Continues after the page returned from a provider or was opened with a result. */
  function resume() {
    const result = method.returned?.()
    if (result) redeemResult(result)
    else void redeemAddress()
  }

  async function redeemAddress() {
    const createGrant = await method.grantFromAddress?.()
    if (!createGrant || !progress.isAtEntry()) return
    if (passes.isMissing() && !(await passes.request())) return
    redeemResult({ grant: createGrant(passes.take()) })
  }

  function redeemResult(result: Returned<Grant>) {
    progress.chosen()
    show({ at: 'returned', result })
  }

  const props = { provider, isAlone: progress.purpose !== 'login', onPress: press }
  return { entry: showElement(createElement(method.Entry, props), method.texts), resume }
}

/** The captcha passes of one login. Each is for one attempt. */
export type Passes = {
  isMissing: () => boolean
  /** Shows the captcha. Returns false if there is no pass. */
  request: () => Promise<boolean>
  take: () => CaptchaPass | undefined
}

function createPasses(
  { settings, captchaPass, clock }: CapabilityPorts,
  { card, refuse }: MethodInProgress,
  { isBehindCaptcha }: { isBehindCaptcha: boolean },
): Passes {
  let pass: CaptchaPass | undefined
  let untilMs = 0
  return {
    isMissing: () =>
      isBehindCaptcha && requiresCaptcha(settings()) && (pass === undefined || clock.nowMs() >= untilMs),
    async request() {
      try {
        pass = await captchaPass(card)
        untilMs = clock.nowMs() + captchaLimits.tokenSeconds * 1_000
      } catch (error) {
        if (!card.signal.aborted) refuse(error)
        return false
      }
      return pass !== undefined
    },
    take() {
      const unused = pass
      pass = undefined
      return unused
    },
  }
}
