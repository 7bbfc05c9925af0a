/** A login by a code that is sent to a phone. */
import type { CapabilityPorts } from '../../core/capability.ts'
import type { LoginInProgress, StartedMethod } from '../../core/login.ts'
import { loadPart } from '../../core/screen.ts'
import { languageOf } from '../../i18n/languages.ts'
import type { PhoneValue } from '../../ui/phone/phone-value.ts'
import { phoneEntry } from './screens.ts'

export const loadEntry = () => Promise.all([phoneEntry.component.load(), phoneEntry.texts.load()])

export async function startSmsLogin(
  { api, session, codeLogins, settings, load }: CapabilityPorts,
  login: LoginInProgress,
): Promise<StartedMethod> {
  const { intl } = settings().config
  let given: PhoneValue | undefined
  const [codeLogin] = await Promise.all([
    codeLogins.start(login, {
      loginMethod: 'sms',
      accountType: 'phone',
      sentBy: 'message',
      send: (phoneNumber, asker) => api.call('sendSmsCode', { phoneNumber }, asker),
      logIn: (phoneNumber, code, vault, asker) =>
        session.logIn('loginWithSmsCode', { phoneNumber, code, ...(vault && { vault }) }, asker),
    }),
    load(() => loadPart(phoneEntry, languageOf(intl?.locale))),
  ])

  function submit(value: PhoneValue) {
    if (!value.isValid) return
    given = value
    codeLogin.sendTo(value.qualifiedPhoneNumber)
  }

  return {
    entry: () =>
      login.entry(
        phoneEntry,
        {
          status: codeLogin.status(),
          given,
          country: intl?.defaultCountry,
          locale: intl?.locale ?? 'en',
        },
        { submit, cancel: codeLogin.cancel },
      ),
  }
}
