/** Runs a login in separate windows, or in the whole page, while its screen is open. */
import { oauthLimits, toLatchkeyError } from '@latchkey/protocol'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useDialog } from '../app/context.ts'
import { useContentChange, useHeader, useShownState } from '../app/screen-options.ts'
import { rowFor } from '../contract/error-table.ts'
import { NotStarted } from './attempt.ts'
import type { Retryable, TakePage, WindowLogin } from './window-login.ts'
import { createWindowTries, type WindowState } from './window-tries.ts'

export type WaitingState<Said> =
  | { status: 'verifying'; window: WindowState['window'] | 'to open' | 'leaving'; digits?: string }
  /** The provider has responded, and the response is being redeemed. */
  | { status: 'confirmed' }
  | { status: 'success' }
  | ({ status: 'failed' } & Said)

export type WaitingViewProps<Said> = {
  state: WaitingState<Said>
  /** Must be called in the click, because it opens a window. */
  onOpen: () => void
  onLeave: () => void
}

export function useWindowLogin<Grant, Said extends Retryable>({
  method,
  progress,
  refusals,
  passes,
  openWindow,
  start,
  ending,
}: WindowLogin<Grant, Said>): WaitingViewProps<Said> {
  const { handle, isCurrent } = useDialog()
  const { signal } = ending
  const [state, show] = useState<WaitingState<Said>>(
    start.at === 'returned' ? { status: 'confirmed' } : { status: 'verifying', window: start.at },
  )
  const departing = useRef<AbortController>(undefined)
  const isPresent = () => !signal.aborted && isCurrent()
  const [tries] = useState(() =>
    createWindowTries<Grant>(
      { after: handle.after, signal },
      {
        show: (window) => show({ status: 'verifying', ...window }),
        granted: (grant) => isPresent() && void redeem(grant),
        failed: (error) => isPresent() && fail(error),
      },
    ),
  )
  const isRedeeming = state.status === 'confirmed'
  useHeader({ back: !isRedeeming && state.status !== 'success', close: true })
  const drawnState = useShownState(state, isRedeeming)
  useContentChange(drawnState.status === 'verifying' ? drawnState.window : drawnState.status)

  function begin() {
    const takePage = method.takePage?.()
    if (takePage) leavePage(takePage)
    else tries.open(openWindow)
  }

  /** Navigates the whole page, which ends it. If it stays, a button retries. */
  function leavePage(takePage: TakePage) {
    tries.stop()
    departing.current?.abort()
    const departure = new AbortController()
    departing.current = departure
    let isExpected = true
    const both = AbortSignal.any([signal, departure.signal])
    const isWanted = () => !both.aborted && isCurrent()
    show({ status: 'verifying', window: 'leaving' })
    takePage(passes.take(), { signal: both, isWanted }).catch((error: unknown) => {
      const counts = isExpected && isWanted()
      departure.abort()
      if (counts) fail(error)
    })
    handle.after(oauthLimits.redirectPatienceMs, () => {
      isExpected = false
      if (isWanted()) show({ status: 'verifying', window: 'to open' })
      else departure.abort()
    })
  }

  async function requestPass() {
    if (await passes.request()) show({ status: 'verifying', window: 'to open' })
  }

  async function redeem(grant: Grant) {
    show({ status: 'confirmed' })
    try {
      const proved = await progress.prove(method.proof(grant), { signal: handle.signal, onNetwork: () => {} })
      show({ status: 'success' })
      progress.complete({
        ...proved,
        loginMethod: method.method,
        loginAccount: proved.user.linkedAccounts.find(method.isItsAccount) ?? null,
      })
    } catch (error) {
      fail(error)
    }
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
      handle.back()
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
    show({ status: 'failed', ...rowFor(method.failures, problem.code) })
  }

  const run = useEffectEvent(() => {
    switch (start.at) {
      case 'to open':
        return
      case 'open':
        return tries.open(() => start.attempt)
      case 'leaving':
        return begin()
      case 'returned':
        return 'grant' in start.result ? void redeem(start.result.grant) : fail(start.result.problem)
      default:
        return start satisfies never
    }
  })
  useLayoutEffect(() => {
    run()
    return () => ending.abort()
  }, [ending])

  return {
    state: drawnState,
    onOpen: () => (passes.isMissing() ? void requestPass() : begin()),
    onLeave: method.canceled ? progress.leave : handle.back,
  }
}
