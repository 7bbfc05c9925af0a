/**
 * A login at an OAuth provider. A window that reads as closed may be open (its page has an opener policy), so that
 * reading only offers another try, and whatever is confirmed first counts, of whichever try.
 */
import { type ErrorCode, oauthLimits, toLatchkeyError } from '@latchkey/protocol'
import { oauthRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { CaptchaPass } from '../../core/captcha-pass.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../core/login.ts'
import { loadPart, screen } from '../../core/screen.ts'
import { languageOf } from '../../i18n/languages.ts'
import { type Attempt, beginAttempt, type Grant } from './attempt.ts'
import type { AwaitingState } from './awaiting-screen.tsx'
import { type OAuthBrowser, oauthBrowser } from './browser.ts'
import { failureOf } from './failures.ts'
import { canLogInHere } from './in-app-browser.ts'
import type { SocialProvider } from './providers.ts'
import { awaitingScreen, inAppBrowserScreen, providerEntry } from './screens.ts'

export function oauthMethod(
  ports: CapabilityPorts,
  provider: SocialProvider,
  browser?: OAuthBrowser,
): MethodCode {
  const type = `${provider}_oauth` as const
  return {
    account: {
      type,
      idOf: (account) => (account.type === type ? account.subject : undefined),
      unlink: (subject, asker) => ports.api.call(oauthRoutes.unlinkOAuth, { provider, subject }, asker),
    },
    loadEntry: () => Promise.all([providerEntry.component.load(), providerEntry.texts.load()]),
    start: (progress) => startOAuthLogin(ports, provider, progress, browser ?? oauthBrowser(window)),
  }
}

/** One provider at a time: whoever turns to another has left the one before. */
const leaving = new WeakMap<MethodInProgress, () => void>()

async function startOAuthLogin(
  ports: CapabilityPorts,
  provider: SocialProvider,
  progress: MethodInProgress,
  browser: OAuthBrowser,
): Promise<StartedMethod> {
  const { api, session, settings, analytics, refusals, captchaPass } = ports
  const { card } = progress
  const state = { provider, isAlone: progress.purpose !== 'login' }
  let view: AwaitingState = { provider, status: 'verifying', window: 'none' }
  const attempts = new Set<Attempt>()
  let latest: Attempt | undefined
  /** For one try, where the app asks for a captcha. */
  let pass: CaptchaPass | undefined
  await ports.load(() => loadPart(providerEntry, languageOf(settings().config.intl?.locale)))

  const present = () =>
    screen(awaitingScreen, view, {
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

  function show(next: AwaitingState) {
    view = next
    card.update(present())
  }

  function press() {
    leaving.get(progress)?.()
    leaving.set(progress, leave)
    progress.chosen()
    if (!canLogInHere(provider, browser.userAgent)) {
      card.go(screen(inAppBrowserScreen, { provider }, { leave: card.back }))
      return
    }
    if (needsPass()) {
      void askForPass()
      return
    }
    attempt()
    card.go(present())
  }

  const needsPass = () => settings().app.captchaEnabled && pass === undefined

  /** A captcha takes the click with it, so the window opens at the next one. */
  async function askForPass() {
    try {
      pass = await captchaPass(card)
    } catch (error) {
      if (!card.signal.aborted) progress.refuse(error)
      return
    }
    if (!pass) return
    view = { provider, status: 'verifying', window: 'to open' }
    if (card.isAt(awaitingScreen)) card.update(present())
    else card.go(present())
  }

  /** In the click. */
  function attempt() {
    const begun = beginAttempt(ports, browser, provider, { pass, signal: card.signal })
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

  function watch(watched: Attempt) {
    card.after(oauthLimits.closedCheckMs, () => {
      if (watched.isOver()) return
      if (!card.isAt(awaitingScreen)) {
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

  async function take(from: Attempt) {
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

  const isWaitedFor = (one: Attempt) => attempts.has(one) && card.isAt(awaitingScreen)

  async function redeem(grant: Grant) {
    const proved = await progress.prove(
      {
        logIn: (vault, asker) =>
          session.logIn(oauthRoutes.loginWithOAuth, { ...grant, ...(vault && { vault }) }, asker),
        link: (asker) => api.call(oauthRoutes.linkOAuth, grant, asker),
      },
      { signal: card.signal, onNetwork: () => {} },
    )
    show({ provider, status: 'success' })
    progress.complete({
      ...proved,
      loginMethod: provider,
      loginAccount: proved.user.linkedAccounts.find(({ type }) => type === `${provider}_oauth`) ?? null,
    })
  }

  function fail(error: unknown) {
    const problem = toLatchkeyError(error, 'oauth_unexpected', 'Something went wrong')
    count(problem.code)
    if (refusals.hasOwnScreen(problem.code)) {
      progress.refuse(problem)
      return
    }
    progress.failed?.(problem)
    show({ provider, status: 'failed', ...failureOf(problem.code) })
  }

  function count(code: ErrorCode) {
    if (code === 'pkce_state_code_mismatch') analytics('possible_phishing_attempt', { provider })
  }

  return { entry: () => progress.entry(providerEntry, state, { press }) }
}
