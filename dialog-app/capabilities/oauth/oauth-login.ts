/** A login at an OAuth provider. */
import { oauthRoutes } from '@latchkey/protocol/api'
import { pushOnCard } from '../../app/screen-stack.ts'
import { isInsideApp, isPhone } from '../../browser/device.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode } from '../../contract/login.ts'
import { type WindowBrowser, windowBrowser } from '../../window-login/browser.ts'
import { failures } from '../../window-login/failures.ts'
import { texts } from '../../window-login/texts.arb'
import { startWindowLogin } from '../../window-login/window-login.ts'
import { beginOAuth } from './attempt.ts'
import { ProviderEntry } from './oauth-screens.tsx'
import type { OAuthProvider } from './providers.ts'
import { takePage, takeReturned, wayBack } from './redirect.ts'
import { awaitingScreen, inAppBrowserScreen } from './screens.ts'
import { handTokensOut, wantsTokens } from './tokens.ts'

export function oauthMethod(
  ports: CapabilityPorts,
  { method: provider, look, accountType, subjectOf, issuer }: OAuthProvider,
  browser?: WindowBrowser,
): MethodCode {
  const { api, session, analytics } = ports
  return {
    account: {
      type: accountType,
      idOf: subjectOf,
      providerName: async () => look.title,
      unlink: (subject, asker) =>
        api.call(
          oauthRoutes.unlinkOAuth,
          { provider, subject, ...(issuer !== undefined && { issuer }) },
          asker,
        ),
    },
    start(progress) {
      const opener = browser ?? windowBrowser(window)
      const purpose = progress.purpose === 'replace' ? 'link' : progress.purpose
      const tokensWanted = () => wantsTokens(ports.settings(), purpose) && { withTokens: true }
      return startWindowLogin(ports, progress, {
        method: provider,
        provider: look,
        isItsAccount: (account) => subjectOf(account) !== undefined,
        failures,
        Entry: ProviderEntry,
        texts,
        screen: awaitingScreen,
        isBehindCaptcha: true,
        instead: canLogInHere(provider, opener.userAgent)
          ? undefined
          : () => void pushOnCard(ports, progress.card, inAppBrowserScreen, { provider: look }),
        takePage() {
          const redirectTo = takesWholePage(opener.userAgent) ? wayBack(ports, opener) : undefined
          if (redirectTo === undefined) return undefined
          const order = { provider, purpose, redirectTo } as const
          return (pass, departure) => takePage(ports, opener, order, pass, departure)
        },
        returned: () => takeReturned(ports, { provider, purpose }),
        begin: (pass, signal) => beginOAuth(ports, opener, provider, pass, signal),
        proof: (grant) => ({
          async logIn(vault, asker) {
            const body = { ...grant, ...tokensWanted(), ...(vault && { vault }) }
            const { oauthTokens, ...answer } = await session.logIn(oauthRoutes.loginWithOAuth, body, asker)
            if (oauthTokens) handTokensOut(ports, oauthTokens, answer.user)
            return answer
          },
          async link(asker) {
            const body = { ...grant, ...tokensWanted() }
            const { oauthTokens, ...user } = await api.call(oauthRoutes.linkOAuth, body, asker)
            if (oauthTokens) handTokensOut(ports, oauthTokens, user)
            return user
          },
        }),
        failed(code) {
          if (code === 'pkce_state_code_mismatch') analytics('possible_phishing_attempt', { provider })
        },
      })
    },
  }
}

/** Redirects the whole page on phones, where users lose track of popups, and in in-app browsers, which open none. */
export const takesWholePage = (userAgent: string): boolean => isPhone(userAgent) || isInsideApp(userAgent)

/** Google rejects in-app browsers. Other providers are tried. */
export const canLogInHere = (provider: OAuthProvider['method'], userAgent: string): boolean =>
  provider !== 'google' || !isInsideApp(userAgent)
