/** A login by a code that is sent to a phone. */
import { LatchkeyError } from '@latchkey/protocol'
import { smsRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { showElement } from '../../flow/screen.ts'
import type { CodeMethod } from '../codes/code-method.ts'
import { PhoneEntry } from './phone-entry.tsx'
import { texts } from './texts.arb'

export const smsMethod = (ports: CapabilityPorts): MethodCode => ({
  account: {
    type: 'phone',
    idOf: (account) => (account.type === 'phone' ? account.phoneNumber : undefined),
    normalId: (phoneNumber) => phoneNumber.replace(/\D/g, ''),
    unlink: (phoneNumber, asker) => ports.api.call(smsRoutes.unlinkPhone, { phoneNumber }, asker),
  },
  // Otherwise a code would be sent, and then rejected.
  refusesLink: ({ mfaMethods }) =>
    mfaMethods.some(({ type }) => type === 'sms')
      ? new LatchkeyError('not_supported', 'SMS can be a login method or a verification method, not both')
      : undefined,
  start: (login) => startSmsLogin(ports, login),
})

function startSmsLogin(ports: CapabilityPorts, login: MethodInProgress): StartedMethod {
  const { appearance, intl } = ports.settings().config
  const entry = (
    <PhoneEntry
      login={login}
      method={smsCodes(ports)}
      ports={ports}
      country={intl?.defaultCountry}
      isHidden={login.purpose === 'login' && appearance?.hideDirectWeb2Inputs === true}
    />
  )
  return { entry: showElement(entry, texts) }
}

const smsCodes = ({ api, session }: CapabilityPorts): CodeMethod => ({
  loginMethod: 'sms',
  accountType: 'phone',
  sentBy: 'message',
  send: (phoneNumber, pass, asker) => api.call(smsRoutes.sendSmsCode, { phoneNumber, ...pass }, asker),
  proof: (phoneNumber, code) => ({
    logIn: (vault, asker) =>
      session.logIn(smsRoutes.loginWithSmsCode, { phoneNumber, code, ...(vault && { vault }) }, asker),
    link: (asker) => api.call(smsRoutes.linkPhone, { phoneNumber, code }, asker),
  }),
})
