/** A login by a code that is sent to an e-mail address. */

import { isEmailAddress } from '@latchkey/protocol'
import { emailRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { createLastEmail } from '../../session/last-email.ts'
import { emailEntry, hiddenEmailEntry } from './screens.ts'

export const emailMethod = (ports: CapabilityPorts): MethodCode => ({
  account: {
    type: 'email',
    idOf: (account) => (account.type === 'email' ? account.address : undefined),
    normalId: (address) => address.trim().toLowerCase(),
    unlink: (address, asker) => ports.api.call(emailRoutes.unlinkEmail, { address }, asker),
  },
  loadEntry: () => Promise.all([emailEntry.component.load(), emailEntry.texts.load()]),
  start: (progress) => startEmailLogin(ports, progress),
})

async function startEmailLogin(
  { api, session, codeLogins, settings, store }: CapabilityPorts,
  progress: MethodInProgress,
): Promise<StartedMethod> {
  const lastEmail = createLastEmail(store, settings().app.id)
  let remembered = progress.purpose === 'login' ? lastEmail.read() : undefined
  let given = remembered ?? ''
  const isHidden = () =>
    progress.purpose === 'login' && settings().config.appearance?.hideDirectWeb2Inputs === true
  const codeLogin = await codeLogins.start(progress, {
    loginMethod: 'email',
    accountType: 'email',
    sentBy: 'mail',
    send: (email, pass, asker) => api.call(emailRoutes.sendEmailCode, { email, ...pass }, asker),
    proof: (email, code) => ({
      async logIn(vault, asker) {
        const body = { email, code, ...(vault && { vault }) }
        const answer = await session.logIn(emailRoutes.loginWithEmailCode, body, asker)
        lastEmail.remember(email)
        return answer
      },
      link: (asker) => api.call(emailRoutes.linkEmail, { email, code }, asker),
      replace: (oldAddress, asker) =>
        api.call(emailRoutes.updateEmail, { oldAddress, newAddress: email, code }, asker),
    }),
  })

  function submit(address: string) {
    if (!isEmailAddress(address)) return
    given = address
    codeLogin.sendTo(address.trim())
  }

  function forget() {
    lastEmail.forget()
    remembered = undefined
    given = ''
    progress.refreshEntry()
  }

  return {
    entry: () =>
      progress.entry(
        isHidden() ? hiddenEmailEntry : emailEntry,
        { status: codeLogin.status(), address: given, ...(remembered !== undefined && { remembered }) },
        { submit, forget, cancel: codeLogin.cancel },
      ),
  }
}
