/** A login with Telegram. */
import { LatchkeyError } from '@latchkey/protocol'
import { telegramRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode } from '../../contract/login.ts'
import { type WindowBrowser, windowBrowser } from '../../window-login/browser.ts'
import { messengerFailures } from '../../window-login/failures.ts'
import { texts } from '../../window-login/texts.arb'
import { startWindowLogin } from '../../window-login/window-login.ts'
import type { AddressLogin } from './address-login.ts'
import { beginTelegram, grantOf } from './attempt.ts'
import { isBotOfApp } from './bot.ts'
import { telegramScreen } from './screens.ts'
import { TelegramEntry } from './telegram-screens.tsx'

export function telegramMethod(
  ports: CapabilityPorts,
  addressLogin: AddressLogin,
  browser: WindowBrowser | undefined,
): MethodCode {
  const { api, session, settings } = ports
  return {
    account: {
      type: 'telegram',
      idOf: (account) => (account.type === 'telegram' ? account.telegramUserId : undefined),
      nameOf: (account) =>
        account.type === 'telegram'
          ? (account.username ?? account.firstName ?? account.telegramUserId)
          : undefined,
      unlink: (telegramUserId, asker) => api.call(telegramRoutes.unlinkTelegram, { telegramUserId }, asker),
    },
    refusesLink() {
      const { app, config } = settings()
      const isOn = app.telegramAuthConfig?.linkEnabled === true && config.telegram?.linkEnabled !== false
      return isOn && isBotOfApp(settings())
        ? undefined
        : new LatchkeyError('disallowed_login_method', 'This app links no account of type telegram')
    },
    start(progress) {
      const opener = browser ?? windowBrowser(window)
      return startWindowLogin(ports, progress, {
        method: 'telegram',
        provider: 'telegram',
        isItsAccount: ({ type }) => type === 'telegram',
        Entry: TelegramEntry,
        texts,
        screen: telegramScreen,
        failures: messengerFailures,
        isBehindCaptcha: progress.purpose === 'login',
        async grantFromAddress() {
          const signed = progress.purpose === 'login' ? await addressLogin.take() : undefined
          return signed && ((pass) => grantOf(signed, pass))
        },
        begin: (pass, signal) => beginTelegram(ports, opener, pass, signal),
        proof: (grant) => ({
          logIn: (vault, asker) =>
            session.logIn(telegramRoutes.loginWithTelegram, { ...grant, ...(vault && { vault }) }, asker),
          link: (asker) => api.call(telegramRoutes.linkTelegram, grant, asker),
        }),
      })
    },
  }
}
