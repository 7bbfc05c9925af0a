/** A login by a code that is sent to a phone. */
import { LatchkeyError } from '@latchkey/protocol'
import { smsRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { loadPart } from '../../flow/screen.ts'
import { toLanguage } from '../../i18n/languages.ts'
import type { PhoneValue } from '../../ui/fields/phone/phone-value.ts'
import { phoneEntry } from './screens.ts'

export const smsMethod = (ports: CapabilityPorts): MethodCode => ({
  account: {
    type: 'phone',
    idOf: (account) => (account.type === 'phone' ? account.phoneNumber : undefined),
    normalId: (phoneNumber) => phoneNumber.replace(/\D/g, ''),
    unlink: (phoneNumber, asker) => ports.api.call(smsRoutes.unlinkPhone, { phoneNumber }, asker),
  },
  // Else a code would be sent, and then refused.
  refusesLink: ({ mfaMethods }) =>
    mfaMethods.some(({ type }) => type === 'sms')
      ? new LatchkeyError('not_supported', 'SMS can be a login method or a verification method, not both')
      : undefined,
  loadEntry: () => Promise.all([phoneEntry.component.load(), phoneEntry.texts.load()]),
  start: (progress) => startSmsLogin(ports, progress),
})

async function startSmsLogin(
  { api, session, codeLogins, settings, load }: CapabilityPorts,
  progress: MethodInProgress,
): Promise<StartedMethod> {
  const { intl } = settings().config
  const isHidden = () =>
    progress.purpose === 'login' && settings().config.appearance?.hideDirectWeb2Inputs === true
  let given: PhoneValue | undefined
  const [codeLogin] = await Promise.all([
    codeLogins.start(progress, {
      loginMethod: 'sms',
      accountType: 'phone',
      sentBy: 'message',
      send: (phoneNumber, pass, asker) => api.call(smsRoutes.sendSmsCode, { phoneNumber, ...pass }, asker),
      proof: (phoneNumber, code) => ({
        logIn: (vault, asker) =>
          session.logIn(smsRoutes.loginWithSmsCode, { phoneNumber, code, ...(vault && { vault }) }, asker),
        link: (asker) => api.call(smsRoutes.linkPhone, { phoneNumber, code }, asker),
      }),
    }),
    load(() => loadPart(phoneEntry, toLanguage(intl?.locale))),
  ])

  function submit(value: PhoneValue) {
    if (!value.isValid) return
    given = value
    codeLogin.sendTo(value.qualifiedPhoneNumber)
  }

  return {
    entry: () =>
      progress.entry(
        phoneEntry,
        {
          status: codeLogin.status(),
          given,
          country: intl?.defaultCountry,
          isHidden: isHidden(),
        },
        { submit, cancel: codeLogin.cancel },
      ),
  }
}
