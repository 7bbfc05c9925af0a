/** Gets the token for a call that starts a login, on CAPTCHA_SCREEN or from an unused earlier captcha. */
import {
  captchaLimits,
  LatchkeyError,
  toTurnstileSiteKey,
  unsupportedSiteKeyMessage,
} from '@latchkey/protocol'
import { createScreenCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { CaptchaPass } from '../../contract/login.ts'
import type { CardHandle } from '../../flow/flow.ts'
import { toLanguage } from '../../i18n/languages.ts'
import { captchaScreen } from './screens.ts'
import { loadTurnstile } from './turnstile.ts'
import type { LoadWidgets } from './widget.ts'

export function createCaptchaPass(services: DialogServices, load: LoadWidgets = loadTurnstile) {
  const { settings, clock } = services
  /** An unused token, from a captcha that the user passed before going back. */
  let unused: { token: string; untilMs: number } | undefined

  return async (card: CardHandle): Promise<CaptchaPass | undefined> => {
    const { app, addresses, config } = settings()
    const { captchaSiteKey = app.captchaSiteKey } = config
    // The server verifies tokens with the secret of the app's key, so a host page cannot bring another key.
    const siteKey = captchaSiteKey === app.captchaSiteKey ? toTurnstileSiteKey(captchaSiteKey) : undefined
    const { captcha: origin } = addresses
    if (siteKey === undefined || origin === undefined) {
      throw new LatchkeyError('captcha_disabled', unsupportedSiteKeyMessage)
    }
    const reusableToken = unused && clock.nowMs() < unused.untilMs ? unused.token : undefined
    const language = toLanguage(config.intl?.locale)
    const token =
      reusableToken ??
      (await card.interrupt(
        createScreenCall(services, captchaScreen, {
          loadWidgets: () => load(origin),
          settings: { siteKey, appId: app.id, language },
          keep(passed) {
            unused = { token: passed, untilMs: clock.nowMs() + captchaLimits.tokenSeconds * 1_000 }
          },
        }),
      ))
    if (token === undefined) return undefined
    unused = undefined
    return { token }
  }
}
