/** A login by a code that is sent to an e-mail address. */
import { isEmailAddress } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { LoginInProgress, StartedMethod } from '../../core/login.ts'
import { emailEntry } from './screens.ts'

export const loadEntry = () => Promise.all([emailEntry.component.load(), emailEntry.texts.load()])

export async function startEmailLogin(
  { api, session, codeLogins }: CapabilityPorts,
  login: LoginInProgress,
): Promise<StartedMethod> {
  let given = ''
  const codeLogin = await codeLogins.start(login, {
    loginMethod: 'email',
    accountType: 'email',
    sentBy: 'mail',
    send: (email, asker) => api.call('sendEmailCode', { email }, asker),
    logIn: (email, code, vault, asker) =>
      session.logIn('loginWithEmailCode', { email, code, ...(vault && { vault }) }, asker),
  })

  function submit(address: string) {
    if (!isEmailAddress(address)) return
    given = address
    codeLogin.sendTo(address.trim())
  }

  return {
    entry: () =>
      login.entry(
        emailEntry,
        { status: codeLogin.status(), address: given },
        { submit, cancel: codeLogin.cancel },
      ),
  }
}
